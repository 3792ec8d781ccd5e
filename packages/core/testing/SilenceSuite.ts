/**
 * Silences of environments on every store, by a clock that the test moves: law F-7, due instants that passed without a
 * look, steps of the clock, processes that look at once, and what snapshots and the journal tell.
 */
import { CurrentActor } from "@attestry/core/Actor"
import type { Cadence } from "@attestry/core/Cadence"
import { EnvironmentNotifications } from "@attestry/core/EnvironmentNotifications"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { Environments } from "@attestry/core/Environments"
import { EnvironmentName, type OrgId, PolicyName } from "@attestry/core/Identifier"
import { JournalStore } from "@attestry/core/JournalStore"
import type { Org } from "@attestry/core/Org"
import { OutboxStore } from "@attestry/core/OutboxStore"
import * as PendingWorker from "@attestry/core/PendingWorker"
import { Policies } from "@attestry/core/Policies"
import type { Ports } from "@attestry/core/Ports"
import { Reevaluations } from "@attestry/core/Reevaluations"
import { Reports } from "@attestry/core/Reports"
import type { Silence } from "@attestry/core/Silence"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import { plusSeconds, toSeconds } from "@attestry/core/Timestamp"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import { assert, layer } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "./Fixture.js"

/** Moves the clock of a store by some seconds, forward or back, as the environments of an org see it. */
export type Elapse = (org: OrgId, seconds: number) => Effect.Effect<void>

const services = UseCases.layer.pipe(Layer.provide(SecretsWebCrypto.layer))

const EVERY = 650
const GRACE = 15
const DAY = 86_400

/** How far the clock of a store may run while a test moves it, in seconds. */
const DRIFT = 50

const name = EnvironmentName.make("prod")
const NON_COMPLIANT: Partial<Cadence> = { report_every: EVERY, when_silent: "non_compliant" }

const policyYaml = (rules: string) =>
  `_schema: https://example.org/schemas/environment-policy/v1\nartifacts:\n  ${rules}\n`

/** Passes every artifact. */
const PASSING = policyYaml("provenance: { required: false }")
const FAILING = policyYaml("provenance: { required: true }")

const report = (org: Org, artifact = "app") => {
  const text = JSON.stringify({
    artifacts: [{ digests: { [artifact]: "a".repeat(64) }, creationTimestamp: 1 }]
  })
  return Effect.flatMap(Reports, (reports) =>
    reports.accept(org.name, name, {
      kind: "server",
      bodyDigest: text,
      text: Effect.succeed(text)
    })
  )
}

const look = (org: Org) =>
  Effect.flatMap(Environments, (environments) =>
    Effect.map(environments.get(org.name, name), ({ environment }) => environment)
  )

const turn = Effect.flatten(PendingWorker.makeDueTurn)

const patch = (org: Org, fields: Partial<Cadence>) =>
  Effect.flatMap(Environments, (environments) => environments.patch(org.name, name, fields))

const putPolicy = (org: Org, policy_yaml: string) =>
  Effect.flatMap(Policies, (policies) =>
    policies.put(org.name, {
      name: PolicyName.make("rules"),
      description: "",
      policy_yaml,
      comment: ""
    })
  )

/** What is stored about the environment: its silences, its snapshots and the kinds of its journal entries. */
const stored = (org: Org, of = name) =>
  Effect.gen(function* () {
    const found = yield* (yield* EnvironmentStore).findByName({ org: org.id, name: of })
    const environment = Option.getOrThrow(found).environment
    const ref = { org: org.id, environment: environment.id }
    const heads = yield* (yield* SnapshotStore).heads(ref, { first: 1, last: 1_000 })
    const subject = { type: "environment", id: environment.id }
    const entries = yield* (yield* JournalStore).listBySubject(org.id, subject)
    return {
      environment,
      silences: yield* (yield* EnvironmentStore).listSilences(ref),
      heads: [...heads].reverse(),
      kinds: entries.map(({ kind }) => kind).filter((kind) => /silen|reporting/.test(kind))
    }
  })

const verdictsOf = ({ heads }: Effect.Effect.Success<ReturnType<typeof stored>>) =>
  heads.map(({ verdict, reasons }) => (reasons === undefined ? verdict : `${verdict}, silent`))

/** An org whose environment has a policy that every artifact passes, and has reported. */
const inOrg = <A, E, R>(cadence: Partial<Cadence>, work: (org: Org) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Fixture.org, (org) =>
    Effect.gen(function* () {
      yield* putPolicy(org, PASSING)
      const environments = yield* Environments
      yield* environments.put(org.name, { name, type: "server", policies: ["rules"], ...cadence })
      yield* report(org)
      return yield* work(org)
    }).pipe(Effect.provideService(CurrentActor, Fixture.actor([org, "admin"])))
  )

interface Step {
  readonly wait: number
  readonly act: "report" | "look" | "turn"
}

