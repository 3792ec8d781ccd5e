/**
 * A process that reads from a standby: which requests it answers, and how it hands on the others. SPEC §1.9
 *
 * A request that is handed on gets 503 with `Attestry-Handed-On: 1`, which a proxy repeats on a writer.
 */
import * as Context from "effect/Context"

/** The header of answers that hand a request on. */
export const HANDED_ON = "attestry-handed-on"

/** The header with the entries that an answer must show. */
export const AFTER = "attestry-after"

/** The most entries that the header names. */
export const AFTER_MAX = 50

/** Why a request is handed on. */
export type HandedOnReason =
  /** It may write, or it is no operation of the contract. */
  | "operation"
  /** It names no entry, and this reader does not answer such requests. */
  | "unnamed"
  /** The data is too old. */
  | "lag"
  /** An entry that it names has not arrived, or cannot be read. */
  | "entry"
  /** It was refused: refusals are recorded by writers, whose data is newer. */
  | "refused"
  /** It met a write. */
  | "write"
  /** Replay has ended what it read. */
  | "conflict"

/** What a reader knows. */
export interface ReaderMode {
  /** Whether the data may be older than the limit. */
  readonly isLate: () => boolean
  /** Whether requests that name no entry are answered. */
  readonly servesUnnamed: boolean
}

/** The mode of a reader; undefined in a process that answers everything. */
export class Reader extends Context.Reference<Reader>()("@attestry/http/Reader", {
  defaultValue: (): ReaderMode | undefined => undefined
}) {}
