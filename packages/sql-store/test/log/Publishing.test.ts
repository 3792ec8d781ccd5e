/**
 * Processes that sign: neither takes what the other has just signed for a fork, and a process that signs many logs at
 * once publishes none before it is remembered.
 */
import type { OrgId } from "@attestry/core/Identifier"
import { JournalStore } from "@attestry/core/JournalStore"
import { LogCheckpoints } from "@attestry/core/LogCheckpoints"
import { LogKeys } from "@attestry/core/LogKeys"
import { LogSequencer } from "@attestry/core/LogSequencer"
import * as LogSigner from "@attestry/core/LogSigner"
import { inProcess, LogState, type Memory } from "@attestry/core/LogState"
import { LogStore } from "@attestry/core/LogStore"
import { StoreError } from "@attestry/core/StoreError"
import * as Fixture from "@attestry/core/testing/Fixture"
import { layerSecrets } from "@attestry/core/webcrypto/SecretsWebCrypto"
import * as SignaturesWebCrypto from "@attestry/transparency-log/webcrypto/SignaturesWebCrypto"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Either, Layer, Option } from "effect"
import * as PgLayer from "../shared/PgLayer.js"

const signer = Layer.effect(
  LogSigner.LogSigner,
  LogSigner.fromKeys([{ generation: 1, seed: new Uint8Array(32).fill(3) }])
).pipe(Layer.provide(SignaturesWebCrypto.layer))

/** A process, on the store that is given. */
const layerProcess = LogCheckpoints.Default.pipe(
  Layer.provideMerge(LogKeys.Default),
  Layer.provideMerge(LogSequencer.Default),
  Layer.provide(signer),
  Layer.provide(layerSecrets)
)

/** A new process with a memory, on a store that is the given one with other methods. */
const processWith = (
  memory: Memory,
  change: (store: Context.Tag.Service<LogStore>) => Partial<Context.Tag.Service<LogStore>>
) =>
  Layer.fresh(layerProcess).pipe(
    Layer.provide(
      Layer.effect(
        LogStore,
        Effect.map(LogStore, (store) => LogStore.of({ ...store, ...change(store) }))
      )
    ),
    Layer.provide(Layer.succeed(LogState, memory))
  )

const append = (org: OrgId) =>
  Effect.flatMap(JournalStore, (journal) =>
    journal.appendAll([
      {
        org_id: org,
        kind: "k",
        subject: { type: "flow", id: "s" },
        at: Fixture.AT,
        actor: { kind: "user" as const, id: "u", name: "anna" },
        content: "{}",
        digest: "0".repeat(64)
      }
    ])
  )

/** An org with a log. */
const started = Effect.gen(function* () {
  const { id: org } = yield* Fixture.org
  yield* (yield* LogStore).start({ org_id: org, origin: `o/${org}`, entryKey: new Uint8Array(16) })
  return org
})

/** A write that this process integrates. */
const grow = (org: OrgId) =>
  Effect.zipRight(
    append(org),
    Effect.flatMap(LogSequencer, ({ integrate }) => integrate(org))
  )

/** A write that this process integrates and signs. */
const growSigned = (org: OrgId) =>
  Effect.zipRight(
    grow(org),
    Effect.flatMap(LogCheckpoints, ({ publish }) => publish(org))
  )

const newestOf = (org: OrgId) =>
  Effect.gen(function* () {
    const store = yield* LogStore
    const tree = Option.getOrThrow(yield* store.find(org))
    return { tree, newest: yield* store.findCheckpoint(tree) }
  })

