/** Backtests in lives of orgs, on any store: a logical environment gives every recorded decision again. SPEC §4.6 */
import { CurrentActor } from "@attestry/core/Actor"
import * as FastReportReader from "@attestry/core/FastReportReader"
import type { Org } from "@attestry/core/Org"
import type { Ports } from "@attestry/core/Ports"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as HistoryFixture from "@attestry/core/testing/HistoryFixture"
import { type SuiteOptions, suite } from "@attestry/core/testing/Suite"
import { begin } from "@attestry/core/testing/VisibilitySuite"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import * as PolicyLab from "@attestry/policy-lab/PolicyLab"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as BacktestLaws from "./suite/BacktestLaws.js"
import * as LogicalDryRunLaws from "./suite/LogicalDryRunLaws.js"

const services = PolicyLab.layer.pipe(
  Layer.provideMerge(UseCases.layer),
  Layer.provide(SecretsWebCrypto.layer),
  Layer.provide(FastReportReader.layer)
)

type Command = HistoryFixture.HistoryCommand | LogicalDryRunLaws.GroupCommand

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

/** What holds about backtests of an org whose policies have ages. */
export const reproducesAged = (
  org: Org
): Effect.Effect<void, unknown, Ports | UseCases.UseCases | CurrentActor> =>
  Effect.gen(function* () {
    yield* BacktestLaws.reproducesRows(org, HistoryFixture.POLICIES)
    yield* BacktestLaws.reproducesMembers(org, HistoryFixture.POLICIES)
  }).pipe(Effect.provide(PolicyLab.layer))

/** How many commands of a life run at once, where several do. */
const WRITERS = 8

/** Runs a history with a logical environment whose members come and go; returns how many rows were replayed. */
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
export const backtestSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  { lives, ...options }: SuiteOptions & { readonly lives: number }
): void =>
  suite(`backtests of logical environments (${name})`, ports, options, (it) => {
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
          const replayed = yield* playMembers([
            { _tag: "Attach", environment: 0, policy: 1, mode: "enforce" },
            { _tag: "Build", flow: 0, trail: 0, content: 0 },
            { _tag: "Report", environment: 0, contents: [0] },
            { _tag: "Include", members: ["test"] },
            {
              _tag: "Attest",
              flow: 0,
              trail: 0,
              content: 0,
              isCompliant: true,
              isOverride: false
            },
            { _tag: "Report", environment: 0, contents: [0, 1] },
            { _tag: "Report", environment: 1, contents: [1] }
          ])
          assert.isAbove(replayed, 0)
        })
    )
  })
