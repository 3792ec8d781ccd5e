/** Mitigations of a page: how often statements are read, and for which questions. */
import type { Exposure } from "@attestry/core/Exposure"
import { Fingerprint } from "@attestry/core/Fingerprint"
import {
  EnvironmentId,
  EnvironmentName,
  FlowName,
  OrgId,
  TrailName
} from "@attestry/core/Identifier"
import * as Timestamp from "@attestry/core/Timestamp"
import { type VexQuestions, VexStore } from "@attestry/core/VexStore"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Mitigations from "../../src/exposure/internal/Mitigations.js"

const print = (at: number) => Fingerprint.make(at.toString(16).padStart(64, "0"))

const exposure = (at: number, flow: string | null): Exposure => ({
  fingerprint: print(at),
  environmentId: EnvironmentId.make("e"),
  environmentName: EnvironmentName.make("prod"),
  name: `app-${at}`,
  firstIndex: 1,
  lastIndex: null,
  from: Timestamp.fromMillis(0),
  to: null,
  startedVerdict: "Unknown",
  verdict: "Unknown",
  nonCompliantMicros: 0,
  record:
    flow === null
      ? null
      : { flowName: FlowName.make(flow), trailName: TrailName.make("t"), commit: null }
})

describe("mitigations of a page", () => {
  it.effect("are read once for each flow, about all its artifacts and components", () => {
    const asked: Array<VexQuestions> = []
    const store = Layer.mock(VexStore, {
      listDeciding: (_, questions) =>
        Effect.sync(() => {
          asked.push(questions)
          return []
        })
    })
    return Effect.gen(function* () {
      const { mitigatedOf } = yield* Mitigations.make
      const exposures = [
        ...Array.from({ length: 100 }, (_, at) => exposure(at, at % 2 === 0 ? "shop" : "pay")),
        exposure(100, null)
      ]
      const components = new Map(
        exposures.map(({ fingerprint }, at) => [fingerprint, [`pkg:npm/a@${at % 3}`]])
      )
      const found = yield* mitigatedOf(
        OrgId.make("o"),
        { vulnerability: "CVE-1", components },
        exposures
      )
      assert.strictEqual(found.size, 0)
      assert.deepStrictEqual(
        asked.map(({ components: purls, flow, products }) =>
          [flow ?? "none", purls.length, products.length].join(" ")
        ),
        ["shop 3 53", "pay 3 53", "none 1 2"]
      )
      assert.isTrue(asked.every(({ vulnerabilities }) => vulnerabilities.join() === "CVE-1"))
    }).pipe(Effect.provide(store))
  })
})
