/** How transactions on PostgreSQL end: committed, rolled back, retried or cancelled, and never halfway. */
import { FlowStore } from "@attestry/core/FlowStore"
import { OrgId } from "@attestry/core/Identifier"
import { StoreError } from "@attestry/core/StoreError"
import { Transaction } from "@attestry/core/Transaction"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Option } from "effect"
import * as PgLayer from "../shared/PgLayer.js"

const prepare = Effect.gen(function* () {
  const org = yield* Fixture.org
  const flow = yield* Fixture.newFlow(org)
  const store = yield* FlowStore
  return {
    org: org.id,
    flow,
    write: store.insert(flow),
    saved: Effect.map(store.findByName({ org: org.id, name: flow.name }), Option.isSome),
    sql: yield* SqlClient.SqlClient,
    database: yield* PgLayer.TestDatabase,
    transaction: yield* Transaction
  }
})

const operationOf = (error: unknown): unknown =>
  error instanceof StoreError ? error.operation : error

/** Fails the first times with this SQLSTATE, and counts how often it is run. */
const flaky = (sql: SqlClient.SqlClient, code: string, times: number) => {
  const runs = { count: 0 }
  const raise = sql.literal(`do $$ begin raise exception using errcode = '${code}'; end $$`)
  const work = Effect.suspend(() => {
    runs.count += 1
    return runs.count <= times ? Effect.asVoid(sql`${raise}`) : Effect.void
  })
  return { runs, work }
}

layer(PgLayer.layer, { excludeTestServices: true })("TenantTransaction: errors", (it) => {
  it.effect("does not report success when the work has swallowed a database error", () =>
    Effect.gen(function* () {
      const { org, write, saved, sql, transaction } = yield* prepare
      const failed = yield* Effect.flip(
        transaction.run(org, () => Effect.zipRight(write, Effect.either(sql`select 1 / 0`)))
      )
      assert.strictEqual(operationOf(failed), "commit")
      assert.strictEqual(yield* saved, false)
    })
  )

  it.effect("undoes only the inner work that has swallowed a database error", () =>
    Effect.gen(function* () {
      const { org, write, saved, sql, transaction } = yield* prepare
      const inner = transaction.run(org, () => Effect.either(sql`select 1 / 0`))
      const failed = yield* transaction.run(org, () => Effect.zipRight(write, Effect.flip(inner)))
      assert.strictEqual(operationOf(failed), "release savepoint attestry_1")
      assert.strictEqual(yield* saved, true)
    })
  )

  it.effect("fails as the work does when a database error is not swallowed", () =>
    Effect.gen(function* () {
      const { org, write, saved, sql, transaction } = yield* prepare
      const failed = yield* Effect.flip(
        transaction.run(org, () => Effect.zipRight(write, sql`select 1 / 0`))
      )
      assert.strictEqual(failed._tag, "SqlError")
      assert.strictEqual(yield* saved, false)
    })
  )

  it.effect("turns a COMMIT that fails into a StoreError, and saves nothing", () =>
    Effect.gen(function* () {
      const { org, write, saved, sql, database, transaction } = yield* prepare
      yield* database.query("create table late (id int primary key deferrable initially deferred)")
      yield* database.query("grant insert on late to attestry_app")
      const failed = yield* Effect.flip(
        transaction.run(org, () => Effect.zipRight(write, sql`insert into late values (1), (1)`))
      )
      assert.strictEqual(operationOf(failed), "commit")
      assert.strictEqual(yield* saved, false)
    })
  )

  it.effect("binds an org id as a value, whatever it contains", () =>
    Effect.gen(function* () {
      const { sql, transaction } = yield* prepare
      const org = OrgId.make("x', true); drop table flow; --")
      const named = yield* transaction.run(
        org,
        () =>
          sql`select current_setting('attestry.org_id') as org, (select count(*) from flow) as flows`
      )
      assert.deepStrictEqual(named, [{ org, flows: 0 }])
    })
  )

  it.effect("dies when a transaction of one org is asked to work on another", () =>
    Effect.gen(function* () {
      const { org, write, saved, transaction } = yield* prepare
      const other = yield* Fixture.org
      const inner = transaction.run(other.id, () => Effect.void)
      const exit = yield* Effect.exit(transaction.run(org, () => Effect.zipRight(write, inner)))
      assert.strictEqual(Exit.isFailure(exit) && Cause.isDie(exit.cause), true)
      assert.strictEqual(yield* saved, false)
    })
  )
})