/** WHY hundreds of seconds: no instant is near a due one, so that a clock that runs changes nothing. */
const steps: FastCheck.Arbitrary<ReadonlyArray<Step>> = FastCheck.array(
  FastCheck.record({
    wait: FastCheck.integer({ min: 0, max: 16 }).map((hundreds) => hundreds * 100),
    act: FastCheck.constantFrom("report", "report", "look", "turn")
  }),
  { minLength: 2, maxLength: 8 }
)

interface Spoken {
  readonly from: number
  readonly to: number | null
}

/** The silences of reports, from the gaps between them; the first report is at 0. */
const modelOf = (made: ReadonlyArray<Step>): { readonly silences: Array<Spoken>; now: number } => {
  const silences: Array<Spoken> = []
  let [last, now, isOpen] = [0, 0, false]
  const notice = () => {
    if (isOpen || now < last + EVERY + GRACE) return
    silences.push({ from: last + EVERY, to: null })
    isOpen = true
  }
  for (const { act, wait } of made) {
    now += wait
    notice()
    if (act !== "report") continue
    const open = silences.at(-1)
    if (isOpen && open !== undefined) silences[silences.length - 1] = { ...open, to: now }
    isOpen = false
    last = now
  }
  return { silences, now }
}

const isNear = (left: number, right: number) => Math.abs(left - right) <= DRIFT

/** Compares silences with those of the model, whose clock stands at `now`. */
const compare = (
  silences: ReadonlyArray<Silence>,
  expected: ReadonlyArray<Spoken>,
  [now, modelNow]: readonly [number, number]
) => {
  assert.strictEqual(silences.length, expected.length)
  for (const [at, { from, to }] of expected.entries()) {
    const silence = silences[at]
    const beganAgo = now - toSeconds(silence?.from_at ?? Fixture.AT)
    assert.isTrue(isNear(beganAgo, modelNow - from), `${beganAgo} is not ${modelNow - from}`)
    assert.strictEqual(silence?.to_at === null, to === null)
  }
}

