/** The audit package of a trail or an artifact: its contents, and the link that downloads it. */
import { type Call, callOf } from "../shared/Api.js"
import { Command } from "../shared/Command.js"
import { base } from "../shared/Navigation.js"
import { attestryLine } from "../shell/AttestryLine.js"

/** The subject of a package. */
export type PackageSubject = { readonly org: string; readonly flow: string } & (
  | { readonly trail: string }
  | { readonly fingerprint: string }
)

const callFor = (subject: PackageSubject): Call => {
  const { org, flow: flow_name } = subject
  return "trail" in subject
    ? callOf("auditPackage.trail", { org, flow_name, trail_name: subject.trail })
    : callOf("auditPackage.artifact", { org, flow_name, fingerprint: subject.fingerprint })
}

const commandFor = (subject: PackageSubject): string => {
  const { org, flow } = subject
  const named = "trail" in subject ? `${flow}/${subject.trail}` : `${flow}@${subject.fingerprint}`
  return attestryLine(["attestry", "audit", "package", named], {
    url: `${location.origin}${base}`,
    org
  })
}

const TRAIL = "the trail, its flow, artifacts and attestations as JSON, and every attached file"
const ARTIFACT =
  "the newest record of this artifact in the flow, the attestations that count for it with their files, and its trail"

/** The link alone, where other links are beside it. */
export const AuditPackageLink = (subject: PackageSubject) => (
  <a
    class="button"
    href={`${base}${callFor(subject).path}`}
    download
    title="One tar file for an auditor, with every file and the receipts of the verdicts"
  >
    Download the audit package
  </a>
)

export const AuditPackage = (subject: PackageSubject) => (
  <section class="block">
    <h2>Audit package</h2>
    <p class="quiet">
      One tar file for an auditor: {"trail" in subject ? TRAIL : ARTIFACT}, the receipts of the
      verdicts where it ran, a page to read and print, and a manifest with the SHA-256 of each file.
    </p>
    <div class="below">
      <a class="button" href={`${base}${callFor(subject).path}`} download>
        Download the audit package
      </a>
    </div>
    <details class="below">
      <summary>In a terminal</summary>
      <Command text={commandFor(subject)} />
    </details>
  </section>
)