layer(PgLayer.layer, { excludeTestServices: true })("TenantTransaction: retries", (it) => {
  for (const code of ["40001", "40P01"]) {
    it.effect(`does the work again, up to three times in all, after ${code}`, () =>
      Effect.gen(function* () {
        const { org, write, saved, sql, transaction } = yield* prepare
        const { runs, work } = flaky(sql, code, 2)
        yield* transaction.run(org, () => Effect.zipRight(write, work))
        assert.strictEqual(runs.count, 3)
        assert.strictEqual(yield* saved, true)
      })
    )

    it.effect(`gives up after the third ${code}`, () =>
      Effect.gen(function* () {
        const { org, write, saved, sql, transaction } = yield* prepare
        const { runs, work } = flaky(sql, code, 3)
        yield* Effect.flip(transaction.run(org, () => Effect.zipRight(write, work)))
        assert.strictEqual(runs.count, 3)
        assert.strictEqual(yield* saved, false)
      })
    )
  }

  it.effect("does not retry work that fails for another reason", () =>
    Effect.gen(function* () {
      const { org, sql, transaction } = yield* prepare
      const { runs, work } = flaky(sql, "23505", 1)
      yield* Effect.flip(transaction.run(org, () => work))
      assert.strictEqual(runs.count, 1)
    })
  )

  it.effect("retries the work when only the COMMIT conflicts", () =>
    Effect.gen(function* () {
      const { org, write, saved, sql, database, transaction } = yield* prepare
      yield* database.query(`create sequence tries;
        create table checked (id int);
        create function conflict() returns trigger language plpgsql security definer as $$ begin
          if nextval('attestry.tries') < 3 then raise exception using errcode = '40001'; end if;
          return null;
        end $$;
        create constraint trigger conflict after insert on checked deferrable initially deferred
          for each row execute function conflict();
        grant insert on checked to attestry_app`)
      yield* transaction.run(org, () => Effect.zipRight(write, sql`insert into checked values (1)`))
      assert.strictEqual(yield* saved, true)
      assert.deepStrictEqual(yield* database.query("select * from checked"), [{ id: 1 }])
    })
  )

  it.effect("lets both of two writers that lock in opposite orders succeed", () =>
    Effect.gen(function* () {
      const store = yield* FlowStore
      const transaction = yield* Transaction
      const org = yield* Fixture.org
      const [one, two] = [yield* Fixture.flow(org, "one"), yield* Fixture.flow(org, "two")]
      const met = yield* Effect.makeLatch()
      const waiting = { count: 0 }
      const meet = Effect.suspend(() => {
        waiting.count += 1
        return waiting.count === 2 ? met.open : met.await
      })
      const lock = ({ name }: typeof one) => store.lock({ org: org.id, name })
      const lockBoth = (first: typeof one, second: typeof one) =>
        transaction.run(org.id, () =>
          Effect.zipRight(Effect.zipRight(lock(first), meet), lock(second))
        )
      const both = yield* Effect.all([lockBoth(one, two), lockBoth(two, one)], { concurrency: 2 })
      assert.deepStrictEqual(both.map(Option.getOrNull), [two, one])
    })
  )
})

layer(PgLayer.layerWith({ connectionsMax: 1 }), { excludeTestServices: true })(
  "TenantTransaction: connections",
  (it) => {
    const busy = "select count(*)::int4 as n from pg_stat_activity where query = $1 and state = $2"

    it.effect(
      "cancels a query that is interrupted, also when no connection is free, and rolls back",
      () =>
        Effect.gen(function* () {
          const { org, write, saved, sql, database, transaction } = yield* prepare
          const sleeping = (n: number) =>
            Effect.repeat(database.query(busy, ["select pg_sleep(600)", "active"]), {
              until: ([row]) => row?.n === n
            })
          const fiber = yield* Effect.fork(
            transaction.run(org, () => Effect.zipRight(write, sql`select pg_sleep(600)`))
          )
          yield* sleeping(1)
          const exit = yield* Fiber.interrupt(fiber)
          assert.strictEqual(Exit.isInterrupted(exit), true)
          yield* sleeping(0)
          assert.strictEqual(yield* saved, false)
        })
    )

    it.effect("gives back a connection that names no org and has no open transaction", () =>
      Effect.gen(function* () {
        const { org, write, sql, transaction } = yield* prepare
        const endings = [Effect.void, Effect.fail("no"), Effect.die("a bug"), Effect.interrupt]
        yield* Effect.forEach(endings, (end) =>
          Effect.exit(transaction.run(org, () => Effect.zipRight(write, end)))
        )
        const looks = yield* Effect.all(
          Array.from(
            { length: 4 },
            () => sql`select coalesce(current_setting('attestry.org_id', true), '') as org,
              now() = statement_timestamp() as alone`
          ),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(looks, Array(4).fill([{ org: "", alone: true }]))
      })
    )
  }
)

layer(PgLayer.layer, { excludeTestServices: true })(
  "TenantTransaction: a statement by itself",
  (it) => {
    const stillOpen = Effect.flatMap(PgLayer.TestDatabase, ({ query }) =>
      query(`select state from pg_stat_activity
      where datname = current_database() and application_name = 'attestry' and state <> 'idle'`)
    )

    it.effect("sees only its org, and is committed", () =>
      Effect.gen(function* () {
        const { flow, write, saved } = yield* prepare
        const store = yield* FlowStore
        const other = yield* Fixture.org
        yield* write
        assert.isTrue(yield* saved)
        const found = yield* store.findByName({ org: other.id, name: flow.name })
        assert.isTrue(Option.isNone(found))
        assert.deepStrictEqual(yield* stillOpen, [])
      })
    )

    it.effect("leaves nothing open when it fails", () =>
      Effect.gen(function* () {
        const { flow } = yield* prepare
        const store = yield* FlowStore
        const failed = yield* Effect.flip(store.insert({ ...flow, org_id: OrgId.make("nobody") }))
        assert.strictEqual(operationOf(failed), "FlowStore.insert")
        assert.deepStrictEqual(yield* stillOpen, [])
      })
    )

    it.scoped("leaves nothing open when it is interrupted", () =>
      Effect.gen(function* () {
        const { database, saved } = yield* prepare
        const blocker = yield* PgLayer.connect(database.url)
        yield* Effect.promise(() =>
          blocker.query("begin; lock table flow in access exclusive mode")
        )
        const waiting = yield* Effect.fork(saved)
        yield* Effect.repeat(stillOpen, { until: ({ length }) => length === 1 })
        assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(waiting)))
        yield* Effect.promise(() => blocker.query("rollback"))
        assert.deepStrictEqual(yield* stillOpen, [])
      })
    )
  }
)
