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
import * as AsOfLaws from "./AsOfLaws.js"
import * as BacktestLaws from "./BacktestLaws.js"
import * as ExposureLaws from "./ExposureLaws.js"
import * as Fixture from "./Fixture.js"
import * as HistoryFixture from "./HistoryFixture.js"
import * as LogicalDryRunLaws from "./LogicalDryRunLaws.js"
import { type SuiteOptions, suite } from "./Suite.js"
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

const play = (commands: ReadonlyArray<HistoryFixture.KnowledgeCommand>) =>
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

type Command = HistoryFixture.KnowledgeCommand | LogicalDryRunLaws.GroupCommand

const command: FastCheck.Arbitrary<Command> = FastCheck.oneof(
  { weight: 3, arbitrary: HistoryFixture.report },
  { weight: 3, arbitrary: HistoryFixture.evidence },
  { weight: 1, arbitrary: HistoryFixture.command },
  { weight: 2, arbitrary: LogicalDryRunLaws.groupCommand }
)

/** Everything is built and runs, so that members have rows when they leave. */
const FIRST: ReadonlyArray<Command> = [
  ...HistoryFixture.CONTENTS.map(
    (_, content) => ({ _tag: "Build", flow: 0, trail: 0, content }) as const
  ),
  ...HistoryFixture.ENVIRONMENTS.map(
    (_, environment) => ({ _tag: "Report", environment, contents: [0, 1, 2] }) as const
  )
]

/** How many commands of a life run at once, where several do. */
const WRITERS = 8

/** Plays a life with a logical environment whose members come and go; answers how many rows were played again. */
const playMembers = (
  commands: ReadonlyArray<Command>,
  { isConcurrent = false }: { readonly isConcurrent?: boolean } = {}
) =>
  Effect.gen(function* () {
    const org = yield* Fixture.org
    const life = Effect.gen(function* () {
      yield* begin(org)
      yield* LogicalDryRunLaws.beginGroup(org)
      const happen = (said: Command, count: number) =>
        LogicalDryRunLaws.happenAnywhere(org, said, count)
      yield* Effect.forEach(FIRST, happen)
      yield* Effect.forEach(commands, (said, at) => happen(said, FIRST.length + at), {
        concurrency: isConcurrent ? WRITERS : 1
      })
      return yield* BacktestLaws.reproducesMembers(org, HistoryFixture.POLICIES, { isConcurrent })
    })
    return yield* Effect.provideService(life, CurrentActor, Fixture.actor([org, "admin"]))
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

    it.effect.prop(
      "HIST-1: backtests of a logical environment give every decision again, whichever members come and go",
      { commands: FastCheck.array(command, { minLength: 8, maxLength: 40, size: "max" }) },
      ({ commands }) => Effect.asVoid(playMembers(commands)),
      { fastCheck: { numRuns: lives, endOnFailure: true }, timeout: 600_000 }
    )

    it.effect.prop(
      "HIST-1: backtests of a logical environment give every decision again when eight writers have worked at once",
      { commands: FastCheck.array(command, { minLength: 24, maxLength: 60, size: "max" }) },
      ({ commands }) => Effect.asVoid(playMembers(commands, { isConcurrent: true })),
      { fastCheck: { numRuns: lives, endOnFailure: true }, timeout: 600_000 }
    )

    it.effect(
      "HIST-1: a former member that is evaluated by new evidence changes no row that was shown",
      () =>
        Effect.gen(function* () {
          const played = yield* playMembers([
            { _tag: "Attach", environment: 0, policy: 1, mode: "enforce" },
            { _tag: "Build", flow: 0, trail: 0, content: 0 },
            { _tag: "Report", environment: 0, contents: [0] },
            { _tag: "Include", members: ["test"] },
            {
              ...{ _tag: "Attest", flow: 0, trail: 0, content: 0 },
              isCompliant: true,
              isOverride: false
            },
            { _tag: "Report", environment: 0, contents: [0, 1] },
            { _tag: "Report", environment: 1, contents: [1] }
          ])
          assert.isAbove(played, 0)
        })
    )
  })
