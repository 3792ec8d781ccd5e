/**
 * The numbers of the entries that the current write has recorded, for a caller that asks. They are taken from the
 * statements that draw them, so that the header costs no statement.
 *
 * Contract of a store: `Transaction.run` runs its work by `within`. Then entries that a transaction has undone are not
 * among the numbers, and a transaction that runs again leaves those of its last run. `JournalSequencesSuite` tests it.
 * Nothing is kept if the caller does not ask.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** A place for the number of an entry; a store may fill it as late as its commit. */
export interface JournalSequence {
  readonly sequence: number | undefined
}

/** The entries of the current write, in their order; undefined where the caller does not ask. */
export class JournalSequences extends Context.Reference<JournalSequences>()(
  "@attestry/core/JournalSequences",
  { defaultValue: (): Array<JournalSequence> | undefined => undefined }
) {}

/** Adds the numbers of entries. */
export const add = (...entries: ReadonlyArray<JournalSequence>): Effect.Effect<void> =>
  Effect.map(JournalSequences, (recorded) => {
    recorded?.push(...entries)
  })

/** Empty places for the numbers of entries, in their order, and the function with which a store fills them. */
export const makePlaces = (
  count: number
): {
  readonly places: ReadonlyArray<JournalSequence>
  readonly fill: (sequences: ReadonlyArray<number>) => void
} => {
  const places = Array.from({ length: count }, (): { sequence: number | undefined } => ({
    sequence: undefined
  }))
  return {
    places,
    fill: (sequences) => {
      for (const [at, place] of places.entries()) place.sequence = sequences[at]
    }
  }
}

/** A transaction, by its work. */
type Run<S, A, E, R, E2> = (work: (scope: S) => Effect.Effect<A, E, R>) => Effect.Effect<A, E2, R>

/** Runs work in a transaction of a store; entries that the transaction undoes are removed. */
export const within = <S, A, E, R, E2>(
  run: Run<S, A, E, R, E2>,
  work: (scope: S) => Effect.Effect<A, E, R>
): Effect.Effect<A, E2, R> =>
  Effect.flatMap(JournalSequences, (recorded) => {
    if (recorded === undefined) return run(work)
    const before = recorded.length
    const forget = () => {
      recorded.length = before
    }
    return Effect.onError(
      run((scope) => {
        forget()
        return work(scope)
      }),
      () => Effect.sync(forget)
    )
  })

/**
 * Runs a write with services, and returns the numbers of its entries beside its value.
 *
 * WHY with services: providing is what a write costs most steps for, so all are provided at once.
 */
export const withSequences = <A, E, R, S>(
  write: Effect.Effect<A, E, R>,
  services: Context.Context<S>
): Effect.Effect<
  { readonly value: A; readonly sequences: ReadonlyArray<number> },
  E,
  Exclude<R, S | JournalSequences>
> =>
  Effect.suspend(() => {
    const recorded: Array<JournalSequence> = []
    const provided = Effect.provide(write, Context.add(services, JournalSequences, recorded))
    return Effect.map(provided, (value) => ({
      value,
      sequences: recorded.flatMap(({ sequence }) => (sequence === undefined ? [] : [sequence]))
    }))
  })
