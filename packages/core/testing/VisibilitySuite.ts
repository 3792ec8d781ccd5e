/** Lives of an org through the use cases, on any store: what was known when gives every recorded decision again. */
import { CurrentActor } from "@attestry/core/Actor"
import * as Environment from "@attestry/core/Environment"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { Environments } from "@attestry/core/Environments"
import * as FastReportReader from "@attestry/core/FastReportReader"
import { Flows } from "@attestry/core/Flows"
import type { Org } from "@attestry/core/Org"
import type { Ports } from "@attestry/core/Ports"
import { RecordVerification } from "@attestry/core/RecordVerification"
import * as TableFinding from "@attestry/core/TableFinding"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as Fixture from "./Fixture.js"
import * as HistoryFixture from "./HistoryFixture.js"
import { type SuiteOptions, suite } from "./Suite.js"
import * as AsOfLaws from "./suite/AsOfLaws.js"
import * as ExposureLaws from "./suite/ExposureLaws.js"
import * as VisibilityLaws from "./VisibilityLaws.js"

const services = UseCases.layer.pipe(
  Layer.provide(SecretsWebCrypto.layer),
  Layer.provide(FastReportReader.layer)
)

/** Makes the environments, flows and policies that a life begins with. */
export const begin = (org: Org): Effect.Effect<void, unknown, UseCases.UseCases | CurrentActor> =>
  Effect.gen(function* () {
    const environments = yield* Environments
    const flows = yield* Flows
    for (const name of HistoryFixture.ENVIRONMENTS)
      yield* environments.put(org.name, { name, type: "server" })
    for (const name of HistoryFixture.FLOWS) yield* flows.put(org.name, { name, description: "" })
    for (const policy of HistoryFixture.POLICIES.keys()) {
      const said = { _tag: "Save", policy, text: policy } as const
      yield* HistoryFixture.happen(org, said, policy)
      const attached = { _tag: "Attach", environment: policy, policy, mode: "enforce" } as const
      yield* HistoryFixture.happen(org, attached, policy)
    }
  })

const play = (commands: ReadonlyArray<HistoryFixture.HistoryCommand>) =>
  Effect.gen(function* () {
    const org = yield* Fixture.org
    const life = Effect.gen(function* () {
      yield* begin(org)
      const seen: AsOfLaws.SeenFacts = new Map()
      for (const [count, said] of commands.entries()) {
        yield* HistoryFixture.happen(org, said, count)
        if (count % 5 === 0) yield* AsOfLaws.seesTheSame(org, HistoryFixture.CONTENTS, seen)
      }
      yield* AsOfLaws.seesTheSame(org, HistoryFixture.CONTENTS, seen)
      yield* VisibilityLaws.check(org.id, HistoryFixture.CONTENTS)
      const found = yield* (yield* RecordVerification).verify(org.id, 5)
      // WHY those alone: the org of a fixture has no entry of its creation.
      const verdicts = found.filter(({ _tag }) => _tag === "VerdictChanged")
      assert.deepStrictEqual(verdicts.map(TableFinding.print), [], "verification at level 5")
      yield* AsOfLaws.check(org, HistoryFixture.CONTENTS)
      for (const environment of yield* (yield* EnvironmentStore).list(org.id))
        yield* ExposureLaws.check(Environment.ref(environment), HistoryFixture.CONTENTS)
    })
    yield* Effect.provideService(life, CurrentActor, Fixture.actor([org, "admin"]))
  }).pipe(Effect.provide(services))

/** Runs lives of orgs on a store. */
export const visibilitySuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  { lives, ...options }: SuiteOptions & { readonly lives: number }
): void =>
  suite(`what was known when (${name})`, ports, options, (it) => {
    it.effect.prop(
      "HIST-1 to HIST-5, HIST-7, HIST-30 to HIST-34, EXPO-2: reproduces every decision, and ends in what stands",
      {
        commands: FastCheck.array(HistoryFixture.command, {
          minLength: 8,
          maxLength: 40,
          size: "max"
        })
      },
      ({ commands }) => play(commands),
      { fastCheck: { numRuns: lives }, timeout: 600_000 }
    )
  })
