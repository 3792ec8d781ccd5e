/** The state that a replay of the journal builds, and helpers for its rules. Pure. */
import * as Predicate from "effect/Predicate"
import type { JournalEntry } from "../../journal/JournalEntry.js"
import type { Columns, RecordKind } from "../AuditStore.js"
import type { RepoLinks } from "./RepoLinks.js"

/** The value of a column that the journal no longer has, because it was erased. */
export const UNRECORDED = Symbol("a value that the journal does not tell")

/** The state that entries change. */
export interface State {
  readonly table: (name: RecordKind) => Map<string, Columns>
  /** Records that may or may not be stored. */
  readonly optional: (name: RecordKind) => Map<string, Columns>
  readonly appended: Map<RecordKind, Set<string>>
  readonly snapshots: Map<string, Array<ReplayedSnapshot>>
  /** Files that were erased, by fingerprint. */
  readonly erasedFiles: Set<string>
  readonly links: RepoLinks
}

/** A snapshot as its journal entry describes it: digests of its members. */
export interface ReplayedSnapshot {
  readonly index: number
  readonly timestamp: string | null
  readonly verdict: string | null
  readonly counts: string | null
  readonly policies: string | null
  readonly events: string | null
  readonly members: string | null
  readonly reasons: string | null
  /** The digest of its row changes, in hexadecimal; empty for a logical environment. */
  readonly rows: string
  /** The number of its events; null if the entry does not record it. */
  readonly eventCount: number | null
  /** The version of the evaluation semantics; null if the entry does not record it. */
  readonly evaluator: number | null
  /** Whether time alone was the cause. */
  readonly isDecay: boolean
}

/** The rule for a kind of entry. */
export type Change = (state: State, entry: JournalEntry, content: Columns) => void

/** The members of an object; empty for any other value. */
export const membersOf = (value: unknown): Columns => (Predicate.isRecord(value) ? value : {})

/** A text; empty for any other value. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

/** A list; empty for any other value. */
export const listOf = (value: unknown): ReadonlyArray<unknown> =>
  Array.isArray(value) ? value : []

/** Stores the whole resource, keyed by one of its members. */
export const whole =
  (table: RecordKind, key: string): Change =>
  (state, _entry, content) => {
    state.table(table).set(textOf(content[key]), content)
  }

/** Changes a known record; ignores an unknown one. */
export const edit = (
  rows: Map<string, Columns>,
  key: string,
  change: (row: Columns) => Columns
): void => {
  const row = rows.get(key)
  if (row !== undefined) rows.set(key, change(row))
}

/** Makes one rule apply to several kinds of entries. */
export const all = (
  kinds: ReadonlyArray<string>,
  change: Change
): { readonly [kind: string]: Change } => Object.fromEntries(kinds.map((kind) => [kind, change]))

/** Combines several rules for one kind of entry, in order. */
export const inOrder =
  (...changes: ReadonlyArray<Change>): Change =>
  (state, entry, content) => {
    for (const change of changes) change(state, entry, content)
  }
