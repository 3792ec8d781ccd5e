/** Transactions that begin with the same lock are batched where possible, and never change each other's outcome. */
import type { Artifact } from "@attestry/core/Artifact"
import { ArtifactStore } from "@attestry/core/ArtifactStore"
import { OrgId } from "@attestry/core/Identifier"
import { StoreError } from "@attestry/core/StoreError"
import type { Trail } from "@attestry/core/Trail"
import { TrailStore } from "@attestry/core/TrailStore"
import { Transaction } from "@attestry/core/Transaction"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import { assert, layer } from "@effect/vitest"
import { Cause, Effect, Either, Exit, Fiber, Option, Stream } from "effect"
import * as GroupCommit from "../../src/internal/transaction/GroupCommit.js"
import * as PgLayer from "../shared/PgLayer.js"

type Also = (artifact: Artifact) => Effect.Effect<unknown, unknown>

/** A connection that answers every statement with one empty row. */
const NOWHERE: Connection = {
  execute: () => Effect.succeed([{}]),
  executeRaw: () => Effect.succeed([]),
  executeValues: () => Effect.succeed([]),
  executeUnprepared: () => Effect.succeed([]),
  executeStream: () => Stream.empty
}

/** A lock that is always granted. */
const makeStatement = (sql: SqlClient.SqlClient): GroupCommit.LockStatement<string, string> => ({
  operation: "test",
  keyOf: (key) => key,
  compile: () => sql`select 1`,
  read: (rows) => Effect.succeed(rows.map(() => Option.some("locked")))
})

/** One turn of the event loop. */
const turn = Effect.async<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})

const nothing: Also = () => Effect.void

/** An org with trails, and how use cases report on them. */
const prepare = (count: number) =>
  Effect.gen(function* () {
    const org = yield* Fixture.org
    const flow = yield* Fixture.flow(org)
    const names = Array.from({ length: count }, (_, index) => `run-${index}`)
    const trails = yield* Effect.forEach(names, (name) => Fixture.trail(flow, name))
    const store = yield* TrailStore
    const artifacts = yield* ArtifactStore
    const transaction = yield* Transaction
    const sql = yield* SqlClient.SqlClient
    const { query } = yield* PgLayer.TestDatabase
    const lock = ({ name }: Trail) =>
      Effect.map(store.lockWithFlow({ org: org.id, flow: flow.name, name }), Option.isSome)
    const write = (artifact: Artifact, trail: Trail, also: Also) =>
      transaction.run(org.id, () =>
        Effect.gen(function* () {
          assert.isTrue(yield* lock(trail))
          yield* artifacts.append(artifact)
          return yield* also(artifact)
        })
      )
    const report = (trail: Trail, also = nothing) =>
      Effect.flatMap(Fixture.newArtifact(trail, 1), (artifact) => write(artifact, trail, also))
    return {
      org: org.id,
      trails,
      sql,
      artifacts,
      transaction,
      lock,
      write,
      report,
      reportAll: (also = nothing) =>
        Effect.forEach(trails, (trail) => Effect.either(report(trail, also)), {
          concurrency: "unbounded"
        }),
      /** One after another, each one turn of the event loop after the one before. */
      reportTurnByTurn: Effect.gen(function* () {
        const fibers = yield* Effect.forEach(trails, (trail) =>
          Effect.zipLeft(Effect.fork(report(trail)), turn)
        )
        for (const fiber of fibers) yield* Fiber.join(fiber)
      }),
      /** How many trails have how many records. */
      saved: Effect.forEach(trails, (trail) =>
        Effect.map(artifacts.listFacts(org.id, trail.id), ({ length }) => length)
      ),
      /** In how many transactions the records were written. */
      transactions: Effect.map(
        query("select distinct xmin::text from artifact where org_id = $1", [org.id]),
        ({ length }) => length
      )
    }
  })

const first = (trails: ReadonlyArray<Trail>): Trail => {
  const [trail] = trails
  if (trail === undefined) throw new Error("no trail was prepared")
  return trail
}