layer(Layer.provideMerge(layerProcess, PgLayer.layer), { excludeTestServices: true })(
  "processes that sign",
  (it) => {
    it.effect("LOG-17: go on when the other signs a larger tree in between", () =>
      Effect.gen(function* () {
        const org = yield* started
        const memory = inProcess()
        const other = yield* Layer.build(processWith(memory, () => ({})))
        assert.strictEqual(yield* Effect.provide(growSigned(org), other), "signed")
        const context = yield* Effect.context<JournalStore>()
        let waits = 3
        const between = Effect.suspend(() => (waits-- > 0 ? growSigned(org) : Effect.void)).pipe(
          Effect.provide(Context.merge(context, other)),
          Effect.orDie
        )
        const slow = processWith(memory, (store) => ({
          listSigned: (id) => Effect.zipLeft(store.listSigned(id), between)
        }))
        yield* grow(org)
        const said = yield* Effect.flatMap(LogCheckpoints, ({ publish }) => publish(org)).pipe(
          Effect.provide(slow)
        )
        assert.include(["signed", "unchanged"], said)
        assert.isBelow(waits, 3)
        const { tree, newest } = yield* newestOf(org)
        assert.strictEqual(Option.getOrThrow(newest).size, tree.edge.size)
      }).pipe(Effect.scoped)
    )

    it.effect("LOG-30: remember every checkpoint of a batch before one is stored", () =>
      Effect.gen(function* () {
        const orgs = yield* Effect.all(Array.from({ length: 12 }, () => started))
        for (const org of orgs) yield* grow(org)
        const memory = inProcess()
        const calls: Array<ReadonlyArray<boolean>> = []
        const watched = processWith(memory, (store) => ({
          insertCheckpoints: (rows) =>
            Effect.gen(function* () {
              const remembered = yield* Effect.forEach(rows, ({ org_id, size }) =>
                Effect.map(
                  memory.find(`o/${org_id}`),
                  Option.exists((each) => each.size === size)
                )
              )
              calls.push(remembered)
              yield* store.insertCheckpoints(rows)
            })
        }))
        const outcomes = yield* Effect.flatMap(LogCheckpoints, ({ publishAll }) =>
          publishAll(orgs)
        ).pipe(Effect.provide(watched))
        assert.deepStrictEqual(calls, [orgs.map(() => true)])
        for (const org of orgs) {
          assert.deepStrictEqual(outcomes.get(org), Either.right("signed"))
          const { tree, newest } = yield* newestOf(org)
          assert.strictEqual(Option.getOrThrow(newest).size, tree.edge.size)
        }
      })
    )

    it.effect("LOG-30: sign the others of a batch where one is forked, failing or unchanged", () =>
      Effect.gen(function* () {
        const made = yield* Effect.all([started, started, started, started, started])
        const [good, forked, refused, poison, unchanged] = made
        for (const org of made) yield* grow(org)
        assert.strictEqual(
          yield* Effect.flatMap(LogCheckpoints, ({ publish }) => publish(unchanged)),
          "signed"
        )
        const kept = inProcess()
        yield* kept.put(`o/${forked}`, { size: 99, root: "AAAA" })
        const away = (operation: string) => new StoreError({ operation, cause: new Error("away") })
        const memory: Memory = {
          ...kept,
          put: (origin, checkpoint) =>
            origin === `o/${refused}` ? away("put") : kept.put(origin, checkpoint)
        }
        const signing = processWith(memory, (store) => ({
          insertCheckpoints: (rows) =>
            rows.some(({ org_id }) => org_id === poison)
              ? away("insert")
              : store.insertCheckpoints(rows)
        }))
        const { publishAll, isStopped } = yield* Effect.provide(LogCheckpoints, signing)
        const outcomes = yield* publishAll(made)
        const told = made.map((org) =>
          Either.match(outcomes.get(org) ?? Either.right("none"), {
            onLeft: ({ operation }) => operation,
            onRight: (outcome) => outcome
          })
        )
        assert.deepStrictEqual(told, ["signed", "forked", "put", "insert", "unchanged"])
        assert.deepStrictEqual(made.map(isStopped), [false, true, false, false, false])
        const sizes = yield* Effect.forEach(made, (org) =>
          Effect.map(newestOf(org), ({ newest }) => Option.isSome(newest))
        )
        assert.deepStrictEqual(sizes, [true, false, false, false, true])
        assert.strictEqual(yield* growSigned(good), "signed")
      })
    )
  }
)
