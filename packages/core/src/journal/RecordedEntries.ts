/**
 * The numbers of the entries that the current write has recorded, for a caller that asks. They are taken from the
 * statements that draw them, so that the header costs no statement.
 *
 * What a transaction has undone is not among them, and a transaction that runs again tells what it recorded at last.
 * Nothing is kept where the caller does not ask.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** A place for the number of an entry; a store may fill it as late as its commit. */
export interface RecordedEntry {
  sequence: number | undefined
}

/** The entries of the current write, in their order; undefined where the caller does not ask. */
export class RecordedEntries extends Context.Reference<RecordedEntries>()(
  "@attestry/core/RecordedEntries",
  { defaultValue: (): Array<RecordedEntry> | undefined => undefined }
) {}

/** Tells the number of an entry. */
export const tell = (sequence: number): Effect.Effect<void> =>
  Effect.map(RecordedEntries, (recorded) => {
    recorded?.push({ sequence })
  })

/** Places for the numbers of the next entries, in their order, and what fills them. */
export const expect = (
  count: number
): Effect.Effect<{
  readonly places: ReadonlyArray<RecordedEntry>
  readonly fill: (sequences: ReadonlyArray<number>) => void
}> =>
  Effect.map(RecordedEntries, (recorded) => {
    const places = Array.from({ length: count }, (): RecordedEntry => ({ sequence: undefined }))
    recorded?.push(...places)
    return {
      places,
      fill: (sequences) => {
        for (const [at, place] of places.entries()) place.sequence = sequences[at]
      }
    }
  })

/** A transaction, by its work. */
type Run<S, A, E, R, E2> = (work: (scope: S) => Effect.Effect<A, E, R>) => Effect.Effect<A, E2, R>

/** Runs work in a transaction of a store; entries that the transaction undoes are told no longer. */
export const within = <S, A, E, R, E2>(
  run: Run<S, A, E, R, E2>,
  work: (scope: S) => Effect.Effect<A, E, R>
): Effect.Effect<A, E2, R> =>
  Effect.flatMap(RecordedEntries, (recorded) => {
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
 * Runs a write with services, and returns the numbers of what it recorded beside its value.
 *
 * WHY with services: providing is what a write costs most steps for, so all are provided at once.
 */
export const recordedBy = <A, E, R, S>(
  write: Effect.Effect<A, E, R>,
  services: Context.Context<S>
): Effect.Effect<
  { readonly value: A; readonly sequences: ReadonlyArray<number> },
  E,
  Exclude<R, S | RecordedEntries>
> =>
  Effect.suspend(() => {
    const recorded: Array<RecordedEntry> = []
    const provided = Effect.provide(write, Context.add(services, RecordedEntries, recorded))
    return Effect.map(provided, (value) => ({
      value,
      sequences: recorded.flatMap(({ sequence }) => (sequence === undefined ? [] : [sequence]))
    }))
  })
