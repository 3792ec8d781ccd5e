/** The contract of `TrustPolicyStore`. */
import type { OrgId } from "@attestry/core/Identifier"
import type { Ports } from "@attestry/core/Ports"
import { Transaction } from "@attestry/core/Transaction"
import { TrustPolicyStore } from "@attestry/core/TrustPolicyStore"
import type { TrustPolicyVersion } from "@attestry/core/TrustPolicyVersion"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "../Fixture.js"
import { type SuiteOptions, suite } from "../Suite.js"

const version = (org_id: OrgId, number: number): TrustPolicyVersion => ({
  org_id,
  version: number,
  text: `a: 'ü\u{1f600}\t\\u0000 $1 {{x}} ${number}'\r\n`,
  comment: `about version ${number}`,
  created_by: "anna",
  at: Fixture.AT
})

/** States the contract of `TrustPolicyStore`. */
export const trustPolicyStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`TrustPolicyStore (${name})`, ports, options, (it) => {
    it.effect("finds nothing for an org without versions", () =>
      Effect.gen(function* () {
        const store = yield* TrustPolicyStore
        const { id } = yield* Fixture.org
        deepStrictEqual(yield* store.findLatest(id), Option.none())
        deepStrictEqual(yield* store.find(id, 1), Option.none())
        deepStrictEqual(yield* store.list(id), [])
      })
    )

    it.effect(
      "returns versions unchanged: the latest, one by its number, all from the newest",
      () =>
        Effect.gen(function* () {
          const store = yield* TrustPolicyStore
          const { id } = yield* Fixture.org
          // WHY eleven: as texts, 10 and 11 stand before 2.
          const made = Array.from({ length: 11 }, (_, index) => version(id, index + 1))
          for (const each of made) assert.isTrue(yield* store.append(each))
          deepStrictEqual(yield* store.findLatest(id), Option.fromNullable(made[10]))
          deepStrictEqual(yield* store.find(id, 2), Option.fromNullable(made[1]))
          deepStrictEqual(yield* store.find(id, 12), Option.none())
          deepStrictEqual(yield* store.list(id), [...made].reverse())
        })
    )

    it.effect("replaces no version, and says so", () =>
      Effect.gen(function* () {
        const store = yield* TrustPolicyStore
        const { id } = yield* Fixture.org
        assert.isTrue(yield* store.append(version(id, 1)))
        assert.isFalse(yield* store.append({ ...version(id, 1), text: "another" }))
        deepStrictEqual(yield* store.list(id), [version(id, 1)])
      })
    )

    it.effect("separates orgs", () =>
      Effect.gen(function* () {
        const store = yield* TrustPolicyStore
        const [one, other] = [(yield* Fixture.org).id, (yield* Fixture.org).id]
        assert.isTrue(yield* store.append(version(one, 1)))
        deepStrictEqual(yield* store.findLatest(other), Option.none())
        assert.isTrue(yield* store.append(version(other, 1)))
        deepStrictEqual(yield* store.list(other), [version(other, 1)])
      })
    )

    it.effect("lets a writer whose number was taken find the version that took it", () =>
      Effect.gen(function* () {
        const store = yield* TrustPolicyStore
        const transaction = yield* Transaction
        const { id } = yield* Fixture.org
        const append: (text: string) => Effect.Effect<void, unknown> = (text) =>
          Effect.gen(function* () {
            const latest = Option.getOrUndefined(yield* store.findLatest(id))
            const next = { ...version(id, (latest?.version ?? 0) + 1), text }
            if (!(yield* store.append(next))) yield* append(text)
          })
        const texts = Array.from({ length: 12 }, (_, index) => `text ${index}`)
        yield* Effect.forEach(texts, (text) => transaction.run(id, () => append(text)), {
          concurrency: "unbounded"
        })
        const versions = yield* store.list(id)
        deepStrictEqual(
          versions.map((each) => each.version),
          Array.from({ length: 12 }, (_, index) => 12 - index)
        )
        deepStrictEqual(versions.map((each) => each.text).sort(), texts.sort())
      })
    )
  })
