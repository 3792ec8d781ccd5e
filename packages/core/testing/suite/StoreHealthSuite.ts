/** The contract of `StoreHealth`; the tests of a store cover how it can be unhealthy. */
import type { Ports } from "@attestry/core/Ports"
import { StoreHealth } from "@attestry/core/StoreHealth"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { type SuiteOptions, suite } from "../Suite.js"

/** States the contract of `StoreHealth`. */
export const storeHealthSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`StoreHealth (${name})`, ports, options, (it) => {
    it.effect("succeeds for a working store", () =>
      Effect.gen(function* () {
        const health = yield* StoreHealth
        assert.strictEqual(yield* health.check, undefined)
      })
    )
  })
