/**
 * What a transaction knows of an environment that it has locked: its latest snapshot, what runs, what is
 * allowed, whether a logical environment holds it, and whether anybody is to be told about snapshots.
 *
 * INVARIANT: whoever writes any of these holds the environment's lock, and a logical environment that takes
 * a member waits for it; so what was read together with the lock stays true until the transaction ends or
 * writes itself, which forgets it.
 */
import type { EnvironmentRef } from "@attestry/core/Environment"
import type { OrgId } from "@attestry/core/Identifier"
import type { SnapshotRow } from "@attestry/core/Snapshot"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as TransactionCache from "../shared/TransactionCache.js"

/** What is known; each part is read by the store that it belongs to. */
export const LockedEnvironment = Schema.Struct({
  head: Schema.Unknown,
  /** None when the process remembers them. */
  rows: Schema.NullOr(Schema.Array(Schema.Unknown)),
  allowed: Schema.Array(Schema.Unknown),
  is_member: Schema.Boolean,
  /** Whether the org has environment notifications. */
  is_watched: Schema.Boolean,
  records: Schema.Null
})
/** What is known. */
export type LockedEnvironment = typeof LockedEnvironment.Type

/** What the latest snapshot says; `running` is what its rows have been read as. */
export interface HeldSnapshot extends Pick<LockedEnvironment, "head" | "rows"> {
  readonly running: ReadonlyArray<SnapshotRow> | undefined
}

const environments = TransactionCache.make<LockedEnvironment>("environment")
const snapshots = TransactionCache.make<HeldSnapshot>("snapshot of")
const watched = TransactionCache.make<boolean>("notifications of")

/** Remembers what was read together with the lock; `running` are the rows when they were not. */
export const remember = (
  { org, environment }: EnvironmentRef,
  known: LockedEnvironment,
  running: HeldSnapshot["running"]
): Effect.Effect<void> => {
  const { head, rows, is_watched } = known
  return Effect.all(
    [
      environments.remember(environment, known),
      snapshots.remember(environment, { head, rows, running }),
      watched.remember(org, is_watched)
    ],
    { discard: true }
  )
}

/** Whether the org has environment notifications, where the transaction under way knows it. */
export const isWatched = (org: OrgId): Effect.Effect<boolean | undefined> => watched.find(org)

/** Remembers what the rows of the latest snapshot have been read as. */
export const rememberRunning = (
  { environment }: EnvironmentRef,
  snapshot: HeldSnapshot,
  running: ReadonlyArray<SnapshotRow>
): Effect.Effect<void> => snapshots.remember(environment, { ...snapshot, running })

/** Forgets all but the snapshot: the transaction has written what is allowed. */
export const forget = ({ environment }: EnvironmentRef): Effect.Effect<void> =>
  environments.forget(environment)

/** Forgets the snapshot: the transaction has appended the next. */
export const forgetSnapshot = ({ environment }: EnvironmentRef): Effect.Effect<void> =>
  snapshots.forget(environment)

/** What the transaction under way knows of an environment; nothing when it has not locked it. */
export const find = ({
  environment
}: EnvironmentRef): Effect.Effect<Omit<LockedEnvironment, "head" | "rows"> | undefined> =>
  environments.find(environment)

/** The same of its latest snapshot. */
export const findSnapshot = ({
  environment
}: EnvironmentRef): Effect.Effect<HeldSnapshot | undefined> => snapshots.find(environment)
