/** The contract of `IdempotencyStore`. */

import { type Claim, IdempotencyStore } from "@attestry/core/IdempotencyStore"
import { RETENTION_SECONDS, type StoredResponse } from "@attestry/core/IdempotentRequest"
import type { Ports } from "@attestry/core/Ports"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "../Fixture.js"
import { type SuiteOptions, suite } from "../Suite.js"

const RESPONSE: StoredResponse = {
  code: 201,
  mediaType: "application/json",
  text: '{"né":"\\u0000"}',
  entries: "9f02c4e1d6a83b57, 03be71f5a94c2d60"
}

const newClaim = (changes: Partial<Claim> = {}) =>
  Effect.gen(function* () {
    const claim: Claim = {
      org: (yield* Fixture.org).id,
      request: yield* Fixture.freshId,
      token: yield* Fixture.freshId,
      content: "c".repeat(64),
      seconds: 60,
      ...changes
    }
    return claim
  })

const again = (claim: Claim, token: string): Claim => ({ ...claim, token })

const RUNNING = { _tag: "Running" } as const

/** States the contract of `IdempotencyStore`. */
export const idempotencyStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`IdempotencyStore (${name})`, ports, options, (it) => {
    it.effect("gives one claim of a request, and returns the running request to others", () =>
      Effect.gen(function* () {
        const store = yield* IdempotencyStore
        const claim = yield* newClaim()
        deepStrictEqual(yield* store.claim(claim), Option.none())
        const other = { ...again(claim, "other"), content: "d".repeat(64) }
        deepStrictEqual(
          yield* store.claim(other),
          Option.some({ content: claim.content, outcome: RUNNING })
        )
      })
    )

    it.effect("gives exactly one of many concurrent claims", () =>
      Effect.gen(function* () {
        const store = yield* IdempotencyStore
        const claim = yield* newClaim()
        const known = yield* Effect.forEach(
          Array.from({ length: 12 }, (_, index) => again(claim, `rival-${index}`)),
          store.claim,
          { concurrency: "unbounded" }
        )
        assert.strictEqual(known.filter(Option.isNone).length, 1)
        for (const each of known.filter(Option.isSome)) {
          deepStrictEqual(each.value.outcome, RUNNING)
        }
      })
    )

    it.effect("separates orgs and requests", () =>
      Effect.gen(function* () {
        const store = yield* IdempotencyStore
        const claim = yield* newClaim()
        const elsewhere = { ...claim, org: (yield* Fixture.org).id }
        for (const each of [claim, elsewhere, { ...claim, request: yield* Fixture.freshId }]) {
          deepStrictEqual(yield* store.claim(each), Option.none())
        }
      })
    )

    it.effect("returns the response of a request unchanged, or only its completion", () =>
      Effect.gen(function* () {
        const store = yield* IdempotencyStore
        const claim = yield* newClaim()
        const outcomes = [
          [Option.some(RESPONSE), { _tag: "Answered", response: RESPONSE }],
          [Option.none(), { _tag: "Withheld" }]
        ] as const
        for (const [response, outcome] of outcomes) {
          const own = { ...claim, request: yield* Fixture.freshId }
          yield* store.claim(own)
          assert.isTrue(yield* store.complete(own, { response, seconds: RETENTION_SECONDS }))
          deepStrictEqual(
            yield* store.claim(again(own, "other")),
            Option.some({ content: own.content, outcome })
          )
        }
      })
    )

    it.effect("gives a claim again after its release, and after its expiry", () =>
      Effect.gen(function* () {
        const store = yield* IdempotencyStore
        const claim = yield* newClaim()
        yield* store.claim(claim)
        yield* store.release(claim)
        deepStrictEqual(yield* store.claim(claim), Option.none())
        assert.isTrue(yield* store.complete(claim, { response: Option.some(RESPONSE), seconds: 0 }))
        deepStrictEqual(yield* store.claim(again(claim, "next")), Option.none())
        deepStrictEqual(
          yield* store.claim(claim),
          Option.some({ content: claim.content, outcome: RUNNING })
        )
      })
    )

    it.effect("ignores a completion and a release by a lost claim, and after a completion", () =>
      Effect.gen(function* () {
        const store = yield* IdempotencyStore
        const slow = yield* newClaim({ seconds: 0 })
        const quick = { ...slow, token: "quick", seconds: 60 }
        deepStrictEqual(yield* store.claim(slow), Option.none())
        deepStrictEqual(yield* store.claim(quick), Option.none())
        const late = {
          response: Option.some({ ...RESPONSE, code: 200 }),
          seconds: RETENTION_SECONDS
        }
        assert.isFalse(yield* store.complete(slow, late))
        yield* store.release(slow)
        const known = Option.some({ content: slow.content, outcome: RUNNING })
        deepStrictEqual(yield* store.claim(slow), known)
        assert.isTrue(
          yield* store.complete(quick, { response: Option.some(RESPONSE), seconds: 60 })
        )
        assert.isFalse(yield* store.complete(quick, late))
        yield* store.release(quick)
        const answered = { _tag: "Answered", response: RESPONSE } as const
        deepStrictEqual(
          yield* store.claim(slow),
          Option.some({ content: slow.content, outcome: answered })
        )
      })
    )
  })
