/**
 * What the current write did, for a caller that asks. Results of use cases stay as they are, and only requests that ask
 * pay for it.
 *
 * A use case tells the outcome of the one resource that it is about; an outcome replaces an earlier one, so a
 * transaction that runs again tells what it did at last. Nothing is read or kept where the caller does not ask.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { WriteOutcome } from "./WriteOutcome.js"

/** The outcome of the current write; undefined where the caller does not ask for it. */
export class ToldOutcome extends Context.Reference<ToldOutcome>()("@attestry/core/ToldOutcome", {
  defaultValue: (): { last: WriteOutcome | undefined } | undefined => undefined
}) {}

/** Tells what the current write did. */
export const tell = (outcome: WriteOutcome): Effect.Effect<void> =>
  Effect.map(ToldOutcome, (told) => {
    if (told !== undefined) told.last = outcome
  })

/** Tells what the current write did to a resource with an id and a name. */
export const tellOf = (
  type: WriteOutcome["type"],
  { id, name }: { readonly id: string; readonly name: string },
  result: WriteOutcome["result"]
): Effect.Effect<void> => tell({ type, id, name, result })

/** Tells what has to be read for it; reads nothing where the caller does not ask. */
export const tellFrom = <E, R>(
  read: Effect.Effect<WriteOutcome, E, R>
): Effect.Effect<void, E, R> =>
  Effect.flatMap(ToldOutcome, (told) =>
    told === undefined ? Effect.void : Effect.flatMap(read, tell)
  )

/** Runs a write, and returns what it told beside its value. */
export const told = <A, E, R>(
  write: Effect.Effect<A, E, R>
): Effect.Effect<{ readonly value: A; readonly outcome: WriteOutcome | undefined }, E, R> =>
  Effect.suspend(() => {
    const slot: { last: WriteOutcome | undefined } = { last: undefined }
    return Effect.map(Effect.provideService(write, ToldOutcome, slot), (value) => ({
      value,
      outcome: slot.last
    }))
  })
