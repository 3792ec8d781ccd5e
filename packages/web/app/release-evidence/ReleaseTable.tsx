/** Releases as a table: a row for each, a column for each requirement, and the proof of each cell. */
import * as Route from "@attestry/web/Route"
import * as ReceiptFile from "../receipt/ReceiptFile.js"
import { ArtifactLink, FlowLink, SnapshotLink, TrailLink } from "../shared/AddressLinks.js"
import { callOf } from "../shared/Api.js"
import type { ReleaseEvidence } from "../shared/Contract.js"
import { Commit } from "../shared/Fingerprint.js"
import * as Navigation from "../shared/Navigation.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Timestamp } from "../shared/Timestamp.js"
import { fromStatus } from "../shared/Verdict.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { markOf, requirementText } from "./RequirementText.js"

type Release = ReleaseEvidence["releases"][number]
type Result = Release["results"][number]
type Given = Result["attestations"][number]

const receiptOf = (org: string, entry: string): string => {
  const { path } = callOf("log.receipt", { org, entry, query: { format: "json" } })
  return `${Navigation.base}${path}`
}

const Attestation = ({ org, given }: { readonly org: string; readonly given: Given }) => {
  const { attestation_id, created_at, created_by, log_entry } = given
  const to = Route.make("Attestations", { org }, { attestation_id })
  return (
    <div class="quiet">
      <a href={Navigation.hrefOf(to)}>
        <RevealedText text={created_by === "" ? "unknown" : created_by} />
      </a>{" "}
      <Timestamp seconds={created_at} />
      {log_entry === null ? null : (
        <>
          {" "}
          <a href={receiptOf(org, log_entry)} download={`${log_entry}.receipt.json`}>
            proof
          </a>
        </>
      )}
    </div>
  )
}

const ResultCell = ({
  org,
  result
}: {
  readonly org: string
  readonly result?: Result | undefined
}) =>
  result === undefined ? (
    <td class="cell">
      <VerdictMark verdict="not-applicable" label="not required" />
    </td>
  ) : (
    <td class="cell">
      <VerdictMark verdict={markOf(result.state)} word label={result.state} />
      {result.waivers.map((number) => (
        <div key={number} class="quiet">
          <a href={Navigation.href("Waiver", { org, number: String(number) })}>waiver {number}</a>
        </div>
      ))}
      {result.attestations.map((given) => (
        <Attestation key={given.attestation_id} org={org} given={given} />
      ))}
    </td>
  )

/** The flow and the trail of a release, with the audit package of the trail. */
const Origin = ({ org, release }: { readonly org: string; readonly release: Release }) => {
  const { flow_name: flow, git_commit, hidden, trail_name: trail } = release
  if (flow === null || trail === null)
    return (
      <span class="quiet">{hidden === true ? "in a flow you may not read" : "no provenance"}</span>
    )
  const { path } = callOf("auditPackage.trail", { org, flow_name: flow, trail_name: trail })
  return (
    <>
      <FlowLink org={org} flow={flow} /> / <TrailLink org={org} flow={flow} trail={trail} />
      {git_commit === null ? null : (
        <div>
          <Commit value={git_commit} />
        </div>
      )}
      <div>
        <a href={`${Navigation.base}${path}`} download>
          audit package
        </a>
      </div>
    </>
  )
}

const Row = ({
  org,
  release,
  requirements
}: {
  readonly org: string
  readonly release: Release
  readonly requirements: ReleaseEvidence["requirements"]
}) => {
  const { artifact_name, environment, fingerprint, flow_name, snapshot_index } = release
  const decided = { environment, index: snapshot_index, fingerprint }
  return (
    <tr>
      <td class="cell">
        <Timestamp seconds={release.deployed_at} always="absolute" />
      </td>
      <td class="cell">
        <SnapshotLink org={org} environment={environment} index={snapshot_index} />
      </td>
      <th scope="row" class="cell">
        <ArtifactLink org={org} flow={flow_name} fingerprint={fingerprint} name={artifact_name} />
      </th>
      <td class="cell">
        <Origin org={org} release={release} />
      </td>
      <td class="cell">
        <VerdictMark verdict={fromStatus(release.verdict)} word />
        {release.hidden === true ? null : (
          <div>
            <a
              href={`${Navigation.base}${ReceiptFile.callFor(org, decided).path}`}
              download={ReceiptFile.fileOf(decided)}
            >
              receipt
            </a>
          </div>
        )}
      </td>
      {requirements.map(({ key }) => (
        <ResultCell
          key={key}
          org={org}
          result={release.results.find(({ requirement }) => requirement === key)}
        />
      ))}
    </tr>
  )
}

const HEADINGS = ["Deployed", "Environment", "Artifact", "Flow and trail", "Verdict"]

/** Releases with what was required of them. */
export const ReleaseTable = ({
  org,
  evidence: { releases, requirements }
}: {
  readonly org: string
  readonly evidence: ReleaseEvidence
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard
  <section class="table-scroller" tabIndex={0} aria-label="Releases, as a table">
    <table class="table">
      <caption class="visually-hidden">Releases</caption>
      <thead>
        <tr>
          {HEADINGS.map((title) => (
            <th key={title} scope="col" class="cell">
              {title}
            </th>
          ))}
          {requirements.map((each) => (
            <th key={each.key} scope="col" class="cell">
              <RevealedText text={requirementText(each)} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {releases.map((release) => (
          <Row
            key={release.deployment_id}
            org={org}
            release={release}
            requirements={requirements}
          />
        ))}
      </tbody>
    </table>
  </section>
)
