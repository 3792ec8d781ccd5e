/** One row of a snapshot: the reasons for its verdict, its provenance, its predecessor, and actions. */
import { useEffect, useRef } from "preact/hooks"
import { AuditPackageLink } from "../audit-package/AuditPackage.js"
import { ReceiptLink } from "../receipt/ReceiptLink.js"
import * as Session from "../session/Session.js"
import { callOf } from "../shared/Api.js"
import type { ShortRow, ShortSnapshot, SnapshotRow } from "../shared/Contract.js"
import { CopyButton } from "../shared/CopyButton.js"
import { Countdown } from "../shared/Countdown.js"
import { Fingerprint } from "../shared/Fingerprint.js"
import { Icon } from "../shared/Icon.js"
import * as Navigation from "../shared/Navigation.js"
import { usePageKeys } from "../shared/PageKeys.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { WaiverCards } from "../waiver/WaiverCard.js"
import { AllowHere } from "./AllowHere.js"
import { RowRemedies } from "./Remedies.js"
import { AllowedBy, AllRules, Instances, Provenance, Replaced, RowReasons } from "./RowEvidence.js"
import { verdictOf } from "./RowFilter.js"
import { RowWarnings } from "./RowWarnings.js"
import { titleOf } from "./RuleOutcomes.js"
import type { Place } from "./SnapshotReads.js"
import { WouldItPass } from "./WouldItPass.js"

const close = () => Navigation.setQuery({ row: undefined })

/** The policy decisions in one line. */
const summaryOf = (row: SnapshotRow): string => {
  const counting = row.policy_decisions.filter(({ mode }) => mode !== "warn")
  const all = counting.length
  const against = counting.filter(({ status }) => status !== "COMPLIANT").length
  const policies = all === 1 ? "1 policy" : `${all} policies`
  if (row.is_allowed)
    return all === 0
      ? "Allowed here; no policy evaluates it"
      : `Allowed here, although ${against} of ${policies} ${against === 1 ? "says" : "say"} no`
  if (row.verdict === "Unknown")
    return row.policy_decisions.length === 0
      ? "Not evaluated: no policy is attached"
      : "Not evaluated: its policies only warn"
  return row.verdict === "Compliant"
    ? `Compliant: ${all === 1 ? "the policy says" : `all ${policies} say`} yes`
    : `Not compliant: ${against} of ${policies} ${against === 1 ? "says" : "say"} no`
}

/** The environment in which a row runs; a member, if the place is a logical environment. */
const runsIn = (place: Place, row: Pick<SnapshotRow, "environment">): string =>
  row.environment ?? place.environment

/** The requirement of the rule of a waived result. */
const ruleTitle = (
  { policy_decisions }: SnapshotRow,
  result: { readonly policy_name: string; readonly rule_index: number }
): string => {
  const decision = policy_decisions.find(({ policy_name }) => policy_name === result.policy_name)
  const rule = decision?.rule_evaluations[result.rule_index]?.rule
  return rule === undefined ? "a rule" : titleOf(rule)
}

const Actions = ({
  place,
  index,
  row
}: {
  readonly place: Place
  readonly index: number
  readonly row: SnapshotRow
}) => {
  const { org } = place
  const { fingerprint } = row
  if (fingerprint === "")
    return (
      <p class="quiet">The digest of what runs here is unknown: the runtime did not tell it.</p>
    )
  const mayAllow = Session.may(org, "environment.write") && !row.is_allowed
  return (
    <section class="detail-actions" aria-label="Actions">
      {mayAllow && row.verdict !== "Compliant" ? (
        <AllowHere
          org={org}
          environment={runsIn(place, row)}
          name={row.name}
          fingerprint={fingerprint}
        />
      ) : null}
      <a
        class="button"
        href={
          row.flow_name === null
            ? Navigation.href("Artifact", { org, fingerprint })
            : Navigation.href("FlowArtifact", { org, flow: row.flow_name, fingerprint })
        }
      >
        Open artifact
      </a>
      <ReceiptLink
        org={org}
        environment={place.environment}
        index={index}
        fingerprint={fingerprint}
      />
      {row.flow_name === null ? null : (
        <AuditPackageLink org={org} flow={row.flow_name} fingerprint={fingerprint} />
      )}
      <WouldItPass org={org} environment={runsIn(place, row)} fingerprint={fingerprint} />
    </section>
  )
}

