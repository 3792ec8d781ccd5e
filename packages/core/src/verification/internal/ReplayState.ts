/** The state that replaying the journal builds, and the helpers of its rules. Pure. */
import * as Predicate from "effect/Predicate"
import type { JournalEntry } from "../../journal/JournalEntry.js"
import type { Columns, RecordKind } from "../TableAuditStore.js"
import type { RepoLinks } from "./RepoLinks.js"

/** The value of a column that the journal does not have, because it was erased. */
export const UNRECORDED = Symbol("a value that the journal does not tell")

/** The state that entries change. */
export interface State {
  readonly table: (name: RecordKind) => Map<string, Columns>
  /** Records that may be there as they are, and need not. */
  readonly optional: (name: RecordKind) => Map<string, Columns>
  readonly appended: Map<RecordKind, Set<string>>
  readonly snapshots: Map<string, Array<ReplayedSnapshot>>
  /** Files that were erased, by fingerprint. */
  readonly erasedFiles: Set<string>
  readonly links: RepoLinks
}

/** A snapshot according to its entry: the digests of its members. */
export interface ReplayedSnapshot {
  readonly index: number
  readonly timestamp: string | null
  readonly verdict: string | null
  readonly counts: string | null
  readonly policies: string | null
  readonly events: string | null
  readonly members: string | null
  /** The digest of the changes of rows, in hexadecimal; empty for a logical environment. */
  readonly rows: string
  /** The number of its events; null if the entry does not have it. */
  readonly eventCount: number | null
  /** The version of the semantics that evaluated it; null if the entry does not have it. */
  readonly evaluator: number | null
}

/** The rule of a kind of entry. */
export type Change = (state: State, entry: JournalEntry, content: Columns) => void

/** The members of an object; empty for any other value. */
export const membersOf = (value: unknown): Columns => (Predicate.isRecord(value) ? value : {})

/** A text; empty for any other value. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

/** A list; empty for any other value. */
export const listOf = (value: unknown): ReadonlyArray<unknown> =>
  Array.isArray(value) ? value : []

/** Stores the whole resource, under the key that one of its members is. */
export const whole =
  (table: RecordKind, key: string): Change =>
  (state, _entry, content) => {
    state.table(table).set(textOf(content[key]), content)
  }

/** Changes a known record. */
export const edit = (
  rows: Map<string, Columns>,
  key: string,
  change: (row: Columns) => Columns
): void => {
  const row = rows.get(key)
  if (row !== undefined) rows.set(key, change(row))
}

/** One rule for several kinds of entries. */
export const all = (
  kinds: ReadonlyArray<string>,
  change: Change
): { readonly [kind: string]: Change } => Object.fromEntries(kinds.map((kind) => [kind, change]))

/** Several rules for one kind of entry, in order. */
export const inOrder =
  (...changes: ReadonlyArray<Change>): Change =>
  (state, entry, content) => {
    for (const change of changes) change(state, entry, content)
  }
