/**
 * The outcome of the current write, for a caller that asks for it. Results of use cases stay as they are, and only
 * requests that ask pay for it.
 *
 * A use case sets the outcome of the one resource that it is about. An outcome replaces an earlier one, so a
 * transaction that runs again leaves the outcome of its last run. Nothing is read or kept if the caller does not ask.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { WriteOutcome } from "./WriteOutcome.js"

/** The outcome of the current write; undefined where the caller does not ask for it. */
export class CurrentOutcome extends Context.Reference<CurrentOutcome>()(
  "@attestry/core/CurrentOutcome",
  {
    defaultValue: (): { last: WriteOutcome | undefined } | undefined => undefined
  }
) {}

/** Sets the outcome of the current write. */
export const setOutcome = (outcome: WriteOutcome): Effect.Effect<void> =>
  Effect.map(CurrentOutcome, (slot) => {
    if (slot !== undefined) slot.last = outcome
  })

/** Sets the outcome of a write to a resource with an id and a name. */
export const setOutcomeOf = (
  type: WriteOutcome["type"],
  { id, name }: { readonly id: string; readonly name: string },
  result: WriteOutcome["result"]
): Effect.Effect<void> => setOutcome({ type, id, name, result })

/** Sets an outcome that has to be read first; reads nothing if the caller does not ask. */
export const setOutcomeFrom = <E, R>(
  read: Effect.Effect<WriteOutcome, E, R>
): Effect.Effect<void, E, R> =>
  Effect.flatMap(CurrentOutcome, (slot) =>
    slot === undefined ? Effect.void : Effect.flatMap(read, setOutcome)
  )

/** Runs a write, and returns its outcome beside its value. */
export const withOutcome = <A, E, R>(
  write: Effect.Effect<A, E, R>
): Effect.Effect<{ readonly value: A; readonly outcome: WriteOutcome | undefined }, E, R> =>
  Effect.suspend(() => {
    const slot: { last: WriteOutcome | undefined } = { last: undefined }
    return Effect.map(Effect.provideService(write, CurrentOutcome, slot), (value) => ({
      value,
      outcome: slot.last
    }))
  })