const Detail = ({
  place,
  index,
  row,
  expiresAt,
  isLatest
}: {
  readonly place: Place
  readonly index: number
  readonly row: SnapshotRow
  /** WHY of the list: it is read again when new evidence moves the end. */
  readonly expiresAt: number | undefined
  /** WHY: remedies are computed from current evidence, which does not apply to an older snapshot. */
  readonly isLatest: boolean
}) => (
  <>
    <p class="detail-summary">
      {summaryOf(row)}{" "}
      {expiresAt === undefined ? null : <Countdown seconds={expiresAt} event="expires" />}
    </p>
    {row.is_allowed ? (
      <AllowedBy org={place.org} environment={runsIn(place, row)} fingerprint={row.fingerprint} />
    ) : null}
    <WaiverCards org={place.org} waived={row.waived} titleOf={(result) => ruleTitle(row, result)} />
    <RowReasons org={place.org} row={row} environment={runsIn(place, row)} />
    {isLatest && row.verdict === "NonCompliant" && row.flows.length > 0 ? (
      <RowRemedies org={place.org} environment={runsIn(place, row)} fingerprint={row.fingerprint} />
    ) : null}
    <RowWarnings org={place.org} warnings={row.warnings} />
    <AllRules org={place.org} row={row} />
    <Provenance org={place.org} row={row} />
    <Instances row={row} />
    <Replaced org={place.org} row={row} />
    <Actions place={place} index={index} row={row} />
  </>
)

const ReadDetail = ({
  place,
  index,
  row,
  isLatest
}: {
  readonly place: Place
  readonly index: number
  readonly row: ShortRow
  readonly isLatest: boolean
}) => {
  const { name, fingerprint, environment } = row
  const params = {
    org: place.org,
    env_name: place.environment,
    snapshot_expression: String(index),
    query: { name, fingerprint, environment }
  }
  const state = useQuery("snapshot.row", params, { immutable: true })
  usePageKeys({ y: () => void navigator.clipboard.writeText(fingerprint) })
  return (
    <QueryView state={state} retry={() => void cache.refresh(callOf("snapshot.row", params).path)}>
      {(found) => (
        <Detail
          place={place}
          index={index}
          row={found}
          expiresAt={row.expires_at}
          isLatest={isLatest}
        />
      )}
    </QueryView>
  )
}

/** The detail of the selected row, beside the table. */
export const RowDetail = ({
  place,
  snapshot,
  selected,
  row
}: {
  readonly place: Place
  readonly snapshot: ShortSnapshot
  readonly selected: string
  /** Undefined if the snapshot has no such row. */
  readonly row: ShortRow | undefined
}) => {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus({ preventScroll: true }), [])
  return (
    <aside class="detail" aria-label="Row">
      <div class="detail-head">
        <h2 ref={title} tabIndex={-1} class="detail-title">
          {row === undefined ? (
            "No such row"
          ) : (
            <>
              <VerdictMark verdict={verdictOf(row)} /> <RevealedText text={row.name} />
            </>
          )}
        </h2>
        <CopyButton text={location.href} what="link to this row" />
        <button type="button" class="button-icon" aria-label="Close" onClick={close}>
          <Icon name="close" />
        </button>
      </div>
      {row === undefined ? (
        <p>
          Snapshot {snapshot.index} has no row <RevealedText text={selected} />.
        </p>
      ) : (
        <>
          {row.fingerprint === "" ? null : <Fingerprint value={row.fingerprint} whole />}
          <ReadDetail
            place={place}
            index={snapshot.index}
            row={row}
            isLatest={snapshot.is_latest}
          />
        </>
      )}
    </aside>
  )
}
