/** Which entries of the journal are wanted. Pure; a store that selects by itself must agree with `accepts`. */
import type { Timestamp } from "../shared/Timestamp.js"
import type { JournalEntry } from "./JournalEntry.js"

/** What entries must have; an absent part accepts every entry, a list accepts any of its values. */
export interface JournalFilter {
  readonly kinds?: ReadonlyArray<string>
  /** Names or ids of actors. */
  readonly actors?: ReadonlyArray<string>
  readonly subjectTypes?: ReadonlyArray<string>
  /** The first and the last instant, both included. */
  readonly from?: Timestamp
  readonly to?: Timestamp
}

/** Whether a filter accepts every entry. */
export const isEmpty = (filter: JournalFilter): boolean =>
  Object.values(filter).every((part) => part === undefined)

const includes = (values: ReadonlyArray<string> | undefined, wanted: ReadonlyArray<string>) =>
  values === undefined || wanted.some((value) => values.includes(value))

/** Whether a filter accepts an entry. */
export const accepts = (
  { kinds, actors, subjectTypes, from, to }: JournalFilter,
  { kind, actor, subject, at }: Pick<JournalEntry, "kind" | "actor" | "subject" | "at">
): boolean =>
  includes(kinds, [kind]) &&
  includes(actors, [actor.name, actor.id]) &&
  includes(subjectTypes, [subject.type]) &&
  (from === undefined || at >= from) &&
  (to === undefined || at <= to)
