/**
 * What a database error means to us. `SqlError` does not leave this package.
 *
 * Two kinds matter: a passing conflict, which is retried, and everything else, which is a `StoreError`.
 */
import { StoreError } from "@attestry/core/StoreError"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import type * as ParseResult from "effect/ParseResult"
import * as Predicate from "effect/Predicate"

/** Serialization failure and deadlock: the work may simply be done again. */
const TRANSIENT_CODES: ReadonlyArray<unknown> = ["40001", "40P01"]

/** Whether an error, or what caused it, is a passing conflict between transactions. */
export const isTransient = (error: unknown): boolean =>
  Predicate.isRecord(error) && (TRANSIENT_CODES.includes(error.code) || isTransient(error.cause))

/** Names the operation that failed, and hides how. */
export const toStoreError =
  (operation: string) =>
  <A, R>(
    effect: Effect.Effect<A, SqlError | ParseResult.ParseError | StoreError, R>
  ): Effect.Effect<A, StoreError, R> =>
    Effect.mapError(effect, (cause) =>
      cause instanceof StoreError ? cause : new StoreError({ operation, cause })
    )
