/** Lives of an org through the use cases, on any store: what was known when gives every recorded decision again. */
import { CurrentActor } from "@attestry/core/Actor"
import * as Environment from "@attestry/core/Environment"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { Environments } from "@attestry/core/Environments"
import * as FastReportReader from "@attestry/core/FastReportReader"
import { Flows } from "@attestry/core/Flows"
import type { Org } from "@attestry/core/Org"
import type { Ports } from "@attestry/core/Ports"
import * as RecordFinding from "@attestry/core/RecordFinding"
import { RecordVerification } from "@attestry/core/RecordVerification"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as ExposureLaws from "./ExposureLaws.js"
import * as Fixture from "./Fixture.js"
import * as KnowledgeFixture from "./KnowledgeFixture.js"
import * as KnowledgeLaws from "./KnowledgeLaws.js"
import * as PastLaws from "./PastLaws.js"
import { type SuiteOptions, suite } from "./Suite.js"

const services = UseCases.layer.pipe(
  Layer.provide(SecretsWebCrypto.layer),
  Layer.provide(FastReportReader.layer)
)

/** Makes the environments, flows and policies that a life begins with. */
export const begin = (org: Org): Effect.Effect<void, unknown, UseCases.UseCases | CurrentActor> =>
  Effect.gen(function* () {
    const environments = yield* Environments
    const flows = yield* Flows
    for (const name of KnowledgeFixture.ENVIRONMENTS)
      yield* environments.put(org.name, { name, type: "server" })
    for (const name of KnowledgeFixture.FLOWS) yield* flows.put(org.name, { name, description: "" })
    for (const policy of KnowledgeFixture.POLICIES.keys()) {
      const said = { _tag: "Save", policy, text: policy } as const
      yield* KnowledgeFixture.happen(org, said, policy)
      const attached = { _tag: "Attach", environment: policy, policy, mode: "enforce" } as const
      yield* KnowledgeFixture.happen(org, attached, policy)
    }
  })

const play = (commands: ReadonlyArray<KnowledgeFixture.KnowledgeCommand>) =>
  Effect.gen(function* () {
    const org = yield* Fixture.org
    const life = Effect.gen(function* () {
      yield* begin(org)
      const seen: PastLaws.SeenFacts = new Map()
      for (const [count, said] of commands.entries()) {
        yield* KnowledgeFixture.happen(org, said, count)
        if (count % 5 === 0) yield* PastLaws.seesTheSame(org, KnowledgeFixture.CONTENTS, seen)
      }
      yield* PastLaws.seesTheSame(org, KnowledgeFixture.CONTENTS, seen)
      yield* KnowledgeLaws.check(org.id, KnowledgeFixture.CONTENTS)
      const found = yield* (yield* RecordVerification).verify(org.id, 5)
      // WHY those alone: the org of a fixture has no entry of its creation.
      const verdicts = found.filter(({ _tag }) => _tag === "VerdictChanged")
      assert.deepStrictEqual(verdicts.map(RecordFinding.print), [], "verification at level 5")
      yield* PastLaws.check(org, KnowledgeFixture.CONTENTS)
      for (const environment of yield* (yield* EnvironmentStore).list(org.id))
        yield* ExposureLaws.check(Environment.ref(environment), KnowledgeFixture.CONTENTS)
    })
    yield* Effect.provideService(life, CurrentActor, Fixture.actor([org, "admin"]))
  }).pipe(Effect.provide(services))

/** Runs lives of orgs on a store. */
export const knowledgeSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  { lives, ...options }: SuiteOptions & { readonly lives: number }
): void =>
  suite(`what was known when (${name})`, ports, options, (it) => {
    it.effect.prop(
      "H-1 to H-5, H-7, H-30 to H-34, Q-2: gives every recorded decision again, and ends in what stands",
      {
        commands: FastCheck.array(KnowledgeFixture.command, {
          minLength: 8,
          maxLength: 40,
          size: "max"
        })
      },
      ({ commands }) => play(commands),
      { fastCheck: { numRuns: lives }, timeout: 600_000 }
    )
  })
