/** Dry runs in lives of orgs, on any store: recorded policies change no verdict, and nothing is stored. SPEC §4.6 */
import { CurrentActor } from "@attestry/core/Actor"
import { ref } from "@attestry/core/Environment"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import * as FastReportReader from "@attestry/core/FastReportReader"
import { PolicyName } from "@attestry/core/Identifier"
import type { Org } from "@attestry/core/Org"
import type { Ports } from "@attestry/core/Ports"
import * as SnapshotExpression from "@attestry/core/SnapshotExpression"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as HistoryFixture from "@attestry/core/testing/HistoryFixture"
import { facts } from "@attestry/core/testing/PolicyFacts"
import type { SuiteOptions } from "@attestry/core/testing/Suite"
import { begin } from "@attestry/core/testing/VisibilitySuite"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import { type DryRunRequest, PolicyDryRuns } from "@attestry/policy-lab/PolicyDryRuns"
import * as PolicyLab from "@attestry/policy-lab/PolicyLab"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as LogicalDryRunLaws from "./suite/LogicalDryRunLaws.js"

const services = PolicyLab.layer.pipe(
  Layer.provideMerge(UseCases.layer),
  Layer.provide(SecretsWebCrypto.layer),
  Layer.provide(FastReportReader.layer)
)

const shown = { show: "all", remedies: 1 } as const

/** HIST-10: the versions that evaluated the newest snapshot flip nothing by what rows were evaluated by. */
const recordedFlipsNothing = (org: Org) =>
  Effect.gen(function* () {
    const [runs, snapshots] = [yield* PolicyDryRuns, yield* SnapshotStore]
    let tried = 0
    const all = yield* (yield* EnvironmentStore).list(org.id)
    for (const environment of all.filter(({ included }) => included === null)) {
      const head = Option.getOrThrow(yield* snapshots.latest(ref(environment)))
      // WHY: what an attachment only warns about would count, and version 0 is no policy that has a name.
      const enforced = head.policies.filter(({ mode, version }) => mode !== "warn" && version > 0)
      for (const { name, version } of enforced) {
        const { rows } = yield* runs.run(org.name, {
          candidate: { policy_name: PolicyName.make(name), version },
          on: {
            _tag: "Snapshot",
            environment: environment.name,
            expression: SnapshotExpression.behind(0)
          },
          against: "attached",
          asOf: "judged",
          ...shown
        })
        for (const { facts: about, verdict, was } of rows)
          assert.strictEqual(verdict, was, `HIST-10 ${environment.name} ${about.artifact.name}`)
        tried += rows.length
      }
    }
    return tried
  })

const CANDIDATES: ReadonlyArray<DryRunRequest["candidate"]> = [
  ...HistoryFixture.TEXTS.map((policy_yaml) => ({ policy_yaml })),
  { policy_yaml: HistoryFixture.TEXTS[0] ?? "", name: HistoryFixture.POLICIES[0] },
  { policy_yaml: "artifacts: 1" },
  ...HistoryFixture.POLICIES.map((policy_name) => ({ policy_name }))
]

const PLACES: ReadonlyArray<DryRunRequest["on"]> = [
  ...[...HistoryFixture.ENVIRONMENTS, LogicalDryRunLaws.GROUP].flatMap((environment) =>
    [SnapshotExpression.now, SnapshotExpression.index(1)].map(
      (expression) => ({ _tag: "Snapshot", environment, expression }) as const
    )
  ),
  ...HistoryFixture.CONTENTS.flatMap((fingerprint) => [
    { _tag: "Artifact", fingerprint } as const,
    ...HistoryFixture.ENVIRONMENTS.map(
      (environment) => ({ _tag: "Artifact", fingerprint, environment }) as const
    ),
    ...HistoryFixture.FLOWS.map((flow) => ({ _tag: "Artifact", fingerprint, flow }) as const)
  ]),
  { _tag: "Facts", facts: FastCheck.sample(facts, { numRuns: 5, seed: 3 }) }
]

