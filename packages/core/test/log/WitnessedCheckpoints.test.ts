/** What witnesses remember of a log counts when a key of the log has signed it; a missing answer is asked for again. */

import * as Base64 from "@attestry/transparency-log/Base64"
import * as Checkpoint from "@attestry/transparency-log/Checkpoint"
import { Notes } from "@attestry/transparency-log/Notes"
import * as SignedNote from "@attestry/transparency-log/SignedNote"
import type { PolicyWitness } from "@attestry/transparency-log/WitnessPolicy"
import * as SignaturesWebCrypto from "@attestry/transparency-log/webcrypto/SignaturesWebCrypto"
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Effect, Layer, Option, TestClock, TestServices } from "effect"
import { WitnessUnreachable } from "../../src/log/Cosigning.js"
import * as LogSigner from "../../src/log/LogSigner.js"
import { originHash } from "../../src/log/Witness.js"
import * as WitnessedCheckpoints from "../../src/log/WitnessedCheckpoints.js"
import { root } from "./LogKit.js"

const ORIGIN = "attestry.example.com/api/v2/log/acme"
const KEY = { generation: 1, seed: new Uint8Array(32).fill(5) }

const witness = (name: string, url: string | undefined = `https://${name}.example/w/`) => ({
  name,
  key: { name, type: SignedNote.COSIGNATURE, publicKey: new Uint8Array(32) },
  url: Option.fromNullable(url)
})

/** A note of a checkpoint by a key. */
const noteOf = (size: number, { origin = ORIGIN, key = KEY } = {}) =>
  Effect.gen(function* () {
    const text = Checkpoint.print({ origin, size, root: root(size) })
    const signer = yield* LogSigner.fromKeys([key])
    return SignedNote.print({ text, signatures: yield* signer.sign(origin, text) })
  }).pipe(Effect.provide(SignaturesWebCrypto.layer))

const remembered = (size: number) => Option.some({ size, root: Base64.encode(root(size)) })

/** An answer of a witness: a note, a status without one, or none. */
type Answer = string | number | undefined

/** Witnesses with answers that can change, and the addresses that were read. */
const asking = (answers: Map<string, Answer>, witnesses: ReadonlyArray<PolicyWitness>) =>
  Effect.gen(function* () {
    const asked: Array<string> = []
    const read: WitnessedCheckpoints.Read = (url) =>
      Effect.suspend(() => {
        asked.push(url)
        const answer = answers.get(new URL(url).hostname.split(".")[0] ?? "")
        if (answer === undefined) return new WitnessUnreachable({ reason: "down" })
        return Effect.succeed(
          typeof answer === "number" ? { status: answer, body: "" } : { status: 200, body: answer }
        )
      })
    const known = yield* WitnessedCheckpoints.make(witnesses, read)
    return { known, asked }
  }).pipe(
    Effect.provide(Notes.Default),
    Effect.provide(Layer.effect(LogSigner.LogSigner, LogSigner.fromKeys([KEY]))),
    Effect.provide(SignaturesWebCrypto.layer)
  )

const soon = TestServices.provideLive(Effect.sleep("10 millis"))

const [A, B, C] = [witness("a"), witness("b"), witness("c")]

describe("WitnessedCheckpoints", () => {
  it.effect("gives the largest checkpoint of all witnesses, and asks each once", () =>
    Effect.gen(function* () {
      const answers = new Map<string, Answer>([
        ["a", yield* noteOf(3)],
        ["b", yield* noteOf(8)],
        ["c", 404]
      ])
      const { known, asked } = yield* asking(answers, [A, B, C])
      assert.isTrue(known.isAsked)
      deepStrictEqual(yield* known.find(ORIGIN), remembered(8))
      answers.set("a", yield* noteOf(9))
      yield* TestClock.adjust("1 hour")
      deepStrictEqual(yield* known.find(ORIGIN), remembered(8))
      deepStrictEqual(
        asked.sort(),
        ["a", "b", "c"].map((name) => `https://${name}.example/w/${originHash(ORIGIN)}/checkpoint`)
      )
    })
  )

  it.effect("knows nothing of a log that no witness knows", () =>
    Effect.gen(function* () {
      const { known } = yield* asking(new Map([["a", 404]]), [A])
      deepStrictEqual(yield* known.find(ORIGIN), Option.none())
    })
  )

  it.effect("ignores what no key of the log has signed, and what is of another log", () =>
    Effect.gen(function* () {
      const other = { generation: 1, seed: new Uint8Array(32).fill(6) }
      const answers = new Map<string, Answer>([
        ["a", yield* noteOf(9, { key: other })],
        ["b", yield* noteOf(8, { origin: `${ORIGIN}-other` })],
        ["c", "no note"]
      ])
      const { known } = yield* asking(answers, [A, B, C])
      deepStrictEqual(yield* known.find(ORIGIN), Option.none())
      answers.set("c", (yield* noteOf(7)).replace("\n7\n", "\n700\n"))
      const { known: again } = yield* asking(answers, [A, B, C])
      deepStrictEqual(yield* again.find(ORIGIN), Option.none())
    })
  )

  it.effect("asks again after a minute where an answer was missing, while readers go on", () =>
    Effect.gen(function* () {
      const answers = new Map<string, Answer>([
        ["a", yield* noteOf(3)],
        ["b", 500]
      ])
      const { known, asked } = yield* asking(answers, [A, B, C])
      deepStrictEqual(yield* known.find(ORIGIN), remembered(3))
      answers.set("b", yield* noteOf(5)).set("c", 404)
      yield* TestClock.adjust("59 seconds")
      deepStrictEqual(yield* known.find(ORIGIN), remembered(3))
      assert.lengthOf(asked, 3)
      yield* TestClock.adjust("1 second")
      // The answer of before, while the witnesses are asked in the background.
      deepStrictEqual(yield* known.find(ORIGIN), remembered(3))
      for (let turn = 0; turn < 500; turn++) {
        if (Option.exists(yield* known.find(ORIGIN), ({ size }) => size === 5)) break
        yield* soon
      }
      deepStrictEqual(yield* known.find(ORIGIN), remembered(5))
      yield* TestClock.adjust("1 hour")
      yield* known.find(ORIGIN)
      assert.lengthOf(asked, 6)
    })
  )

  it.effect("does not forget a checkpoint when a witness answers with a smaller one", () =>
    Effect.gen(function* () {
      const answers = new Map<string, Answer>([["a", yield* noteOf(8)]])
      const { known, asked } = yield* asking(answers, [A, B])
      deepStrictEqual(yield* known.find(ORIGIN), remembered(8))
      answers.set("a", yield* noteOf(2)).set("b", yield* noteOf(4))
      yield* TestClock.adjust("1 minute")
      yield* known.find(ORIGIN)
      for (let turn = 0; turn < 500 && asked.length < 4; turn++) yield* soon
      yield* soon
      deepStrictEqual(yield* known.find(ORIGIN), remembered(8))
    })
  )

  it.effect("asks no witness without an address", () =>
    Effect.gen(function* () {
      const silent = { ...witness("a"), url: Option.none() }
      const { known, asked } = yield* asking(new Map(), [silent])
      assert.isFalse(known.isAsked)
      deepStrictEqual(yield* known.find(ORIGIN), Option.none())
      assert.deepStrictEqual(asked, [])
      const none = yield* WitnessedCheckpoints.WitnessedCheckpoints
      assert.isFalse(none.isAsked)
      deepStrictEqual(yield* none.find(ORIGIN), Option.none())
    })
  )
})
