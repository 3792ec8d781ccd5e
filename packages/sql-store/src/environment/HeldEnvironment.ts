/**
 * What a transaction knows of an environment that it has locked: its latest snapshot, what runs, what is
 * allowed, whether a logical environment holds it, and whether anybody is to be told about snapshots.
 *
 * INVARIANT: whoever writes any of these holds the environment's lock, and a logical environment that takes
 * a member waits for it; so what was read together with the lock stays true until the transaction ends or
 * writes itself, which forgets it.
 */
import type { EnvironmentRef } from "@attestry/core/Environment"
import type { SnapshotRow } from "@attestry/core/Snapshot"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqlOrg from "../shared/SqlOrg.js"

/** What is known; each part is read by the store that it belongs to. */
export const HeldEnvironment = Schema.Struct({
  head: Schema.Unknown,
  /** None when the process remembers them. */
  rows: Schema.NullOr(Schema.Array(Schema.Unknown)),
  allowed: Schema.Array(Schema.Unknown),
  is_member: Schema.Boolean,
  is_watched: Schema.Boolean,
  /** What flows know about what arrives, for `HeldRecords`; none when that was not read with the lock. */
  records: Schema.NullOr(Schema.Array(Schema.Unknown))
})
/** What is known. */
export type HeldEnvironment = typeof HeldEnvironment.Type

/** What the latest snapshot says; `running` is what its rows have been read as. */
export interface HeldSnapshot extends Pick<HeldEnvironment, "head" | "rows"> {
  readonly running: ReadonlyArray<SnapshotRow> | undefined
}

const keyOf = ({ environment }: EnvironmentRef): string => `environment ${environment}`
const snapshotKey = ({ environment }: EnvironmentRef): string => `snapshot of ${environment}`

/** Remembers what was read together with the lock; `running` are the rows when they were not. */
export const remember = (
  ref: EnvironmentRef,
  known: HeldEnvironment,
  running: HeldSnapshot["running"]
): Effect.Effect<void> =>
  SqlOrg.withHeld((held) => {
    const { head, rows } = known
    held?.set(keyOf(ref), known)
    held?.set(snapshotKey(ref), { head, rows, running } satisfies HeldSnapshot)
  })

/** Remembers what the rows of the latest snapshot have been read as. */
export const rememberRunning = (
  ref: EnvironmentRef,
  snapshot: HeldSnapshot,
  running: ReadonlyArray<SnapshotRow>
): Effect.Effect<void> =>
  SqlOrg.withHeld((held) => {
    held?.set(snapshotKey(ref), { ...snapshot, running } satisfies HeldSnapshot)
  })

/** Forgets all but the snapshot: the transaction has written what is allowed. */
export const forget = (ref: EnvironmentRef): Effect.Effect<void> =>
  SqlOrg.withHeld((held) => void held?.delete(keyOf(ref)))

/** Forgets the snapshot: the transaction has appended the next. */
export const forgetSnapshot = (ref: EnvironmentRef): Effect.Effect<void> =>
  SqlOrg.withHeld((held) => void held?.delete(snapshotKey(ref)))

/** What the transaction under way knows of an environment; nothing when it has not locked it. */
export const find = (
  ref: EnvironmentRef
): Effect.Effect<Omit<HeldEnvironment, "head" | "rows"> | undefined> =>
  SqlOrg.withHeld((held) => {
    const known = held?.get(keyOf(ref))
    // WHY: only `remember` writes under this key, and it writes nothing else.
    return known as HeldEnvironment | undefined
  })

/** The same of its latest snapshot. */
export const findSnapshot = (ref: EnvironmentRef): Effect.Effect<HeldSnapshot | undefined> =>
  SqlOrg.withHeld((held) => {
    const known = held?.get(snapshotKey(ref))
    // WHY: only `remember` and `rememberRunning` write under this key, and they write nothing else.
    return known as HeldSnapshot | undefined
  })
