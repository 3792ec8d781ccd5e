/** Receipts while the log is behind, and while the keys of a log change. */

import * as Dsse from "@attestry/core/Dsse"
import { OrgName } from "@attestry/core/Identifier"
import * as Log from "@attestry/core/Log"
import { LogCheckpoints } from "@attestry/core/LogCheckpoints"
import { LogKeys } from "@attestry/core/LogKeys"
import { LogSequencer } from "@attestry/core/LogSequencer"
import * as LogSigner from "@attestry/core/LogSigner"
import { LogStore } from "@attestry/core/LogStore"
import { LogUpkeep } from "@attestry/core/LogUpkeep"
import { OrgStore } from "@attestry/core/OrgStore"
import * as SignaturesWebCrypto from "@attestry/transparency-log/webcrypto/SignaturesWebCrypto"
import { Effect, Either, Layer, Option } from "effect"
import { assert, it } from "vitest"
import { onBothStores } from "../shared/TestServer.js"
import { attest, fill, GOOD, readerOf } from "./ReceiptWorld.js"

const orgId = Effect.flatMap(OrgStore, (orgs) =>
  Effect.map(orgs.find({ name: OrgName.make("acme") }), (org) => Option.getOrThrow(org).id)
)

/** What the worker of a server does from time to time. */
const integrate = Effect.gen(function* () {
  const id = yield* orgId
  yield* (yield* LogSequencer).catchUp(id, Log.originOf("http://127.0.0.1:8080", "acme"))
  yield* (yield* LogCheckpoints).publish(id)
})

onBothStores(
  "receipts while the log is behind",
  (server) => {
    const { ofAssertion, ofSnapshot, proved, text } = readerOf(server)

    it("are 503 until the log has what was looked at", async () => {
      await fill(server)
      const message = "The log does not have every entry of this decision yet: please try again"
      for (const answer of [await ofSnapshot("prod#1"), await ofAssertion(GOOD)]) {
        assert.strictEqual(answer.status, 503)
        assert.deepStrictEqual(answer.body, { message })
        assert.strictEqual(answer.headers.get("retry-after"), "1")
      }
      await server.run(integrate)
      await proved(text(await ofSnapshot("prod#1")))
      const before = await proved(text(await ofAssertion(GOOD)))
      await attest(server, "another")
      assert.strictEqual((await ofAssertion(GOOD)).status, 503)
      await server.run(integrate)
      const after = await proved(text(await ofAssertion(GOOD)))
      assert.isAbove(after.chain[0]?.index ?? 0, before.chain[0]?.index ?? 0)
    })
  },
  { services: Layer.succeed(LogUpkeep, "worker") }
)

const seed = (byte: number) => new Uint8Array(32).fill(byte)

/** A signer whose keys change, which those of a process do not. */
const changing = Effect.map(
  Effect.all({
    first: LogSigner.fromKeys([{ generation: 1, seed: seed(5) }]),
    both: LogSigner.fromKeys([
      { generation: 1, seed: seed(5) },
      { generation: 2, seed: seed(6) }
    ]),
    second: LogSigner.fromKeys(
      [{ generation: 2, seed: seed(6) }],
      [{ generation: 1, seed: seed(5) }]
    )
  }),
  (signers) => {
    let now: keyof typeof signers = "first"
    const signer: LogSigner.Signer = {
      keys: (origin) => signers[now].keys(origin),
      known: (origin) => signers[now].known(origin),
      sign: (origin, message) => signers[now].sign(origin, message),
      verify: (signed) => signers[now].verify(signed)
    }
    return {
      signer,
      change: (next: typeof now) => {
        now = next
      }
    }
  }
).pipe(Effect.provide(SignaturesWebCrypto.layer), Effect.runSync)

/** Records the keys of the signer, as a process does that has just started. */
const restart = Effect.gen(function* () {
  const tree = Option.getOrThrow(yield* (yield* LogStore).find(yield* orgId))
  yield* (yield* LogKeys).note(tree)
}).pipe(Effect.provide(LogKeys.Default))

const signersOf = (envelope: string) =>
  Option.getOrThrow(Dsse.parse(envelope)).signatures.map(({ keyid }) => keyid)

onBothStores(
  "receipts while keys change",
  (server) => {
    const { keys, ofSnapshot, text, verify } = readerOf(server)

    it("are signed by every active key that readers can know", async () => {
      changing.change("first")
      await fill(server)
      const first = text(await ofSnapshot("prod#1"))
      const [old] = signersOf(first)
      changing.change("both")
      assert.deepStrictEqual(signersOf(text(await ofSnapshot("prod#1"))), [old])
      await server.run(restart)
      const both = text(await ofSnapshot("prod#1"))
      const [, added] = signersOf(both)
      assert.deepStrictEqual(signersOf(both), [old, added])
      changing.change("second")
      await server.run(restart)
      const second = text(await ofSnapshot("prod#1"))
      assert.deepStrictEqual(signersOf(second), [added])
      const all = await keys()
      assert.deepStrictEqual(
        all.map(({ kid, retiredAt }) => [kid, retiredAt !== null]),
        [
          [old, true],
          [added, false]
        ]
      )
      for (const envelope of [first, both, second]) {
        assert.isTrue(Either.isRight(await verify(envelope, { keys: all })))
      }
      const pinned = all.filter(({ kid }) => kid === old)
      assert.deepStrictEqual(await verify(second, { keys: pinned }), Either.left("unknown-key"))
      assert.isTrue(Either.isRight(await verify(both, { keys: pinned })))
    })
  },
  { isSigned: false, services: Layer.succeed(LogSigner.LogSigner, changing.signer) }
)
