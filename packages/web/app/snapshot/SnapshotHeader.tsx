/** The header of a snapshot's page: its index, links to its neighbours, and the policies that evaluated it. */
import * as Route from "@attestry/web/Route"
import { NextChange } from "../environment/DecaysNext.js"
import { silenceOf } from "../environment/EnvironmentOrder.js"
import { SilentTag } from "../environment/EnvironmentRemarks.js"
import { GraphLink } from "../exposure/GraphLink.js"
import { now } from "../shared/Clock.js"
import type { Environment, ShortSnapshot } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import * as ProductName from "../shared/ProductName.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Timestamp } from "../shared/Timestamp.js"
import { fromStatus } from "../shared/Verdict.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { indexIn, type Place } from "./SnapshotReads.js"

/** The URL of a snapshot by index. */
export const hrefOf = ({ org, environment }: Place, index: number): string =>
  Navigation.href("Snapshot", { org, environment, expression: String(index) })

/** The URL of the comparison of two snapshots of an environment. */
export const diffOf = ({ org, environment }: Place, left: number, right: number) =>
  Route.make("Diff", { org }, { left: `${environment}#${left}`, right: `${environment}#${right}` })

const Step = ({
  place,
  to,
  label,
  sign
}: {
  readonly place: Place
  readonly to: number | undefined
  readonly label: string
  readonly sign: string
}) =>
  to === undefined ? (
    <span class="snapshot-step step-off" aria-hidden="true">
      {sign}
    </span>
  ) : (
    <a class="snapshot-step" href={hrefOf(place, to)} aria-label={label} title={label}>
      {sign}
    </a>
  )

/** Links to the previous, next and latest snapshot. */
export const SnapshotSteps = ({
  place,
  index,
  latest
}: {
  readonly place: Place
  readonly index: number
  readonly latest: number
}) => (
  <nav class="snapshot-steps" aria-label="Snapshots">
    <span>Snapshot</span>
    <Step place={place} to={index > 1 ? index - 1 : undefined} label="Older snapshot  [" sign="‹" />
    <span>
      <strong>{index}</strong> of {latest}
    </span>
    <Step
      place={place}
      to={index < latest ? index + 1 : undefined}
      label="Newer snapshot  ]"
      sign="›"
    />
    {place.expression === undefined ? (
      <span class="tag">following</span>
    ) : (
      <a
        class="steps-link"
        href={Navigation.href("Environment", { org: place.org, environment: place.environment })}
      >
        latest
      </a>
    )}
    {index > 1 ? (
      <a class="steps-link" href={Navigation.hrefOf(diffOf(place, index - 1, index))}>
        compare with {index - 1}
      </a>
    ) : null}
  </nav>
)

const Policies = ({
  org,
  policies
}: {
  readonly org: string
  readonly policies: ShortSnapshot["policies"]
}) =>
  policies.length === 0 ? (
    <span>no policy evaluated it</span>
  ) : (
    <span>
      {policies.length === 1 ? "policy " : "policies "}
      {policies.map(({ name, version, rows_failing }, position) => (
        <span key={name}>
          {position === 0 ? "" : ", "}
          {version === 0 ? (
            <RevealedText text={name} />
          ) : (
            <a
              href={Navigation.href("PolicyVersion", {
                org,
                policy: name,
                version: String(version)
              })}
            >
              <RevealedText text={name} /> v{version}
            </a>
          )}
          {rows_failing > 0 ? ` ✕ ${rows_failing}` : ""}
        </span>
      ))}
    </span>
  )

/** `as of …`, if the URL has an instant or an offset. */
const AsOf = ({ place, index }: { readonly place: Place; readonly index: number }) =>
  place.expression === undefined || indexIn(place.expression) !== undefined ? null : (
    <span>
      <RevealedText text={place.expression} /> → <a href={hrefOf(place, index)}>snapshot {index}</a>
    </span>
  )

/** The time of the snapshot, the policies that evaluated it, and related pages. */
export const SnapshotFacts = ({
  place,
  snapshot,
  environment
}: {
  readonly place: Place
  readonly snapshot: ShortSnapshot
  readonly environment: Environment | undefined
}) => {
  const { org } = place
  const reported = environment?.last_reported_at ?? null
  return (
    <p class="facts-line">
      <span>{ProductName.ofKind(snapshot.type)}</span>
      <span>
        made <Timestamp seconds={snapshot.timestamp} />
      </span>
      {reported === null ? null : (
        <span>
          last report <Timestamp seconds={reported} />
          <SilentTag
            silence={environment === undefined ? undefined : silenceOf(environment, now.value)}
          />
        </span>
      )}
      {environment === undefined || !snapshot.is_latest ? null : (
        <NextChange environment={environment} />
      )}
      <AsOf place={place} index={snapshot.index} />
      <Policies org={org} policies={snapshot.policies} />
      <a href={Navigation.href("Events", { org, environment: place.environment })}>Events</a>
      <a href={Navigation.href("EnvironmentSettings", { org, environment: place.environment })}>
        Settings
      </a>
      <GraphLink org={org} root={`environment:${place.environment}`} />
    </p>
  )
}

/** The reasons for the verdict that are about no row. */
export const SnapshotReasons = ({ snapshot }: { readonly snapshot: ShortSnapshot }) =>
  snapshot.reasons.length === 0 ? null : (
    <ul class="snapshot-reasons" aria-label="Reasons">
      {snapshot.reasons.map(({ type, silent_since, description }) => (
        <li key={type}>
          Silent since <Timestamp seconds={silent_since} />: <RevealedText text={description} />
        </li>
      ))}
    </ul>
  )

/** The members of a logical environment with the verdicts of their snapshots. */
export const Members = ({
  org,
  members
}: {
  readonly org: string
  readonly members: NonNullable<ShortSnapshot["members"]>
}) => (
  <ul class="counts members" aria-label="Members">
    {members.map(({ environment, index, verdict }) => (
      <li key={environment}>
        <a href={Navigation.href("Snapshot", { org, environment, expression: String(index) })}>
          <VerdictMark verdict={fromStatus(verdict)} />
          <RevealedText text={environment} /> <span class="quiet">#{index}</span>
        </a>
      </li>
    ))}
  </ul>
)
