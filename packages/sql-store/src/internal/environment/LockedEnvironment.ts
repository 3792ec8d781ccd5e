/**
 * What a transaction has read together with the lock of an environment: its latest snapshot, what is allowed, whether
 * a logical environment includes it, and whether the org has environment notifications.
 *
 * INVARIANT: every writer of these holds the environment's lock, and a logical environment that takes a member waits
 * for it; so they stay true until the transaction ends or writes them itself, which deletes them here.
 */
import type { EnvironmentRef } from "@attestry/core/Environment"
import type { OrgId } from "@attestry/core/Identifier"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as TransactionCache from "../transaction/TransactionCache.js"

/** The state of a locked environment; each part is decoded by the store that it belongs to. */
export const LockedEnvironment = Schema.Struct({
  head: Schema.Unknown,
  /** Null when the caller has them cached. */
  rows: Schema.NullOr(Schema.Array(Schema.Unknown)),
  allowed: Schema.Array(Schema.Unknown),
  is_member: Schema.Boolean,
  /** Whether the org has environment notifications. */
  is_watched: Schema.Boolean
})
/** The state of a locked environment. */
export type LockedEnvironment = typeof LockedEnvironment.Type

/** The latest snapshot of a locked environment. */
export type LockedSnapshot = Pick<LockedEnvironment, "head" | "rows">

const environments = TransactionCache.make<LockedEnvironment>("environment")
const snapshots = TransactionCache.make<LockedSnapshot>("snapshot of")
const watched = TransactionCache.make<boolean>("notifications of")

/** Caches what was read together with the lock. */
export const set = (
  { org, environment }: EnvironmentRef,
  state: LockedEnvironment
): Effect.Effect<void> =>
  Effect.all(
    [
      environments.set(environment, state),
      snapshots.set(environment, state),
      watched.set(org, state.is_watched)
    ],
    { discard: true }
  )

/** Whether the org has environment notifications, if the current transaction has read it. */
export const isWatched = (org: OrgId): Effect.Effect<boolean | undefined> => watched.get(org)

/** Deletes all but the snapshot: the transaction has written what is allowed. */
export const deleteAllowed = ({ environment }: EnvironmentRef): Effect.Effect<void> =>
  environments.delete(environment)

/** Deletes the snapshot: the transaction has appended the next. */
export const deleteSnapshot = ({ environment }: EnvironmentRef): Effect.Effect<void> =>
  snapshots.delete(environment)

/** The state of an environment that the current transaction has locked. */
export const get = ({
  environment
}: EnvironmentRef): Effect.Effect<Omit<LockedEnvironment, "head" | "rows"> | undefined> =>
  environments.get(environment)

/** The latest snapshot of an environment that the current transaction has locked. */
export const getSnapshot = ({
  environment
}: EnvironmentRef): Effect.Effect<LockedSnapshot | undefined> => snapshots.get(environment)
