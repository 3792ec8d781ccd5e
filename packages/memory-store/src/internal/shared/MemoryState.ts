/**
 * The one mutable cell: every table of the store, as persistent maps.
 *
 * A transaction works on a copy, which persistent maps make cheap, and commits it by replacing the cell. Writers are
 * serialized; readers outside of a transaction see the last commit. There is no write outside of the lock, because the
 * next commit would erase it. The lock is re-entrant, so that transactions can nest.
 */
import * as Timestamp from "@attestry/core/Timestamp"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"

/** A table's rows by key. */
export type Rows<V> = HashMap.HashMap<string, V>

/** The name of a table and the type of its rows; each adapter declares its own. */
export interface MemoryTable<V> {
  readonly name: string
  /** Never read: it has the type of the rows. */
  readonly rows?: Rows<V>
}

/** Declares a table. */
export const table = <V>(name: string): MemoryTable<V> => ({ name })

/** A key of several parts; names and ids contain no control characters, so it is unambiguous. */
export const key = (...parts: ReadonlyArray<string | number>): string => parts.join("\u0001")

type Tables = HashMap.HashMap<string, Rows<unknown>>

interface WorkingCopy {
  tables: Tables
  readonly now: Timestamp.Timestamp
  readonly isReadOnly: boolean
}

const instant = Effect.map(Clock.currentTimeNanos, (nanos) =>
  Timestamp.fromMicros(Number(nanos / 1000n))
)

class Working extends Context.Tag("@attestry/memory-store/Working")<Working, WorkingCopy>() {}

const rowsOf = <V>(tables: Tables, { name }: MemoryTable<V>): Rows<V> =>
  // WHY: a table's rows are only ever written through `modify` with that table's own type.
  Option.getOrElse(HashMap.get(tables, name), HashMap.empty) as Rows<V>

/** The state of a store in memory. */
export class MemoryState extends Effect.Service<MemoryState>()(
  "@attestry/memory-store/MemoryState",
  {
    effect: Effect.gen(function* () {
      const writers = yield* Effect.makeSemaphore(1)
      let committed: Tables = HashMap.empty()

      /** Runs the work on a copy and commits it; a nested transaction that fails undoes its own writes alone. */
      const transaction = <A, E, R>(
        work: (now: Timestamp.Timestamp) => Effect.Effect<A, E, R>
      ): Effect.Effect<A, E, R> =>
        Effect.flatMap(Effect.serviceOption(Working), (outer) =>
          Option.isSome(outer) ? nested(outer.value, work) : outermost(work)
        )

      const nested = <A, E, R>(
        copy: WorkingCopy,
        work: (now: Timestamp.Timestamp) => Effect.Effect<A, E, R>
      ): Effect.Effect<A, E, R> =>
        Effect.suspend(() => {
          const before = copy.tables
          return Effect.onError(work(copy.now), () =>
            Effect.sync(() => {
              copy.tables = before
            })
          )
        })

      const outermost = <A, E, R>(
        work: (now: Timestamp.Timestamp) => Effect.Effect<A, E, R>
      ): Effect.Effect<A, E, R> =>
        writers.withPermits(1)(
          Effect.uninterruptibleMask((restore) =>
            Effect.gen(function* () {
              const now = yield* instant
              const copy: WorkingCopy = { tables: committed, now, isReadOnly: false }
              const result = yield* restore(Effect.provideService(work(copy.now), Working, copy))
              committed = copy.tables
              return result
            })
          )
        )

      /** Runs reads on the tables of this moment, without waiting for writers; a write is a defect. */
      const snapshot = <A, E, R>(reads: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
        Effect.flatMap(Effect.serviceOption(Working), (outer) =>
          Option.isSome(outer)
            ? reads
            : Effect.flatMap(instant, (now) =>
                Effect.provideService(reads, Working, { tables: committed, now, isReadOnly: true })
              )
        )

      /** The rows of a table: those of the transaction inside of one, the committed ones outside. */
      const read = <V>(source: MemoryTable<V>): Effect.Effect<Rows<V>> =>
        Effect.map(Effect.serviceOption(Working), (working) =>
          rowsOf(Option.isSome(working) ? working.value.tables : committed, source)
        )

      /** Replaces the rows of a table; outside of a transaction it runs in one of its own. */
      const modify = <V, A>(
        target: MemoryTable<V>,
        change: (rows: Rows<V>) => readonly [A, Rows<V>]
      ): Effect.Effect<A> =>
        transaction(() =>
          Effect.flatMap(Working, (copy) => {
            if (copy.isReadOnly) return Effect.dieMessage("a snapshot was asked to write")
            const [result, rows] = change(rowsOf(copy.tables, target))
            copy.tables = HashMap.set(copy.tables, target.name, rows)
            return Effect.succeed(result)
          }).pipe(Effect.provideServiceEffect(Working, workingOrDie))
        )

      /** Every table with its rows, as of the last commit. */
      const tables = Effect.sync(() => committed)

      return { transaction, snapshot, read, modify, tables } as const
    })
  }
) {}

/** INVARIANT: `transaction` provides the copy to the work inside it. */
const workingOrDie: Effect.Effect<WorkingCopy> = Effect.flatMap(
  Effect.serviceOption(Working),
  Option.match({
    onNone: () => Effect.dieMessage("a write ran outside of a transaction"),
    onSome: Effect.succeed
  })
)
