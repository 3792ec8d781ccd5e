/**
 * Two servers on one database, and waits that a test forces: every entry of the journal waits while the test
 * holds its kind, which is the last thing that a transaction does before it commits.
 */
import type { Ports } from "@attestry/core/Ports"
import type { StoreError } from "@attestry/core/StoreError"
import type { UseCases } from "@attestry/core/UseCases"
import { Context, Effect, Fiber, Layer } from "effect"
import * as PgLayer from "../shared/PgLayer.js"
import * as UseCaseLayer from "../shared/UseCaseLayer.js"

type Services = UseCases | Ports

/** Two servers and a way to hold back what they write. */
export class Servers extends Context.Tag("@attestry/sql-store/test/Servers")<
  Servers,
  {
    /** Runs a request on one of the servers. */
    readonly on: (
      server: 0 | 1
    ) => <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, Exclude<R, Services>>
    /** Lets every transaction wait that records such an entry, just before it commits, while `work` runs. */
    readonly holding: <A, E, R>(
      kind: string,
      work: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E, R>
    /** How many connections to the database wait for a lock. */
    readonly waiting: Effect.Effect<number>
  }
>() {}

/** WHY a short `deadlock_timeout`: two that wait for each other are begun again, sooner than by default. */
const SETUP = `
  create function hold_entry() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(hashtext('hold'), hashtext(new.kind));
      return new;
    end $$;
  create trigger hold_entry before insert on journal for each row execute function hold_entry();
  do $$ begin
    execute format('alter database %I set deadlock_timeout to ''50ms''', current_database());
  end $$`

/** Every fingerprint that runs anywhere counts as one that runs in very many environments. */
const WIDE = `
  do $$ begin
    execute format('alter database %I set attestry.wide_above to ''0''', current_database());
  end $$`

const make = Effect.fn(function* (setup: string) {
  const { url, query } = yield* PgLayer.TestDatabase
  // WHY here and below: a database that cannot be asked fails the test.
  yield* Effect.orDie(query(setup))
  const server = Layer.build(UseCaseLayer.layer(PgLayer.layerOn({ url })))
  const [first, second] = [yield* server, yield* server]
  const holder = yield* PgLayer.connect(url)
  const hold = (call: string, kind: string) =>
    Effect.promise(() => holder.query(`select ${call}(hashtext('hold'), hashtext($1))`, [kind]))
  return Servers.of({
    on: (at) => Effect.provide(at === 0 ? first : second),
    holding: (kind, work) =>
      Effect.acquireUseRelease(
        hold("pg_advisory_lock", kind),
        () => work,
        () => hold("pg_advisory_unlock", kind)
      ),
    waiting: Effect.map(
      Effect.orDie(
        query(`select count(*)::int4 as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`)
      ),
      ([row]) => Number(row?.waiting)
    )
  })
})

const layerOf = (setup: string): Layer.Layer<Servers | PgLayer.TestDatabase, StoreError> =>
  Layer.provideMerge(Layer.scoped(Servers, make(setup)), PgLayer.layerDatabase)

/** Two servers on a fresh database. */
export const layer = layerOf(SETUP)

/** The same, where evidence about what runs anywhere locks no environment. */
export const layerWide = layerOf(`${SETUP}; ${WIDE}`)

/** Goes on when the work is done, or when so many connections wait for locks. */
export const untilDoneOrWaiting = <A, E>(work: Fiber.Fiber<A, E>, connections: number) =>
  Effect.flatMap(Servers, ({ waiting }) =>
    Effect.race(
      Effect.asVoid(Fiber.await(work)),
      Effect.repeat(Effect.delay(waiting, "5 millis"), { until: (count) => count >= connections })
    )
  )
