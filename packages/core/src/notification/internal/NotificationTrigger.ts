/**
 * Which triggers fire when a snapshot is appended or an artifact is allowed, how often, and for which targets.
 * SPEC §6.1
 *
 * A fold over one environment's history that needs only the previous verdict. The caller reads provenance.
 * Silence about an environment that was never compliant would be the unsafe side.
 */
import * as EnvironmentEvent from "../../environment/EnvironmentEvent.js"
import { keyOf, type RowIdentity } from "../../environment/RunningRow.js"
import type {
  EnvironmentId,
  EnvironmentName,
  FlowId,
  OrgName,
  TeamId
} from "../../shared/Identifier.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import type { Verdict } from "../../shared/Verdict.js"
import { isEvent, type SnapshotAnnotation } from "../../snapshot/SnapshotAnnotation.js"
import type { Trigger } from "../EnvironmentNotification.js"
import type { FlowTrigger } from "../FlowNotification.js"
import type { Notification, NotifiedSnapshot, Provenance } from "../Notification.js"
import type { StoredTarget } from "../NotificationTarget.js"

/** A row that changed, with its provenance in the primary flow. */
export interface ChangedRow extends RowIdentity {
  /** The name of the environment in which it runs: in a logical one, a member's. */
  readonly place: string
  readonly annotation: SnapshotAnnotation
  readonly provenance: Provenance | null
  /** The flow of the provenance. */
  readonly flow?: FlowId
}

/** The environment and the instant of an event. */
export interface SnapshotTrigger {
  readonly org: OrgName
  readonly environment: EnvironmentName
  readonly environmentId: EnvironmentId
  readonly at: Timestamp
}

/** A snapshot that was just appended. */
export interface SnapshotMade extends SnapshotTrigger {
  readonly snapshot: NotifiedSnapshot
  /** The verdict of the previous snapshot; null for the first. */
  readonly previousVerdict: Verdict | null
  readonly rows: ReadonlyArray<ChangedRow>
  /** How many rows policies on trial warn about, and did not before. */
  readonly warned: number
}

/** An entry that was just added to an allow-list. */
export interface ArtifactAllowed extends SnapshotTrigger {
  /** The latest snapshot; null when there is none. */
  readonly snapshot: NotifiedSnapshot | null
  readonly row: RowIdentity & Pick<ChangedRow, "provenance" | "flow">
}

/** One firing of one trigger. Keys are equal exactly when the same thing happened. */
export interface Firing {
  readonly trigger: Trigger | FlowTrigger
  readonly key: string
  readonly notification: Notification
  /** The flow of the provenance in the notification, where that is about another thing. */
  readonly flow?: FlowId
}

const flowOf = ({ flow }: { readonly flow?: FlowId | undefined }) =>
  flow === undefined ? {} : { flow }

const ROW_TRIGGERS = {
  started: { trigger: "ON_STARTED_ARTIFACT", event_type: "ARTIFACT_STARTED" },
  exited: { trigger: "ON_EXITED_ARTIFACT", event_type: "ARTIFACT_EXITED" },
  scaled: { trigger: "ON_SCALED_ARTIFACT", event_type: "ARTIFACT_SCALED" }
} as const

const rowRule = ({ type }: SnapshotAnnotation) => {
  if (!isEvent(type)) return undefined
  if (type === "scaled") return ROW_TRIGGERS.scaled
  const of = EnvironmentEvent.classOf(type)
  return of === "changed" ? undefined : ROW_TRIGGERS[of]
}

/** The trigger that a change of a row fires, or null. */
export const triggerOf = (annotation: SnapshotAnnotation): Trigger | null =>
  rowRule(annotation)?.trigger ?? null

const rowFiring = (
  { rows: _, snapshot, previousVerdict: __, warned: ___, environmentId, ...common }: SnapshotMade,
  changed: ChangedRow
): ReadonlyArray<Firing> => {
  const { annotation, name, fingerprint, provenance, place } = changed
  const rule = rowRule(annotation)
  const { type, was, now } = annotation
  if (rule === undefined || !isEvent(type)) return []
  const row = `${place} ${keyOf({ name, fingerprint })}`
  const key = `${environmentId}#${snapshot.index} ${rule.trigger} ${row}`
  const description = EnvironmentEvent.describe({ kind: type, was, now })
  return [
    {
      trigger: rule.trigger,
      key,
      ...flowOf(changed),
      notification: {
        event_type: rule.event_type,
        ...common,
        description,
        snapshot,
        artifact: { name, fingerprint, provenance }
      }
    }
  ]
}

