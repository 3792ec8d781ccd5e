/**
 * The events of one artifact in an environment: their kinds, and the form of the event log.
 *
 * Events derive from snapshots: each row whose annotation is not `unchanged` is one. `SnapshotAnnotation` decides the
 * annotation. SPEC §6.5
 */
import * as Schema from "effect/Schema"
import { ReportedFingerprint } from "../artifact/Fingerprint.js"
import { hiddenField, toHidden } from "../shared/Hidden.js"
import { EnvironmentName } from "../shared/Identifier.js"
import { EpochSeconds, Timestamp } from "../shared/Timestamp.js"
import * as Verdict from "../shared/Verdict.js"
import { byIdentity } from "./RunningRow.js"

/** The kind of an event. */
export const EventKind = Schema.Literal(
  "started-compliant",
  "started-non-compliant",
  "started-unknown",
  "became-compliant",
  "became-non-compliant",
  "scaled",
  "updated-provenance",
  "changed",
  "exited"
)
/** The kind of an event. */
export type EventKind = typeof EventKind.Type

/** The class of an event, for filters. SPEC §4.4 */
export const EventClass = Schema.Literal("started", "exited", "changed")
/** The class of an event, for filters. */
export type EventClass = typeof EventClass.Type

/** The class of an event. */
export const classOf = (kind: EventKind): EventClass => {
  switch (kind) {
    case "started-compliant":
    case "started-non-compliant":
    case "started-unknown":
      return "started"
    case "exited":
      return "exited"
    default:
      return "changed"
  }
}

/** One event of one artifact in one snapshot. */
export const EnvironmentEvent = Schema.Struct({
  environment: EnvironmentName,
  snapshotIndex: Schema.Int,
  at: Timestamp,
  kind: EventKind,
  name: Schema.String,
  fingerprint: ReportedFingerprint,
  /** Instances in the previous snapshot; 0 when the artifact started. */
  was: Schema.Int,
  /** Instances in this snapshot; 0 when the artifact exited. */
  now: Schema.Int,
  verdict: Verdict.Verdict,
  snapshotVerdict: Verdict.Verdict,
  /** The flows that know the artifact, the primary one first; empty without provenance. */
  flowNames: Schema.Array(Schema.String),
  repoNames: Schema.Array(Schema.String),
  gitCommit: Schema.NullOr(Schema.String),
  commitUrl: Schema.NullOr(Schema.String),
  diffUrl: Schema.NullOr(Schema.String),
  /** Which flow the reader may not read: the primary one, or only others; absent where there is none. */
  hidden: Schema.optionalWith(Schema.Literal("primary", "other"), { exact: true })
})
/** One event of one artifact in one snapshot. */
export type EnvironmentEvent = typeof EnvironmentEvent.Type

const instances = (count: number): string => `${count} instance${count === 1 ? "" : "s"}`

/** The text of an event: `3 instances started running (from 0 to 3)`. */
export const describe = ({
  kind,
  was,
  now
}: Pick<EnvironmentEvent, "kind" | "was" | "now">): string => {
  switch (classOf(kind)) {
    case "started":
      return `${instances(now)} started running (from ${was} to ${now})`
    case "exited":
      return `${instances(was)} stopped running (from ${was} to ${now})`
    case "changed":
      return `${instances(now)} changed`
  }
}

const CLASS_RANK = { exited: 0, changed: 1, started: 2 } as const

/** Oldest snapshot first; within one, exits, then changes, then starts. This reads in the order of what happened. */
export const byOccurrence = (left: EnvironmentEvent, right: EnvironmentEvent): number =>
  left.snapshotIndex - right.snapshotIndex ||
  CLASS_RANK[classOf(left.kind)] - CLASS_RANK[classOf(right.kind)] ||
  byIdentity(left, right)

const Link = Schema.Struct({ self: Schema.String, html: Schema.String })

/** Links to the artifact and the snapshot of an event. */
export const EventLinks = Schema.Struct({ artifact: Link, snapshot: Link })
/** Links to the artifact and the snapshot of an event. */
export type EventLinks = typeof EventLinks.Type

/** An event in the form of the event log. */
export const EnvironmentEventView = Schema.Struct({
  environment_name: EnvironmentName,
  snapshot_index: Schema.Int,
  artifact_name: Schema.String,
  sha256: ReportedFingerprint,
  description: Schema.String,
  reported_at: EpochSeconds,
  /** The primary flow; empty without provenance. */
  pipeline: Schema.String,
  /** Always empty; explicit deployments do not exist any more. */
  deployments: Schema.Array(Schema.Int),
  flows: Schema.Array(Schema.Struct({ flow_name: Schema.String, deployments: Schema.Null })),
  artifact_compliance: Schema.Boolean,
  snapshot_compliance: Schema.Boolean,
  type: EventKind,
  /** The link to the comparison of the commits; empty when it is unknown. */
  code_diff: Schema.String,
  _links: EventLinks,
  /** Only where a flow knows it that the caller may not read: `flows` leaves it out, and what is empty may be of it. */
  ...hiddenField
}).annotations({ identifier: "EnvironmentEvent" })
/** An event in the form of the event log. */
export type EnvironmentEventView = typeof EnvironmentEventView.Type

/** An event in the form of the event log. */
export const toView = (event: EnvironmentEvent, links: EventLinks): EnvironmentEventView => ({
  environment_name: event.environment,
  snapshot_index: event.snapshotIndex,
  artifact_name: event.name,
  sha256: event.fingerprint,
  description: describe(event),
  reported_at: event.at,
  pipeline: (event.hidden === "primary" ? undefined : event.flowNames[0]) ?? "",
  deployments: [],
  flows: event.flowNames.map((flow_name) => ({ flow_name, deployments: null })),
  artifact_compliance: Verdict.toBoolean(event.verdict),
  snapshot_compliance: Verdict.toBoolean(event.snapshotVerdict),
  type: event.kind,
  code_diff: event.diffUrl ?? "",
  _links: links,
  ...toHidden(event.hidden !== undefined)
})
