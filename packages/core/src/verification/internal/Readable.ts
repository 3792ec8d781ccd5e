/** Reads of verification: a record that cannot be decoded is a finding, and every other failure stays one. */
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import type { StoreError } from "../../shared/StoreError.js"

/** What was read; none where a record has values that its schema does not know. */
export const readable = <A, R>(
  read: Effect.Effect<A, StoreError, R>
): Effect.Effect<Option.Option<A>, StoreError, R> =>
  Effect.catchIf(
    Effect.asSome(read),
    ({ cause }) => ParseResult.isParseError(cause),
    () => Effect.succeedNone
  )