layer(PgLayer.layer, { excludeTestServices: true })("GroupCommit", (it) => {
  it.effect("commits reports that arrive together in one database transaction", () =>
    Effect.gen(function* () {
      const { reportAll, saved, transactions } = yield* prepare(16)
      const done = yield* reportAll()
      assert.isTrue(done.every(Either.isRight))
      assert.deepStrictEqual(yield* saved, Array(16).fill(1))
      assert.strictEqual(yield* transactions, 1)
    })
  )

  it.effect("batches reports that arrive one turn of the event loop after another", () =>
    Effect.gen(function* () {
      const { reportTurnByTurn, saved, transactions } = yield* prepare(5)
      yield* reportTurnByTurn
      assert.deepStrictEqual(yield* saved, Array(5).fill(1))
      assert.strictEqual(yield* transactions, 1)
    })
  )

  it.effect("runs a batch after some turns, even when reports keep arriving", () =>
    Effect.gen(function* () {
      const { reportTurnByTurn, saved, transactions } = yield* prepare(30)
      yield* reportTurnByTurn
      assert.deepStrictEqual(yield* saved, Array(30).fill(1))
      assert.isAtLeast(yield* transactions, 2)
    })
  )

  it.effect("limits the size of a batch, and saves every report", () =>
    Effect.gen(function* () {
      const { reportAll, saved, transactions } = yield* prepare(70)
      assert.isTrue((yield* reportAll()).every(Either.isRight))
      assert.deepStrictEqual(yield* saved, Array(70).fill(1))
      assert.strictEqual(yield* transactions, 3)
    })
  )

  it.effect("never batches two reports on one trail: each sees what the one before has saved", () =>
    Effect.gen(function* () {
      const { org, trails, artifacts, report } = yield* prepare(1)
      const trail = first(trails)
      const seen: Array<number> = []
      const look = () =>
        Effect.map(artifacts.listFacts(org, trail.id), (facts) => {
          seen.push(facts.length)
        })
      yield* Effect.replicateEffect(report(trail, look), 12, { concurrency: "unbounded" })
      assert.deepStrictEqual(
        seen,
        Array.from({ length: 12 }, (_, index) => index + 1)
      )
    })
  )

  it.effect("retries unbatched when a batched transaction needs its own statement", () =>
    Effect.gen(function* () {
      const { reportAll, saved, transactions, sql } = yield* prepare(4)
      const runs = { count: 0 }
      const done = yield* reportAll(() => {
        runs.count += 1
        return sql`select 1 as one`
      })
      assert.deepStrictEqual(done, Array(4).fill(Either.right([{ one: 1 }])))
      assert.strictEqual(runs.count, 8)
      assert.deepStrictEqual(yield* saved, Array(4).fill(1))
      assert.strictEqual(yield* transactions, 4)
    })
  )

  it.effect("retries unbatched when the work has swallowed the failure of its own statement", () =>
    Effect.gen(function* () {
      const { reportAll, saved, sql } = yield* prepare(2)
      const done = yield* reportAll(() =>
        Effect.orElseSucceed(sql`select 2 as two`, () => "swallowed")
      )
      assert.deepStrictEqual(done, Array(2).fill(Either.right([{ two: 2 }])))
      assert.deepStrictEqual(yield* saved, [1, 1])
    })
  )

  it.effect("retries unbatched when a batched transaction has a nested transaction", () =>
    Effect.gen(function* () {
      const { org, reportAll, saved, transaction } = yield* prepare(3)
      const done = yield* reportAll(() => transaction.run(org, () => Effect.succeed("inner")))
      assert.deepStrictEqual(done, Array(3).fill(Either.right("inner")))
      assert.deepStrictEqual(yield* saved, [1, 1, 1])
    })
  )

  it.effect("saves the others when one of a batch fails, dies or is interrupted", () =>
    Effect.gen(function* () {
      const { trails, report, saved } = yield* prepare(5)
      const ends: ReadonlyArray<Also> = [
        () => Effect.fail("no"),
        () => Effect.die("bug"),
        () => Effect.interrupt
      ]
      const exits = yield* Effect.forEach(
        trails,
        (trail, index) => Effect.exit(report(trail, ends[index])),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        exits.map(({ _tag }) => _tag),
        ["Failure", "Failure", "Failure", "Success", "Success"]
      )
      assert.deepStrictEqual(yield* saved, [0, 0, 0, 1, 1])
    })
  )
})

