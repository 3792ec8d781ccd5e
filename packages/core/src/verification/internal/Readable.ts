/** Reads of verification: a record that cannot be decoded is a finding, and every other failure stays one. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import type { StoreError } from "../../shared/StoreError.js"

const isDamage = (cause: unknown): boolean =>
  ParseResult.isParseError(cause) || cause instanceof SyntaxError

/** What was read; none where a record has values that its schema does not know, or text that is no JSON. */
export const readable = <A, R>(
  read: Effect.Effect<A, StoreError, R>
): Effect.Effect<Option.Option<A>, StoreError, R> =>
  Effect.asSome(read).pipe(
    Effect.catchIf(
      ({ cause }) => isDamage(cause),
      () => Effect.succeedNone
    ),
    // WHY: documents of rows are parsed without a schema, for which a damaged one is a defect.
    Effect.catchSomeDefect((cause) =>
      isDamage(cause) ? Option.some(Effect.succeedNone) : Option.none()
    )
  )
