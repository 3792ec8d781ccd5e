/** The audit package of a trail, an artifact or a snapshot: its contents, and the link that downloads it. */
import { type Call, callOf } from "../shared/Api.js"
import { Command } from "../shared/Command.js"
import { base } from "../shared/Navigation.js"
import { attestryLine } from "../shell/AttestryLine.js"

/** The subject of a package. */
export type PackageSubject = { readonly org: string } & (
  | { readonly flow: string; readonly trail: string }
  | { readonly flow: string; readonly fingerprint: string }
  | { readonly environment: string; readonly index: number }
)

const callFor = (subject: PackageSubject): Call => {
  const { org } = subject
  if ("environment" in subject)
    return callOf("auditPackage.snapshot", {
      org,
      env_name: subject.environment,
      snapshot_expression: String(subject.index)
    })
  const { flow: flow_name } = subject
  return "trail" in subject
    ? callOf("auditPackage.trail", { org, flow_name, trail_name: subject.trail })
    : callOf("auditPackage.artifact", { org, flow_name, fingerprint: subject.fingerprint })
}

const nameOf = (subject: PackageSubject): string => {
  if ("environment" in subject) return `${subject.environment}#${subject.index}`
  const { flow } = subject
  return "trail" in subject ? `${flow}/${subject.trail}` : `${flow}@${subject.fingerprint}`
}

const commandFor = (subject: PackageSubject): string =>
  attestryLine(["attestry", "audit", "package", nameOf(subject)], {
    url: `${location.origin}${base}`,
    org: subject.org
  })

const SNAPSHOT =
  "the snapshot with its rows, verdicts and reasons, the texts of its policies, what changed, and the " +
  "evidence of each row with every attached file"
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

const contentOf = (subject: PackageSubject): string =>
  "environment" in subject ? SNAPSHOT : "trail" in subject ? TRAIL : ARTIFACT

const receiptsOf = (subject: PackageSubject): string =>
  "environment" in subject
    ? "the receipts of all verdicts"
    : "the receipts of the verdicts where it ran"

export const AuditPackage = (subject: PackageSubject) => (
  <section class="block">
    <h2>Audit package</h2>
    <p class="quiet">
      One tar file for an auditor: {contentOf(subject)}, {receiptsOf(subject)}, a page to read and
      print, and a manifest with the SHA-256 of each file.
    </p>
    <div class="below">
      <a class="button" href={`${base}${callFor(subject).path}`} download>
        Download the audit package{"environment" in subject ? " of this snapshot" : ""}
      </a>
    </div>
    <details class="below">
      <summary>In a terminal</summary>
      <Command text={commandFor(subject)} />
    </details>
  </section>
)