layer(PgLayer.layer, { excludeTestServices: true })(
  "GroupCommit: requests that cannot be batched",
  (it) => {
    it.effect("a write that the database refuses fails its own transaction only", () =>
      Effect.gen(function* () {
        const { trails, write, saved } = yield* prepare(4)
        const done = yield* Effect.forEach(
          trails,
          (trail, index) =>
            Effect.flatMap(Fixture.newArtifact(trail, index === 2 ? 1e30 : 1), (artifact) =>
              Effect.either(write(artifact, trail, nothing))
            ),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(
          done.map(({ _tag }) => _tag),
          ["Right", "Right", "Left", "Right"]
        )
        assert.instanceOf(
          Option.getOrNull(Option.flatMap(Option.fromNullable(done[2]), Either.getLeft)),
          StoreError
        )
        assert.deepStrictEqual(yield* saved, [1, 1, 0, 1])
      })
    )

    it.effect("a row that two transactions write is saved once and refused once", () =>
      Effect.gen(function* () {
        const { trails, write, saved } = yield* prepare(3)
        const artifact = yield* Fixture.newArtifact(first(trails), 1)
        const done = yield* Effect.forEach(
          trails,
          (trail) => Effect.either(write({ ...artifact, trail_id: trail.id }, trail, nothing)),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(done.filter(Either.isRight).length, 1)
        assert.strictEqual(
          (yield* saved).reduce((sum, count) => sum + count, 0),
          1
        )
      })
    )

    it.effect("a trail that another transaction has locked delays no other trail", () =>
      Effect.gen(function* () {
        const { org, trails, transaction, lock, report, saved } = yield* prepare(3)
        const locked = yield* Effect.makeLatch()
        const released = yield* Effect.makeLatch()
        const holder = yield* Effect.fork(
          transaction.run(org, ({ now }) =>
            // WHY `now` first: it begins the transaction, so that its lock is not part of a batch.
            Effect.all([now, lock(first(trails)), locked.open, released.await])
          )
        )
        yield* locked.await
        const [waiting, ...others] = yield* Effect.forEach(trails, (trail) =>
          Effect.fork(report(trail))
        )
        for (const other of others) yield* Fiber.join(other)
        assert.deepStrictEqual(yield* saved, [0, 1, 1])
        yield* released.open
        yield* Fiber.join(holder)
        if (waiting !== undefined) yield* Fiber.join(waiting)
        assert.deepStrictEqual(yield* saved, [1, 1, 1])
      })
    )

    it.effect("an interrupted request is dropped from the batch", () =>
      Effect.gen(function* () {
        const { trails, report, saved } = yield* prepare(3)
        const fibers = yield* Effect.forEach(trails, (trail) => Effect.fork(report(trail)))
        yield* Effect.yieldNow()
        const [gone, ...others] = fibers
        if (gone !== undefined) yield* Fiber.interrupt(gone)
        for (const other of others) yield* Fiber.join(other)
        assert.deepStrictEqual((yield* saved).slice(1), [1, 1])
      })
    )

    it.effect("a transaction with large writes runs unbatched", () =>
      Effect.gen(function* () {
        const { trails, write, saved, transactions } = yield* prepare(3)
        const user_data = { log: "x".repeat(300_000) }
        yield* Effect.forEach(
          trails,
          (trail, index) =>
            Effect.flatMap(Fixture.newArtifact(trail, 1), (artifact) => {
              const report = index === 0 ? { ...artifact.report, user_data } : artifact.report
              return write({ ...artifact, report }, trail, nothing)
            }),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(yield* saved, [1, 1, 1])
        assert.strictEqual(yield* transactions, 2)
      })
    )
  }
)

layer(PgLayer.layer, { excludeTestServices: true })("GroupCommit: a defect in a batch", (it) => {
  it.effect("fails every transaction of the batch, and the next batch still runs", () =>
    Effect.gen(function* () {
      const broken = { count: 0 }
      const open = (): GroupCommit.BatchTransaction => ({
        connection: NOWHERE,
        now: Effect.succeed(Fixture.AT),
        buffer: {
          add: () => {
            broken.count += 1
            throw new Error("a bug")
          },
          drain: () => [],
          take: () => undefined,
          isEmpty: () => true
        },
        end: () => Effect.succeed(true)
      })
      const join = yield* GroupCommit.make(makeStatement(yield* SqlClient.SqlClient), open)
      const save = Effect.flatMap(
        Effect.async<GroupCommit.BatchSlot>((resume) =>
          join(OrgId.make("org"), {
            key: "trail",
            admit: (_, slot) => resume(Effect.succeed(slot)),
            refuse: () => resume(Effect.dieMessage("refused"))
          })
        ),
        (slot) => slot.save([])
      )
      const exits = yield* Effect.replicateEffect(Effect.exit(save), 2, { concurrency: 2 })
      assert.deepStrictEqual(
        exits.map((exit) => Exit.isFailure(exit) && Cause.pretty(exit.cause).includes("a bug")),
        [true, true]
      )
      assert.strictEqual(broken.count, 2)
    })
  )
})
