/** A server process that works on a store, as it says of itself. */
import * as Schema from "effect/Schema"
import { Timestamp } from "./Timestamp.js"

/** What a process does: a writer serves every request, a reader those that write nothing. */
export const ProcessRole = Schema.Literal("writer", "reader")
/** What a process does. */
export type ProcessRole = typeof ProcessRole.Type

/** A process, before the store sets its instants. */
export const ServerProcessDraft = Schema.Struct({
  /** Random, of this start of the process. */
  id: Schema.String,
  /** The version of the program. */
  release: Schema.String,
  role: ProcessRole,
  /** The newest of each form that the program can read, by the name of the form. */
  forms: Schema.Record({ key: Schema.String, value: Schema.Int })
})
/** A process, before the store sets its instants. */
export type ServerProcessDraft = typeof ServerProcessDraft.Type

/** A process, with the store's instants. */
export const ServerProcess = Schema.Struct({
  ...ServerProcessDraft.fields,
  started_at: Timestamp,
  seen_at: Timestamp
})
/** A process, with the store's instants. */
export type ServerProcess = typeof ServerProcess.Type

/** How often a process tells that it lives. */
export const SEEN_EVERY_MILLIS = 5_000

/** A process that was not seen for this long is gone. */
export const GONE_AFTER_MILLIS = 15_000

/** A process that is gone is forgotten after this time. */
export const FORGOTTEN_AFTER_MILLIS = 3_600_000
