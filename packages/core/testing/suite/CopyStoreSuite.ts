/** The contract of `CopyStore`, as far as other ports can write what it erases. */
import { CopyStore } from "@attestry/core/CopyStore"
import { IdempotencyStore } from "@attestry/core/IdempotencyStore"
import type { Ports } from "@attestry/core/Ports"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "./Fixture.js"
import { type SuiteOptions, suite } from "./Suite.js"

/** The contract of `CopyStore`. */
export const copyStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`${name}: CopyStore`, ports, options, (it) => {
    it.effect("withholds stored answers that contain a part, in this org alone", () =>
      Effect.gen(function* () {
        const [{ id: org }, { id: other }] = [yield* Fixture.org, yield* Fixture.org]
        const [requests, copies] = [yield* IdempotencyStore, yield* CopyStore]
        const store = (id: typeof org, request: string, text: string) =>
          Effect.gen(function* () {
            const claimed = { org: id, request, token: "t" }
            yield* requests.claim({ ...claimed, content: "c", seconds: 600 })
            const response = { code: 200, mediaType: "application/json", text, entries: null }
            yield* requests.complete(claimed, { response: Option.some(response), seconds: 600 })
          })
        const outcomeOf = (id: typeof org, request: string) =>
          Effect.map(
            requests.claim({ org: id, request, token: "u", content: "c", seconds: 600 }),
            (found) => Option.getOrThrow(found).outcome._tag
          )
        yield* store(org, "a", '{"author":"ada"}')
        yield* store(org, "b", '{"author":"eve"}')
        yield* store(other, "a", '{"author":"ada"}')
        yield* copies.withholdAnswers(org, ["no such text"])
        assert.strictEqual(yield* outcomeOf(org, "a"), "Answered")
        yield* copies.withholdAnswers(org, ["zoe", "ada"])
        assert.strictEqual(yield* outcomeOf(org, "a"), "Withheld")
        assert.strictEqual(yield* outcomeOf(org, "b"), "Answered")
        assert.strictEqual(yield* outcomeOf(other, "a"), "Answered")
      })
    )

    it.effect("finds no delivery where there is none", () =>
      Effect.gen(function* () {
        const { id: org } = yield* Fixture.org
        const copies = yield* CopyStore
        assert.deepStrictEqual(yield* copies.listDeliveries(org, ["a"]), [])
      })
    )
  })
