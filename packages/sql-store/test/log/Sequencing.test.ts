/**
 * Several sequencers and many writers that pause, roll back and are killed: every committed entry has exactly one leaf,
 * indexes are dense, and a write that was answered before another was sent has the smaller index.
 */

import type { OrgId } from "@attestry/core/Identifier"
import * as Log from "@attestry/core/Log"
import { LogSequencer } from "@attestry/core/LogSequencer"
import { LogStore } from "@attestry/core/LogStore"
import * as Fixture from "@attestry/core/testing/Fixture"
import { layerSecrets } from "@attestry/core/webcrypto/SecretsWebCrypto"
import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Option, Random } from "effect"
import type pg from "pg"
import { effort } from "../../../core/test/shared/Effort.js"
import * as PgLayer from "../shared/PgLayer.js"

const WRITERS = 8
const SEQUENCERS = 3
const WRITES = effort(25, 250)

/** A write that was answered. */
interface Write {
  readonly sequence: number
  readonly subject: string
  readonly sent: number
  readonly answered: number
}

const ignoring = (work: () => Promise<unknown>) =>
  Effect.promise(() => work().catch(() => undefined))

const pause = Effect.flatMap(Random.nextIntBetween(0, 8), (ms) => Effect.sleep(ms))

const INSERT = `insert into attestry.journal (org_id, sequence, kind, subject_type, subject_id, actor_kind,
    actor_id, actor_name, at, content, digest)
  values ($1, $2, 'k', 'flow', $3, 'user', 'u', 'anna', 1, '{}', '')`

/** One transaction: it locks its subject, draws a number, waits, and commits, rolls back, or is killed. */
const writeOnce = (client: pg.Client, org: OrgId, how: number) =>
  Effect.gen(function* () {
    const subject = `s${yield* Random.nextIntBetween(0, 4)}`
    const sent = performance.now()
    yield* Effect.promise(() => client.query("begin"))
    yield* Effect.promise(() =>
      client.query("select pg_advisory_xact_lock(hashtext($1))", [`${org}${subject}`])
    )
    if (how === 1) {
      yield* Effect.promise(() =>
        client.query(
          "savepoint a; select nextval('attestry.journal_sequence'); rollback to savepoint a"
        )
      )
    }
    const drawn = yield* Effect.promise(() =>
      client.query<{ n: string }>("select nextval('attestry.journal_sequence') as n")
    )
    const sequence = Number(drawn.rows[0]?.n)
    yield* pause
    yield* Effect.promise(() => client.query(INSERT, [org, sequence, subject]))
    yield* pause
    if (how === 2) {
      yield* Effect.promise(() => client.query("rollback"))
      return Option.none<Write>()
    }
    yield* Effect.promise(() => client.query("commit"))
    return Option.some({ sequence, subject, sent, answered: performance.now() })
  })

const writer = (org: OrgId) =>
  Effect.gen(function* () {
    const { url } = yield* PgLayer.TestDatabase
    const writes: Array<Write> = []
    for (let count = 0; count < WRITES; count++) {
      const how = yield* Random.nextIntBetween(0, 6)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const client = yield* PgLayer.connect(url)
          if (how === 3) {
            // WHY: a connection that ends in the middle of a transaction is what a killed server leaves.
            yield* Effect.promise(() => client.query("begin"))
            yield* Effect.promise(() => client.query("select nextval('attestry.journal_sequence')"))
            yield* pause
            yield* ignoring(() => client.end())
          } else {
            writes.push(...Option.toArray(yield* writeOnce(client, org, how)))
          }
        })
      )
    }
    return writes
  })

/** A process with a store of its own that integrates until it is stopped; failures are tried again. */
const sequencer = (org: OrgId) =>
  Effect.gen(function* () {
    const { url } = yield* PgLayer.TestDatabase
    const store = PgLayer.layerOn({ url })
    const services = LogSequencer.Default.pipe(Layer.provide(store), Layer.provide(layerSecrets))
    return yield* Effect.flatMap(LogSequencer, (each) =>
      Effect.forever(Effect.zipRight(Effect.ignore(each.integrate(org)), pause))
    ).pipe(Effect.provide(services))
  })

