/** The events of a policy, from its journal entries. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { JournalEntry } from "../journal/JournalEntry.js"
import { EnvironmentName } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"
import { PolicyMode } from "./PolicyMode.js"

/** The kinds of journal entries that are events of a policy. */
export const PolicyEventType = Schema.Literal(
  "policy_created",
  "policy_version_created",
  "policy_description_changed",
  "policy_attached",
  "policy_detached",
  "policy_mode_changed"
)
/** The kinds of journal entries that are events of a policy. */
export type PolicyEventType = typeof PolicyEventType.Type

/** The data of an event: a version, or an environment. */
export const PolicyEventData = Schema.Struct({
  version: Schema.optionalWith(Schema.Int, { exact: true }),
  environment: Schema.optionalWith(EnvironmentName, { exact: true }),
  /** How the policy counts there; absent for one that was attached to count. */
  mode: Schema.optionalWith(PolicyMode, { exact: true }),
  /** Why it was attached, detached or switched; absent where no reason was given. */
  reason: Schema.optionalWith(Schema.String, { exact: true })
})

/** One event of a policy. */
export const PolicyEvent = Schema.Struct({
  type: PolicyEventType,
  timestamp: Timestamp,
  user: Schema.String,
  data: PolicyEventData
})
/** One event of a policy. */
export type PolicyEvent = typeof PolicyEvent.Type

const ABOUT_ENVIRONMENTS: ReadonlySet<string> = new Set([
  "policy_attached",
  "policy_detached",
  "policy_mode_changed"
])

const isEvent = Schema.is(PolicyEventType)
const decodeData = Schema.decodeUnknownOption(Schema.parseJson(PolicyEventData))

/** The data of an entry; an entry that does not decode has none. */
const dataOf = ({ content, kind }: JournalEntry): PolicyEvent["data"] => {
  const { environment, mode, reason, version } = Option.getOrElse(
    decodeData(content),
    (): PolicyEvent["data"] => ({})
  )
  if (ABOUT_ENVIRONMENTS.has(kind))
    return {
      ...(environment === undefined ? {} : { environment }),
      ...(mode === undefined ? {} : { mode }),
      ...(reason === undefined ? {} : { reason })
    }
  return version === undefined || kind === "policy_description_changed" ? {} : { version }
}

/** The events among entries about policies, in their order. */
export const fromEntries = (entries: ReadonlyArray<JournalEntry>): ReadonlyArray<PolicyEvent> =>
  entries.flatMap((entry) =>
    isEvent(entry.kind)
      ? [{ type: entry.kind, timestamp: entry.at, user: entry.actor.name, data: dataOf(entry) }]
      : []
  )
