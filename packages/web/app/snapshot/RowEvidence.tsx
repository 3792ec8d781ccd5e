/** The sections of a row's detail: reasons, rules with their evidence, provenance, instances and predecessor. */
import * as Route from "@attestry/web/Route"
import { EntryPeople } from "../allow-list/EntryPeople.js"
import * as Session from "../session/Session.js"
import { CodedText } from "../shared/CodedText.js"
import type { Attestations, SnapshotRow } from "../shared/Contract.js"
import { Ending } from "../shared/Ending.js"
import { ExternalLink } from "../shared/ExternalLink.js"
import { Commit, Fingerprint } from "../shared/Fingerprint.js"
import * as Navigation from "../shared/Navigation.js"
import { useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Timestamp } from "../shared/Timestamp.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import * as WaiverDraft from "../waiver/WaiverDraft.js"
import { MAY_REQUEST } from "../waiver/WaiverPermission.js"
import { HIDDEN_FLOW } from "./RowFilter.js"
import { countsOf, evidenceOf, outcomesOf, type RuleOutcome } from "./RuleOutcomes.js"

interface RowProps {
  readonly org: string
  readonly row: SnapshotRow
}

export const AllowedBy = ({
  org,
  environment,
  fingerprint
}: {
  readonly org: string
  readonly environment: string
  readonly fingerprint: string
}) => {
  const entries = knownOf(useQuery("allowList.list", { org, env_name: environment }))?.value
  if (entries === undefined) return null
  const entry = entries.find(
    ({ artifact_fingerprint, is_expired }) =>
      artifact_fingerprint === fingerprint && is_expired !== true
  )
  return entry === undefined ? (
    <p class="quiet">It was allowed when this snapshot was made, and is no longer.</p>
  ) : (
    <p>
      “<RevealedText text={entry.description} />”{" "}
      <span class="quiet">
        <EntryPeople creator={entry.created_by} owner={entry.owner} />,{" "}
        <Timestamp seconds={entry.created_at} />
        {entry.expires_at === undefined ? null : (
          <>
            , <Ending seconds={entry.expires_at} />
          </>
        )}
      </span>
    </p>
  )
}

/** A link to the evidence for a rule, if it is known. */
const Evidence = ({
  org,
  outcome,
  row
}: {
  readonly org: string
  readonly outcome: RuleOutcome
  readonly row: SnapshotRow
}) => {
  const { flow, trail } = outcome
  const isAsked =
    flow !== null &&
    trail !== null &&
    outcome.wanted !== undefined &&
    (outcome.verdict === "compliant" || outcome.verdict === "non-compliant")
  return isAsked ? (
    <AttestationLink org={org} outcome={outcome} row={row} place={{ flow, trail }} />
  ) : null
}

/** WHY the list of the trail: every rule of a row reads the same list, so there is one request. */
const AttestationLink = ({
  org,
  outcome,
  row,
  place: { flow, trail }
}: {
  readonly org: string
  readonly outcome: RuleOutcome
  readonly row: SnapshotRow
  readonly place: { readonly flow: string; readonly trail: string }
}) => {
  const query = { flow_name: flow, trail_name: trail, per_page: 100 }
  const known = knownOf<Attestations>(useQuery("attestation.list", { org, query }))
  const id = known === undefined ? undefined : evidenceOf(known.value, outcome, row.fingerprint)
  const route = Route.make("Trail", { org, flow, trail }, { attestation_id: id })
  return <a href={Navigation.hrefOf(route)}>{id === undefined ? "trail" : "evidence"}</a>
}

/** A link to the form for a waiver of a failing rule; renders nothing for people who may not request one. */
const RequestWaiver = ({
  org,
  row: { fingerprint, policy_decisions },
  reason: { policy_name: policy, rule_index },
  environment
}: RowProps & {
  readonly reason: SnapshotRow["reasons_for_incompliance"][number]
  readonly environment: string
}) => {
  const decision = policy_decisions.find(({ policy_name }) => policy_name === policy)
  const rule = decision?.rule_evaluations[rule_index ?? -1]?.rule
  return rule === undefined || !Session.may(org, MAY_REQUEST) ? null : (
    <a
      href={Navigation.hrefOf(
        WaiverDraft.routeFor(org, { policy, rule, environment, fingerprint })
      )}
    >
      Request a waiver
    </a>
  )
}

/** The reasons of a row: one line per rule and flow, with its remedy. */
export const RowReasons = ({
  org,
  row,
  environment
}: RowProps & {
  /** The environment in which the row runs. */
  readonly environment: string
}) => {
  const outcomes = outcomesOf(row)
  return row.reasons_for_incompliance.length === 0 ? null : (
    <ol class="why">
      {row.reasons_for_incompliance.map((reason, position) => {
        const outcome = outcomes.find(
          ({ policy, index, flow, trail }) =>
            policy === reason.policy_name &&
            index === reason.rule_index &&
            flow === reason.flow_name &&
            trail === reason.trail_name
        )
        return (
          <li key={position}>
            <a
              href={Navigation.href("PolicyVersion", {
                org,
                policy: reason.policy_name,
                version: String(reason.policy_version)
              })}
            >
              <RevealedText text={reason.policy_name} /> v{reason.policy_version}
            </a>
            {outcome === undefined ? null : (
              <>
                {" › "}
                <RevealedText text={outcome.title} />
              </>
            )}
            <p>
              <CodedText text={reason.description} />{" "}
              {outcome === undefined ? null : <Evidence org={org} outcome={outcome} row={row} />}{" "}
              <RequestWaiver org={org} row={row} reason={reason} environment={environment} />
            </p>
          </li>
        )
      })}
    </ol>
  )
}