/** Declares the suite on a store. */
export const silenceSuite = <R, E>(
  store: string,
  ports: Layer.Layer<Ports | R, E>,
  {
    elapse,
    runs
  }: {
    readonly elapse: (org: OrgId, seconds: number) => Effect.Effect<void, unknown, Ports | R>
    readonly runs: number
  }
): void => {
  // WHY: a clock that cannot be moved fails the test, whatever its failure is.
  const wait = (org: Org, seconds: number) => Effect.orDie(elapse(org.id, seconds))
  layer(services.pipe(Layer.provideMerge(ports)), { timeout: "60 seconds" })(
    `silences of environments (${store})`,
    (it) => {
      it.effect.prop(
        "F-7: each begins once and ends once, for any schedule of reports, reads and turns",
        { made: steps },
        ({ made }) =>
          inOrg(NON_COMPLIANT, (org) =>
            Effect.gen(function* () {
              for (const { act, wait: seconds } of made) {
                yield* wait(org, seconds)
                if (act === "report") yield* report(org)
                else if (act === "look") yield* look(org)
                else yield* turn
              }
              yield* look(org)
              const { silences: expected, now } = modelOf(made)
              const found = yield* stored(org)
              const clock = Option.getOrThrow(
                yield* (yield* EnvironmentStore).findByName({ org: org.id, name })
              ).now
              compare(found.silences, expected, [toSeconds(clock), now])
              deepStrictEqual(
                found.kinds,
                expected.flatMap(({ to }) =>
                  to === null
                    ? ["environment_silent"]
                    : ["environment_silent", "environment_reporting"]
                )
              )
              deepStrictEqual(verdictsOf(found), [
                "Compliant",
                ...expected.flatMap(({ to }) =>
                  to === null ? ["NonCompliant, silent"] : ["NonCompliant, silent", "Compliant"]
                )
              ])
            })
          ),
        { fastCheck: { numRuns: runs } }
      )

      it.effect("is declared once, at its instant, by processes that look much later at once", () =>
        inOrg(NON_COMPLIANT, (org) =>
          Effect.gen(function* () {
            yield* wait(org, DAY)
            const { drain } = yield* Reevaluations
            yield* Effect.all([drain(org.id), drain(org.id), look(org), turn], {
              concurrency: "unbounded"
            })
            const { environment, heads, kinds, silences } = yield* stored(org)
            const last = environment.last_reported_at ?? Fixture.AT
            const since = plusSeconds(last, EVERY)
            deepStrictEqual(silences, [{ from_at: since, to_at: null }])
            deepStrictEqual(kinds, ["environment_silent"])
            assert.strictEqual(environment.silent_since, since)
            assert.strictEqual(heads.length, 2)
            assert.strictEqual(heads[1]?.timestamp, plusSeconds(since, GRACE))
            deepStrictEqual(
              heads[1]?.reasons?.map(({ type, silent_since }) => [type, silent_since]),
              [["environment_silent", since]]
            )
          })
        )
      )

      it.effect("ends with a report that says what the last one said, at its own instant", () =>
        inOrg({ report_every: EVERY }, (org) =>
          Effect.gen(function* () {
            yield* wait(org, 2_000)
            yield* report(org)
            const { environment, heads, kinds, silences } = yield* stored(org)
            assert.strictEqual(silences.length, 1)
            assert.isTrue(
              isNear(
                toSeconds(silences[0]?.to_at ?? Fixture.AT),
                toSeconds(environment.last_reported_at ?? Fixture.AT)
              )
            )
            assert.strictEqual(environment.silent_since, undefined)
            deepStrictEqual(kinds, ["environment_silent", "environment_reporting"])
            // Silence that only warns appends no snapshot.
            assert.strictEqual(heads.length, 1)
          })
        )
      )

      it.effect("keeps the verdict and the reason while other things are evaluated", () =>
        inOrg(NON_COMPLIANT, (org) =>
          Effect.gen(function* () {
            yield* wait(org, 2_000)
            yield* look(org)
            yield* putPolicy(org, FAILING)
            yield* look(org)
            yield* putPolicy(org, PASSING)
            yield* look(org)
            deepStrictEqual(verdictsOf(yield* stored(org)), [
              "Compliant",
              "NonCompliant, silent",
              "NonCompliant, silent",
              "NonCompliant, silent"
            ])
            yield* report(org)
            assert.strictEqual((yield* look(org)).verdict, "Compliant")
          })
        )
      )

      it.effect("is followed by logical environments", () =>
        inOrg(NON_COMPLIANT, (org) =>
          Effect.gen(function* () {
            const all = EnvironmentName.make("all")
            yield* (yield* Environments).put(org.name, {
              name: all,
              type: "logical",
              included_environments: [name]
            })
            yield* wait(org, 2_000)
            yield* look(org)
            assert.strictEqual((yield* stored(org, all)).environment.verdict, "NonCompliant")
            yield* report(org)
            deepStrictEqual(verdictsOf(yield* stored(org, all)), [
              "Compliant",
              "NonCompliant",
              "Compliant"
            ])
          })
        )
      )

      it.effect("follows changes of the cadence, and never begins before the cadence was set", () =>
        inOrg({}, (org) =>
          Effect.gen(function* () {
            yield* wait(org, DAY)
            yield* look(org)
            deepStrictEqual((yield* stored(org)).silences, [])
            yield* patch(org, NON_COMPLIANT)
            const silent = yield* stored(org)
            assert.strictEqual(silent.silences.length, 1)
            assert.strictEqual(silent.heads[1]?.timestamp, silent.environment.last_modified_at)
            yield* patch(org, { when_silent: "warn" })
            yield* patch(org, { report_every: 2 * DAY })
            const over = yield* stored(org)
            assert.strictEqual(over.environment.silent_since, undefined)
            deepStrictEqual(over.kinds, ["environment_silent", "environment_silence_ended"])
            deepStrictEqual(verdictsOf(over), ["Compliant", "NonCompliant, silent", "Compliant"])
            yield* patch(org, { report_every: null })
            yield* wait(org, 3 * DAY)
            yield* turn
            assert.strictEqual((yield* stored(org)).silences.length, 1)
          })
        )
      )

      it.effect("is told once when it begins and once when it ends", () =>
        inOrg({ report_every: EVERY }, (org) =>
          Effect.gen(function* () {
            yield* (yield* EnvironmentNotifications).create(org.name, {
              name: "silences",
              environments: [name],
              triggers: ["ON_SILENT_ENV", "ON_REPORTING_ENV"],
              targets: [{ type: "CHAT", webhook: "https://chat.example.org/1" }]
            })
            yield* wait(org, 2_000)
            yield* turn
            yield* turn
            yield* look(org)
            yield* report(org)
            yield* report(org)
            const claimed = yield* (yield* OutboxStore).claim({
              limit: 10_000,
              perQueue: 10_000,
              leaseMillis: 600_000
            })
            deepStrictEqual(
              claimed
                .filter(({ org_id }) => org_id === org.id)
                .map(({ notification }) => notification.event_type)
                .sort(),
              ["ENVIRONMENT_REPORTING", "ENVIRONMENT_SILENT"]
            )
          })
        )
      )

      it.effect("comes from no step of the clock backwards, and once from a step forward", () =>
        inOrg(NON_COMPLIANT, (org) =>
          Effect.gen(function* () {
            yield* wait(org, -DAY)
            yield* turn
            yield* report(org)
            yield* look(org)
            deepStrictEqual((yield* stored(org)).silences, [])
            yield* wait(org, 2 * DAY)
            yield* turn
            yield* look(org)
            assert.strictEqual((yield* stored(org)).silences.length, 1)
            yield* wait(org, -DAY)
            yield* report(org)
            const { environment, kinds, silences } = yield* stored(org)
            assert.strictEqual(environment.silent_since, undefined)
            deepStrictEqual(kinds, ["environment_silent", "environment_reporting"])
            for (const { from_at, to_at } of silences) assert.isAtLeast(to_at ?? 0, from_at)
          })
        )
      )
    }
  )
}
