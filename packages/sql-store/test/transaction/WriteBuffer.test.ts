/** Buffered writes: seen by later statements, undone with their transaction, and sent as one statement. */
import { ArtifactStore } from "@attestry/core/ArtifactStore"
import { JournalStore } from "@attestry/core/JournalStore"
import { StoreError } from "@attestry/core/StoreError"
import { TrailStore } from "@attestry/core/TrailStore"
import { Transaction } from "@attestry/core/Transaction"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Option, Stream } from "effect"
import * as PgLayer from "../shared/PgLayer.js"

const prepare = Effect.gen(function* () {
  const org = yield* Fixture.org
  const flow = yield* Fixture.flow(org)
  const trail = yield* Fixture.trail(flow)
  const artifacts = yield* ArtifactStore
  const sql = yield* SqlClient.SqlClient
  const transaction = yield* Transaction
  const count = sql<{ readonly n: number }>`select count(*) as n from artifact
    where trail_id = ${trail.id}`.pipe(Effect.map(([row]) => row?.n))
  return {
    org: org.id,
    flow,
    trail,
    artifacts,
    sql,
    transaction,
    count,
    append: Effect.flatMap(Fixture.newArtifact(trail, 1), artifacts.append),
    saved: Effect.map(artifacts.listFacts(org.id, trail.id), ({ length }) => length)
  }
})

layer(PgLayer.layer, { excludeTestServices: true })("WriteBuffer", (it) => {
  it.effect("are seen by every later statement, however it is sent", () =>
    Effect.gen(function* () {
      const { org, sql, append, count, transaction } = yield* prepare
      const seen = yield* transaction.run(org, () =>
        Effect.gen(function* () {
          yield* append
          const first = yield* count
          yield* append
          const raw = yield* sql`select 1 as one`.raw
          yield* append
          const values = yield* sql`select 1 as one`.values
          yield* append
          const streamed = yield* Stream.runCount(sql`select 1 as one`.stream)
          return [first, raw, values, streamed, yield* count] as const
        })
      )
      assert.strictEqual(seen[0], 1)
      assert.deepStrictEqual(seen[2], [[1]])
      assert.deepStrictEqual([seen[3], seen[4]], [1, 4])
    })
  )

  it.effect("are saved with the transaction, and not when it fails", () =>
    Effect.gen(function* () {
      const { org, append, saved, transaction } = yield* prepare
      yield* Effect.flip(transaction.run(org, () => Effect.zipRight(append, Effect.fail("no"))))
      assert.strictEqual(yield* saved, 0)
      yield* transaction.run(org, () => Effect.zipRight(append, append))
      assert.strictEqual(yield* saved, 2)
    })
  )

  it.effect("are undone with the inner work that made them, without the outer ones", () =>
    Effect.gen(function* () {
      const { org, append, saved, transaction } = yield* prepare
      const inner = transaction.run(org, () => Effect.zipRight(append, Effect.fail("no")))
      yield* transaction.run(org, () =>
        Effect.zipRight(append, Effect.zipRight(Effect.flip(inner), append))
      )
      assert.strictEqual(yield* saved, 2)
    })
  )

  it.effect("fail the transaction when PostgreSQL refuses them, and then nothing is saved", () =>
    Effect.gen(function* () {
      const { org, trail, artifacts, append, saved, transaction } = yield* prepare
      const broken = yield* Fixture.newArtifact(trail, 2)
      const twice = Effect.zipRight(artifacts.append(broken), append).pipe(
        Effect.zipRight(artifacts.append({ ...broken, sequence: 3 }))
      )
      const failed = yield* Effect.flip(transaction.run(org, () => twice))
      assert.instanceOf(failed, StoreError)
      assert.strictEqual(yield* saved, 0)
      const recovered = yield* transaction.run(org, () =>
        Effect.zipRight(append, Effect.either(transaction.run(org, () => twice)))
      )
      assert.strictEqual(recovered._tag, "Left")
      assert.strictEqual(yield* saved, 1)
    })
  )

  it.effect("run at once outside of a transaction", () =>
    Effect.gen(function* () {
      const { append, saved } = yield* prepare
      yield* append
      assert.strictEqual(yield* saved, 1)
    })
  )

  it.effect("let the last of two writes of one row win", () =>
    Effect.gen(function* () {
      const { org, trail, transaction } = yield* prepare
      const trails = yield* TrailStore
      const link = (branch: string) =>
        trails.linkCommit({ org, trail: trail.id, sha: "a".repeat(40) as never, branch })
      yield* transaction.run(org, () => Effect.zipRight(link(""), link("main")))
      const page = { page: 1, perPage: 1 }
      const { items } = yield* trails.listByCommit(org, "a".repeat(40) as never, page)
      assert.strictEqual(items[0]?.branch, "main")
    })
  )
})

layer(PgLayer.layer, { excludeTestServices: true })("a locked trail", (it) => {
  it.effect(
    "numbers its journal entries in the order of its writes, also when writers wait for each other",
    () =>
      Effect.gen(function* () {
        const { org, flow, trail, transaction } = yield* prepare
        const trails = yield* TrailStore
        const journal = yield* JournalStore
        const order: Array<string> = []
        const write = (name: string) =>
          transaction.run(org, (scope) =>
            Effect.gen(function* () {
              const now = yield* scope.now
              const found = yield* trails.lockWithFlow({ org, flow: flow.name, name: trail.name })
              assert.isTrue(Option.isSome(found))
              order.push(name)
              for (const step of ["a", "b"]) {
                yield* journal.append({
                  org_id: org,
                  kind: `${name}-${step}`,
                  subject: { type: "trail", id: trail.id },
                  actor: { kind: "system", id: "", name: "test" },
                  at: now,
                  content: "{}",
                  digest: "00"
                })
              }
            })
          )
        const names = Array.from({ length: 8 }, (_, index) => `w${index}`)
        yield* Effect.forEach(names, write, { concurrency: "unbounded", discard: true })
        const entries = yield* journal.listBySubject(org, { type: "trail", id: trail.id })
        assert.deepStrictEqual(
          entries.map(({ kind }) => kind),
          order.flatMap((name) => [`${name}-a`, `${name}-b`])
        )
      })
  )
})
