/**
 * Makes the notifications about silences, coming decays and changes of waivers. SPEC §6.1
 *
 * Each description ends in the next step for its reader.
 */
import * as UtcCalendar from "../../shared/internal/UtcCalendar.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import type { ListenedWaiver } from "../../snapshot/internal/SnapshotListener.js"
import type { WaiverChange } from "../../waiver/WaiverChange.js"
import type { NotifiedSnapshot } from "../Notification.js"
import type { Firing, SnapshotTrigger } from "./NotificationTrigger.js"

/** A beginning or an end of a silence. */
export interface Silence extends SnapshotTrigger {
  /** The latest snapshot; null when there is none. */
  readonly snapshot: NotifiedSnapshot | null
  readonly since: Timestamp
}

/** A compliant environment, and the instant at which it turns. */
export interface Decay extends SnapshotTrigger {
  readonly snapshot: NotifiedSnapshot
  readonly dueAt: Timestamp
  /** The number of rows that turn; null where it is not known. */
  readonly rows: number | null
}

/** A change of a waiver, in one environment. */
export interface WaiverChanged extends SnapshotTrigger {
  /** The latest snapshot; null when there is none. */
  readonly snapshot: NotifiedSnapshot | null
  readonly waiver: ListenedWaiver
  readonly change: WaiverChange
  /** The number of the entry of the journal that records it; undefined where none does. */
  readonly sequence: number | undefined
}

/** An instant for people, to the second. */
const inWords = (instant: Timestamp): string =>
  `${UtcCalendar.printMoment(instant).replace("T", " ")} UTC`

/** The notification about the beginning of a silence. */
export const ofSilence = ({ environmentId, since, snapshot, ...common }: Silence): Firing => ({
  trigger: "ON_SILENT_ENV",
  key: `${environmentId}@${since} ON_SILENT_ENV`,
  notification: {
    event_type: "ENVIRONMENT_SILENT",
    ...common,
    description:
      `environment ${common.environment} missed its report that was due at ${inWords(since)}: ` +
      "check that its reporter runs and reaches the service",
    snapshot,
    silent_since: since
  }
})

/** The notification about the end of a silence. */
export const ofReporting = ({ environmentId, since, snapshot, ...common }: Silence): Firing => ({
  trigger: "ON_REPORTING_ENV",
  key: `${environmentId}@${since} ON_REPORTING_ENV`,
  notification: {
    event_type: "ENVIRONMENT_REPORTING",
    ...common,
    description:
      `environment ${common.environment} reports again after its silence since ${inWords(since)}: ` +
      "look at the artifacts that changed meanwhile",
    snapshot,
    silent_since: since
  }
})

const failingOf = (rows: number | null): string => {
  if (rows === null) return ""
  return rows === 1 ? ", then 1 artifact fails" : `, then ${rows} artifacts fail`
}

/** The notification about a coming decay. */
export const ofDecay = ({ environmentId, dueAt, rows, snapshot, ...common }: Decay): Firing => ({
  trigger: "ON_DECAYING_ENV",
  key: `${environmentId}@${dueAt} ON_DECAYING_ENV`,
  notification: {
    event_type: "ENVIRONMENT_DECAYING",
    ...common,
    description:
      `environment ${common.environment} is compliant until ${inWords(dueAt)}${failingOf(rows)}: ` +
      "report new evidence or renew the exceptions before",
    snapshot,
    due_at: dueAt,
    rows
  }
})

const describe = ({ change, environment, waiver }: WaiverChanged): string => {
  const name = `waiver ${waiver.number} of policy ${waiver.policy_name} in ${environment}`
  const end = inWords(waiver.expires_at)
  switch (change) {
    case "requested":
      return `${name} was requested until ${end}: approve or reject it`
    case "approved":
      return waiver.state === "requested"
        ? `${name} was approved and needs more approvals: approve or reject it`
        : `${name} was approved until ${end}: remove the cause before it ends`
    case "activated":
      return `${name} is in force until ${end}: remove the cause before it ends`
    case "rejected":
      return `${name} was rejected: make the artifacts compliant, or request another waiver`
    case "revoked":
      return `${name} was revoked: make the artifacts compliant that it covered`
    case "expired":
      return `${name} ended at ${end}: make the artifacts compliant that it covered, or request an extension`
    case "lapsed":
      return `${name} lapsed without a decision: request it again if you still need it`
  }
}

/** The notification about a change of a waiver in one environment. */
export const ofWaiver = (changed: WaiverChanged): Firing => {
  const { org, environment, environmentId, at, snapshot, waiver, change, sequence } = changed
  const { number, policy_name, state, expires_at } = waiver
  return {
    trigger: "ON_WAIVER_CHANGED",
    // WHY the number of the entry: two approvals of one waiver are two changes, even at one instant.
    key: `${environmentId}#${sequence ?? `@${at}`} ON_WAIVER_CHANGED ${number} ${change}`,
    notification: {
      event_type: "WAIVER_CHANGED",
      org,
      at,
      description: describe(changed),
      environment,
      snapshot,
      waiver: { number, policy_name, state, change, expires_at }
    }
  }
}
