/**
 * Reads of verification: a value that cannot be read is a finding, and every other failure stays one.
 *
 * A statement that the store refuses because of a stored value ends the transaction that it is in. Work is therefore
 * done once as it is and, where a statement was refused, once more with each read for itself.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import { UnreadableValue } from "../DamagedRecords.js"
import type { OrgId } from "../Identifier.js"
import type { StoreError } from "../StoreError.js"
import type { Transaction } from "../Transaction.js"

type Snapshots = Transaction["Type"]

/** How each read is done for itself; undefined while reads are part of the work around them. */
class Separate extends Context.Reference<Separate>()("@attestry/core/SeparateReads", {
  defaultValue: ():
    | (<A, R>(read: Effect.Effect<A, StoreError, R>) => Effect.Effect<A, StoreError, R>)
    | undefined => undefined
}) {}

const isDecoding = (cause: unknown): boolean =>
  ParseResult.isParseError(cause) || cause instanceof SyntaxError

const isDamage = (cause: unknown): boolean => isDecoding(cause) || cause instanceof UnreadableValue

/** None in the place of a failure of one kind, and of a defect. */
const noneAt = <A, R>(
  work: Effect.Effect<A, StoreError, R>,
  isKind: (cause: unknown) => boolean
): Effect.Effect<Option.Option<A>, StoreError, R> =>
  Effect.asSome(work).pipe(
    Effect.catchIf(
      ({ cause }) => isKind(cause),
      () => Effect.succeedNone
    ),
    // WHY: a stored document that no writer has written can make any step throw; the caller makes a finding of `none`.
    Effect.catchAllDefect(() => Effect.succeedNone)
  )

/** What was read; none where a value cannot be. */
export const readable = <A, R>(
  read: Effect.Effect<A, StoreError, R>
): Effect.Effect<Option.Option<A>, StoreError, R> =>
  Effect.flatMap(Separate, (separate) =>
    separate === undefined ? noneAt(read, isDecoding) : noneAt(separate(read), isDamage)
  )

/** What work gives; where a value cannot be read, what it gives with each `readable` for itself, or nothing. */
export const attempt = <A, R>(
  { snapshot }: Pick<Snapshots, "snapshot">,
  org: OrgId,
  work: Effect.Effect<A, StoreError, R>
): Effect.Effect<Option.Option<A>, StoreError, R> =>
  Effect.gen(function* () {
    const first = yield* noneAt(snapshot(org, work), isDamage)
    if (Option.isSome(first)) return first
    const separately = Effect.provideService(work, Separate, (read) => snapshot(org, read))
    return yield* noneAt(snapshot(org, separately), isDamage)
  })