const question: FastCheck.Arbitrary<DryRunRequest> = FastCheck.record({
  candidate: FastCheck.constantFrom(...CANDIDATES),
  on: FastCheck.constantFrom(...PLACES),
  against: FastCheck.constantFrom("attached" as const, "alone" as const),
  asOf: FastCheck.constantFrom("judged" as const, "now" as const, Timestamp.fromSeconds(2e9)),
  show: FastCheck.constantFrom("flips" as const, "failing" as const, "all" as const),
  remedies: FastCheck.nat(2)
})

type Command = HistoryFixture.HistoryCommand | LogicalDryRunLaws.GroupCommand

const command: FastCheck.Arbitrary<Command> = FastCheck.oneof(
  { weight: 9, arbitrary: HistoryFixture.command },
  { weight: 1, arbitrary: LogicalDryRunLaws.groupCommand }
)

/** Everything that happens in a life, and what is asked at its end. */
interface Life {
  readonly commands: ReadonlyArray<Command>
  readonly questions: ReadonlyArray<DryRunRequest>
}

const play = <R>({ commands, questions }: Life, picture: Effect.Effect<unknown, unknown, R>) =>
  Effect.gen(function* () {
    const org = yield* Fixture.org
    const life = Effect.gen(function* () {
      yield* begin(org)
      yield* LogicalDryRunLaws.beginGroup(org)
      const reports = HistoryFixture.ENVIRONMENTS.map(
        (_, environment) => ({ _tag: "Report", environment, contents: [0, 1] }) as const
      )
      for (const [count, said] of [...reports, ...commands].entries())
        yield* LogicalDryRunLaws.happenAnywhere(org, said, count)
      const before = yield* picture
      const runs = yield* PolicyDryRuns
      const answers = yield* Effect.forEach(questions, (each) =>
        Effect.either(runs.run(org.name, each))
      )
      const tried =
        (yield* recordedFlipsNothing(org)) + (yield* LogicalDryRunLaws.reproducesGroup(org))
      assert.deepStrictEqual(yield* picture, before, "HIST-11")
      return tried + answers.filter(Either.isRight).length
    })
    return yield* Effect.provideService(life, CurrentActor, Fixture.actor([org, "admin"]))
  }).pipe(Effect.provide(services))

/** How many lives there are, and everything that the store holds, as a value that can be compared. */
export interface DryRunSuiteOptions<R> extends SuiteOptions {
  readonly lives: number
  readonly picture: Effect.Effect<unknown, unknown, R>
}

/** Runs lives of orgs on a store. */
export const dryRunSuite = <R, E>(
  name: string,
  ports: Layer.Layer<Ports | R, E>,
  { lives, picture, ...options }: DryRunSuiteOptions<R>
): void =>
  layer(ports, { ...options, excludeTestServices: true, timeout: "60 seconds" })(
    `dry runs (${name})`,
    (it) => {
      it.effect.prop(
        "HIST-10, HIST-11: flip nothing of what evaluated, and leave the store as it is",
        {
          commands: FastCheck.array(command, { maxLength: 25, size: "max" }),
          questions: FastCheck.array(question, { minLength: 12, maxLength: 12 })
        },
        (life) => Effect.asVoid(play(life, picture)),
        { fastCheck: { numRuns: lives, endOnFailure: true }, timeout: 600_000 }
      )

      it.effect("HIST-11: a picture of the store shows each write, and answers were given", () =>
        Effect.gen(function* () {
          const before = yield* picture
          const [questions = []] = FastCheck.sample(
            FastCheck.array(question, { minLength: 30, maxLength: 30 }),
            { numRuns: 1, seed: 4 }
          )
          const commands = [
            { _tag: "Build", flow: 0, trail: 0, content: 0 },
            { _tag: "Report", environment: 0, contents: [0, 2] }
          ] as const
          assert.isAbove(yield* play({ commands, questions }, picture), 10)
          assert.notDeepEqual(yield* picture, before)
        })
      )
    }
  )
