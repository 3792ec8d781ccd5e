/** The contract of `AgentAccountStore`. */
import { AgentAccountStore } from "@attestry/core/AgentAccountStore"
import type { Ports } from "@attestry/core/Ports"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "../Fixture.js"
import { type SuiteOptions, suite } from "../Suite.js"

/** States the contract of `AgentAccountStore`. */
export const agentAccountStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`AgentAccountStore (${name})`, ports, options, (it) => {
    it.effect("keeps the accounts of each org, in their order", () =>
      Effect.gen(function* () {
        const store = yield* AgentAccountStore
        const [org, other] = [yield* Fixture.org, yield* Fixture.org]
        deepStrictEqual(yield* store.find(org.id), Option.none())
        for (const accounts of [["Robo", "b"], ["ü", "a", "Robo"], []]) {
          yield* store.put(org.id, { accounts })
          deepStrictEqual(yield* store.find(org.id), Option.some({ accounts }))
        }
        deepStrictEqual(yield* store.find(other.id), Option.none())
      })
    )
  })