/** Every rule with its result in each flow, and the deciding evidence. */
export const AllRules = ({ org, row }: RowProps) => {
  const outcomes = outcomesOf(row)
  const { satisfied, failing, ignored } = countsOf(row)
  if (outcomes.length === 0) return null
  return (
    <details class="row-part">
      <summary>
        All rules{" "}
        <span class="quiet">
          {satisfied} satisfied, {failing} failing, {ignored} not applicable
        </span>
      </summary>
      <ul class="part-list">
        {outcomes.map((outcome) => (
          <li key={outcome.key}>
            <VerdictMark verdict={outcome.verdict} />{" "}
            <span class="quiet">
              <RevealedText text={outcome.policy} />
              {outcome.number === null ? "" : ` rule ${outcome.number}`}
            </span>{" "}
            <RevealedText text={outcome.title} />: {outcome.text}
            {outcome.flow === null ? null : (
              <span class="quiet">
                {" in "}
                <RevealedText text={outcome.flow} />
              </span>
            )}{" "}
            <Evidence org={org} outcome={outcome} row={row} />
          </li>
        ))}
      </ul>
    </details>
  )
}

const FlowLine = ({
  org,
  flow
}: {
  readonly org: string
  readonly flow: SnapshotRow["flows"][number]
}) => {
  const name = flow.flow_name ?? ""
  const author = flow.git_commit_info?.author ?? null
  return (
    <li>
      <VerdictMark verdict={flow.artifact_compliance_in_flow ? "compliant" : "non-compliant"} />{" "}
      <a href={Navigation.href("Flow", { org, flow: name })}>
        <RevealedText text={name} />
      </a>
      {" › "}
      <a href={Navigation.href("Trail", { org, flow: name, trail: flow.trail_name })}>
        <RevealedText text={flow.trail_name} />
      </a>
      {" › "}
      <RevealedText text={flow.template_reference_name} />
      {flow.git_commit === null ? null : (
        <p>
          commit <Commit value={flow.git_commit} />
          {author === null ? null : (
            <>
              {" by "}
              <RevealedText text={author} />
            </>
          )}{" "}
          {flow.commit_url === null ? null : <ExternalLink address={flow.commit_url} />}
        </p>
      )}
    </li>
  )
}

/** The flows that have the artifact. */
export const Provenance = ({ org, row }: RowProps) => (
  <details class="row-part" open={row.flows.length > 0}>
    <summary>
      Provenance{" "}
      <span class="quiet">
        {row.flows.length === 0
          ? row.hidden === true
            ? HIDDEN_FLOW
            : "no flow knows it"
          : `${row.flows.length} flow${row.flows.length === 1 ? "" : "s"}${
              row.hidden === true ? ", and others that you may not read" : ""
            }`}
      </span>
    </summary>
    <ul class="part-list">
      {row.flows.map((flow, position) => (
        <FlowLine key={position} org={org} flow={flow} />
      ))}
    </ul>
  </details>
)

/** Where the instances run, as far as the runtime reported it. */
const placesOf = (row: SnapshotRow): ReadonlyArray<readonly [string, string, number]> => {
  const first = row.creationTimestamp[0] ?? 0
  const task = row.container_task_context
  const run = row.serverless_run_context
  if (row.pods !== null)
    return Object.entries(row.pods).map(([name, pod]) => [
      "pod",
      `${pod.namespace}/${name}`,
      pod.creationTimestamp
    ])
  if (task !== null)
    return [["task", [task.cluster_name, task.service_name, task.task_arn].join(" "), first]]
  if (run !== null)
    return [[run.kind, [run.service_name ?? run.job_name, run.revision_name].join(" "), first]]
  return []
}

export const Instances = ({ row }: { readonly row: SnapshotRow }) => {
  const places = placesOf(row)
  const count = row.creationTimestamp.length
  return (
    <details class="row-part">
      <summary>
        Instances <span class="quiet">{count}</span>
      </summary>
      <ul class="part-list">
        {places.map(([kind, name, seconds]) => (
          <li key={name}>
            {kind} <RevealedText text={name} />{" "}
            {seconds === 0 ? null : <Timestamp seconds={seconds} />}
          </li>
        ))}
        {places.length > 0
          ? null
          : row.creationTimestamp
              .slice(0, 100)
              .map((seconds, position) => (
                <li key={position}>
                  started {seconds === 0 ? "at an unknown time" : <Timestamp seconds={seconds} />}
                </li>
              ))}
      </ul>
    </details>
  )
}

/** The predecessor in the same slot, with a link that compares the commits. */
export const Replaced = ({ org, row }: RowProps) => {
  const diff = row.deployment_diff
  if (diff === null) return null
  return (
    <details class="row-part">
      <summary>
        Replaced{" "}
        <span class="quiet">
          <RevealedText text={diff.previous_artifact_name} />
        </span>
      </summary>
      <p>
        <a href={Navigation.href("Artifact", { org, fingerprint: diff.previous_fingerprint })}>
          <RevealedText text={diff.previous_artifact_name} />
        </a>{" "}
        <Fingerprint value={diff.previous_fingerprint} />
        {diff.previous_running ? " still runs here" : ""}
      </p>
      {diff.diff_url === null ? null : (
        <p>
          <ExternalLink address={diff.diff_url} label="compare commits" />
        </p>
      )}
    </details>
  )
}
