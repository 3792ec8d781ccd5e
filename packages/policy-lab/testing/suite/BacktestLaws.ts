/** HIST-1 of logical environments: backtests of what evaluated one give every recorded decision again. SPEC §4.6 */
import type { CurrentActor } from "@attestry/core/Actor"
import * as Environment from "@attestry/core/Environment"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import type { EnvironmentName, PolicyName } from "@attestry/core/Identifier"
import type { Org } from "@attestry/core/Org"
import type { Ports } from "@attestry/core/Ports"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import * as Timestamp from "@attestry/core/Timestamp"
import type { UseCases } from "@attestry/core/UseCases"
import { Backtests } from "@attestry/policy-lab/Backtests"
import type { Totals } from "@attestry/policy-lab/PolicyBacktest"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/** The most ends of windows that are replayed for one environment. */
const ENDS_MAX = 8

/** The result of a policy that replaces itself, from the beginning up to an instant. */
const play = (
  { name: org }: Org,
  asked: {
    readonly environment: EnvironmentName
    readonly policy: PolicyName
    readonly to?: Timestamp.Timestamp
  }
) =>
  Effect.gen(function* () {
    const lines = yield* (yield* Backtests).run(org, {
      candidate: { policy_name: asked.policy },
      environments: [asked.environment],
      ...(asked.to === undefined ? {} : { to: asked.to }),
      evidence: "judged",
      verify: true,
      limit: 100_000
    })
    const found: Array<Totals> = []
    yield* Stream.runForEach(lines, (line) =>
      Effect.sync(() => {
        if (line.type === "environment") found.push(line.totals)
      })
    )
    return found
  })

/** Instants out of a list at even distances. */
const sampled = (
  instants: ReadonlyArray<Timestamp.Timestamp>
): ReadonlyArray<Timestamp.Timestamp> => {
  const step = Math.max(1, Math.ceil(instants.length / ENDS_MAX))
  return instants.filter((_, place) => place % step === 0)
}

/**
 * HIST-1: a backtest of a logical environment reproduces every row of its members, whatever they report after they have
 * left and wherever its window ends. Evidence that was in flight is left out where writers ran at once. Answers how
 * many rows were replayed.
 */
export const reproducesMembers = (
  org: Org,
  policies: ReadonlyArray<PolicyName>,
  { isConcurrent = false }: { readonly isConcurrent?: boolean } = {}
): Effect.Effect<number, unknown, Ports | UseCases | Backtests | CurrentActor> =>
  Effect.gen(function* () {
    const snapshots = yield* SnapshotStore
    const all = yield* (yield* EnvironmentStore).list(org.id)
    const heads = yield* Effect.forEach(all, (environment) =>
      snapshots.heads(Environment.ref(environment), { first: 1, last: 10_000 })
    )
    const ends = heads.flat().map(({ timestamp }) => Timestamp.fromMicros(timestamp + 1))
    const instants = sampled(ends.sort((left, right) => left - right))
    let replayed = 0
    for (const { included, name } of all)
      for (const policy of included === null ? [] : policies)
        for (const to of [...instants, undefined])
          for (const { rows, unreproduced } of yield* play(org, {
            environment: name,
            policy,
            ...(to === undefined ? {} : { to })
          })) {
            const { in_flight, ...others } = unreproduced
            assert.deepStrictEqual(
              { ...others, in_flight: isConcurrent ? 0 : in_flight },
              { rows: 0, other_semantics: 0, in_flight: 0 },
              `HIST-1 ${name} ${policy} up to ${to ?? "the horizon"}`
            )
            replayed += rows
          }
    return replayed
  })

/**
 * HIST-20: a backtest of a physical environment reproduces every recorded decision, at the instant of its evaluation.
 * Answers how many rows were replayed.
 */
export const reproducesRows = (
  org: Org,
  policies: ReadonlyArray<PolicyName>
): Effect.Effect<number, unknown, Ports | UseCases | Backtests | CurrentActor> =>
  Effect.gen(function* () {
    let replayed = 0
    for (const { included, name } of yield* (yield* EnvironmentStore).list(org.id))
      for (const policy of included === null ? policies : [])
        for (const { rows, unreproduced } of yield* play(org, { environment: name, policy })) {
          assert.deepStrictEqual(
            unreproduced,
            { rows: 0, other_semantics: 0, in_flight: 0 },
            `HIST-20 ${name} ${policy}`
          )
          replayed += rows
        }
    return replayed
  })
