/** Two processes that sign one log: neither takes what the other has just signed for a fork. */
import type { OrgId } from "@attestry/core/Identifier"
import { JournalStore } from "@attestry/core/JournalStore"
import { LogCheckpoints } from "@attestry/core/LogCheckpoints"
import { LogKeys } from "@attestry/core/LogKeys"
import { LogSequencer } from "@attestry/core/LogSequencer"
import * as LogSigner from "@attestry/core/LogSigner"
import { LogStore } from "@attestry/core/LogStore"
import * as Fixture from "@attestry/core/testing/Fixture"
import { layerSecrets } from "@attestry/core/webcrypto/SecretsWebCrypto"
import * as SignaturesWebCrypto from "@attestry/transparency-log/webcrypto/SignaturesWebCrypto"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
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

/** A write that this process integrates and signs. */
const grow = (org: OrgId) =>
  Effect.gen(function* () {
    yield* append(org)
    yield* (yield* LogSequencer).integrate(org)
    return yield* (yield* LogCheckpoints).publish(org)
  })

/** The same store, which runs something before each look for a checkpoint. */
const delayed = (work: () => Effect.Effect<void>) =>
  Layer.effect(
    LogStore,
    Effect.map(LogStore, (store) =>
      LogStore.of({
        ...store,
        findCheckpoint: (tree) => Effect.zipRight(work(), store.findCheckpoint(tree))
      })
    )
  )

layer(Layer.provideMerge(layerProcess, PgLayer.layer), { excludeTestServices: true })(
  "two processes that sign one log",
  (it) => {
    it.effect("LOG-17: go on when the other signs a larger tree in between", () =>
      Effect.gen(function* () {
        const { id: org } = yield* Fixture.org
        const store = yield* LogStore
        yield* store.start({ org_id: org, origin: `o/${org}`, entryKey: new Uint8Array(16) })
        assert.strictEqual(yield* grow(org), "signed")
        const context = yield* Effect.context<
          JournalStore | LogCheckpoints | LogSequencer | LogStore
        >()
        let waits = 3
        const other = () =>
          Effect.provide(
            Effect.suspend(() => (waits-- > 0 ? grow(org) : Effect.void)),
            context
          ).pipe(Effect.orDie)
        const slow = Layer.fresh(layerProcess).pipe(Layer.provide(delayed(other)))
        const said = yield* Effect.flatMap(LogCheckpoints, ({ publish }) => publish(org)).pipe(
          Effect.provide(slow)
        )
        assert.include(["signed", "unchanged"], said)
        assert.strictEqual(waits < 3, true)
        const tree = Option.getOrThrow(yield* store.find(org))
        const newest = Option.getOrThrow(yield* store.findCheckpoint(tree))
        assert.strictEqual(newest.size, tree.edge.size)
      })
    )
  }
)