/** Ends connections of the sequencers, some of them inside of an integration. */
const killer = Effect.gen(function* () {
  const { query } = yield* PgLayer.TestDatabase
  yield* Effect.sleep(60)
  yield* Effect.ignore(
    query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like '%log\\_%' and pid <> pg_backend_pid()`)
  )
}).pipe(Effect.forever)

const checkOrder = (writes: ReadonlyArray<Write>, indexOf: ReadonlyMap<number, number>) => {
  const byAnswer = [...writes].sort((left, right) => left.answered - right.answered)
  let newest = -1
  let next = 0
  for (const write of [...writes].sort((left, right) => left.sent - right.sent)) {
    for (; (byAnswer[next]?.answered ?? Number.POSITIVE_INFINITY) < write.sent; next++) {
      newest = Math.max(newest, indexOf.get(byAnswer[next]?.sequence ?? -1) ?? -1)
    }
    assert.isAbove(indexOf.get(write.sequence) ?? -1, newest)
  }
}

const checkLog = (logged: ReadonlyArray<Log.LoggedEntry>, tree: Log.LogTree) => {
  const newest = new Map<string, { index: number; sequence: number }>()
  for (const [place, { entry, leaf }] of logged.entries()) {
    assert.strictEqual(leaf.index, place)
    const before = newest.get(entry.subject.id)
    assert.strictEqual(leaf.prev, before?.index ?? null)
    assert.isAbove(entry.sequence, before?.sequence ?? 0)
    newest.set(entry.subject.id, { index: leaf.index, sequence: entry.sequence })
  }
  const hashes = logged.map((each) => Log.entryOf(each).hash)
  const { edge } = MerkleTree.append(MerkleTree.EMPTY, hashes)
  assert.deepStrictEqual([...MerkleTree.root(tree.edge)], [...MerkleTree.root(edge)])
}

layer(PgLayer.layerWith({}), { excludeTestServices: true, timeout: "120 seconds" })(
  "sequencing on PostgreSQL",
  (it) => {
    it.effect(
      "LOG-14, LOG-15: loses, repeats and reorders nothing",
      () =>
        Effect.gen(function* () {
          const store = yield* LogStore
          const { id: org } = yield* Fixture.org
          yield* store.start({ org_id: org, origin: "o", entryKey: new Uint8Array(16) })
          const sequencers = yield* Effect.forEach(Array.from({ length: SEQUENCERS }), () =>
            Effect.fork(sequencer(org))
          )
          const killing = yield* Effect.fork(killer)
          const written = yield* Effect.all(
            Array.from({ length: WRITERS }, () => writer(org)),
            { concurrency: "unbounded" }
          )
          yield* Fiber.interrupt(killing)
          const writes = written.flat()
          const tree = yield* Effect.repeat(Effect.map(store.find(org), Option.getOrThrow), {
            until: ({ edge }) => edge.size >= writes.length
          }).pipe(Effect.timeout("30 seconds"))
          yield* Fiber.interruptAll(sequencers)
          const logged = yield* store.listLogged(tree, { begin: 0, end: writes.length + 99 })
          const indexOf = new Map(logged.map(({ leaf }) => [leaf.sequence, leaf.index]))
          assert.sameMembers(
            [...indexOf.keys()],
            writes.map(({ sequence }) => sequence)
          )
          assert.strictEqual(logged.length, writes.length)
          checkLog(logged, tree)
          checkOrder(writes, indexOf)
          assert.deepStrictEqual(yield* store.listBehind({ above: 0, also: [], limit: 9 }), [])
        }),
      120_000
    )

    it.effect("LOG-28: does not settle a number that an open transaction has drawn", () =>
      Effect.gen(function* () {
        const store = yield* LogStore
        const { url } = yield* PgLayer.TestDatabase
        const client = yield* PgLayer.connect(url)
        const query = (text: string) => Effect.promise(() => client.query(text))
        const drawn = (text: string) => Effect.map(query(text), ({ rows }) => Number(rows[0]?.n))
        const DRAW = "select nextval('attestry.journal_sequence') as n"
        yield* query("begin")
        const first = yield* drawn(DRAW)
        assert.isBelow((yield* store.visibility).upTo, first)
        yield* query("commit")
        assert.isAtLeast((yield* store.visibility).upTo, first)
        yield* query("begin; savepoint a")
        const second = yield* drawn(DRAW)
        yield* query("rollback to savepoint a")
        assert.isBelow((yield* store.visibility).upTo, second)
        yield* query("rollback")
        assert.isAtLeast((yield* store.visibility).upTo, second)
      }).pipe(Effect.scoped)
    )
  }
)