const verdictRule = (before: Verdict | null, after: Verdict) => {
  if (after === "NonCompliant" && before !== "NonCompliant") {
    return { trigger: "ON_NON_COMPLIANT_ENV", event_type: "ENVIRONMENT_NON_COMPLIANT" } as const
  }
  return after === "Compliant" && before === "NonCompliant"
    ? ({ trigger: "ON_COMPLIANT_ENV", event_type: "ENVIRONMENT_COMPLIANT" } as const)
    : undefined
}

/** The trigger that a change of the environment's verdict fires, or null. */
export const verdictTrigger = (before: Verdict | null, after: Verdict): Trigger | null =>
  verdictRule(before, after)?.trigger ?? null

const verdictFiring = ({
  rows: _,
  snapshot,
  previousVerdict,
  warned: __,
  environmentId,
  ...common
}: SnapshotMade): ReadonlyArray<Firing> => {
  const rule = verdictRule(previousVerdict, snapshot.verdict)
  if (rule === undefined) return []
  const became = rule.trigger === "ON_COMPLIANT_ENV" ? "compliant again" : "non-compliant"
  return [
    {
      trigger: rule.trigger,
      key: `${environmentId}#${snapshot.index} ${rule.trigger}`,
      notification: {
        event_type: rule.event_type,
        ...common,
        description: `environment ${common.environment} became ${became}`,
        snapshot
      }
    }
  ]
}

const warningFiring = ({
  rows: _,
  snapshot,
  previousVerdict: __,
  warned,
  environmentId,
  ...common
}: SnapshotMade): ReadonlyArray<Firing> =>
  warned === 0
    ? []
    : [
        {
          trigger: "ON_WARNED_ENV",
          key: `${environmentId}#${snapshot.index} ON_WARNED_ENV`,
          notification: {
            event_type: "ENVIRONMENT_WARNED",
            ...common,
            description:
              `policies on trial warn about ${warned} more artifact${warned === 1 ? "" : "s"} ` +
              `in ${common.environment}`,
            snapshot
          }
        }
      ]

/** Everything that a new snapshot fires: for each row in the order of rows, then for the verdict, then for warnings. */
export const ofSnapshot = (made: SnapshotMade): ReadonlyArray<Firing> => [
  ...made.rows.flatMap((row) => rowFiring(made, row)),
  ...verdictFiring(made),
  ...warningFiring(made)
]

/** What a new entry of an allow-list fires. */
export const ofAllowance = ({
  row: { name, fingerprint, provenance, flow },
  snapshot,
  environmentId,
  ...common
}: ArtifactAllowed): Firing => ({
  trigger: "ON_ALLOWED_ARTIFACT",
  // WHY the instant: an entry that is removed and added again is another entry.
  key: `${environmentId}@${common.at} ON_ALLOWED_ARTIFACT ${fingerprint}`,
  ...flowOf({ flow }),
  notification: {
    event_type: "ARTIFACT_ALLOWED",
    ...common,
    description: `${name} was allowed to run in ${common.environment}`,
    snapshot,
    artifact: { name, fingerprint, provenance }
  }
})

/** The triggers of a subscription, to environments or to flows, its targets, and the team that owns it. */
export interface Subscription {
  readonly team?: TeamId
  readonly triggers: ReadonlyArray<Trigger | FlowTrigger>
  readonly targets: ReadonlyArray<StoredTarget>
}

/** One firing for one target. */
export interface AddressedFiring {
  readonly firing: Firing
  readonly target: StoredTarget
  readonly team: TeamId | undefined
}

/** The targets of firings: every enabled target of every subscription to the trigger. */
export const address = (
  firings: ReadonlyArray<Firing>,
  subscriptions: ReadonlyArray<Subscription>
): ReadonlyArray<AddressedFiring> =>
  firings.flatMap((firing) =>
    subscriptions
      .filter(({ triggers }) => triggers.some((trigger) => trigger === firing.trigger))
      .flatMap(({ targets, team }) => targets.map((target) => ({ firing, target, team })))
      .filter(({ target }) => target.disabled_at === null)
  )
