/**
 * A logical environment in the life of an org, and the law that dry runs of what evaluated it give what was recorded.
 * SPEC §4.6
 */
import type { CurrentActor } from "@attestry/core/Actor"
import * as Environment from "@attestry/core/Environment"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { Environments } from "@attestry/core/Environments"
import { EnvironmentName, PolicyName } from "@attestry/core/Identifier"
import type { Org } from "@attestry/core/Org"
import { PolicyAttachments } from "@attestry/core/PolicyAttachments"
import type { Ports } from "@attestry/core/Ports"
import * as RowDecision from "@attestry/core/RowDecision"
import type { EvaluatingPolicy, Snapshot } from "@attestry/core/Snapshot"
import * as SnapshotExpression from "@attestry/core/SnapshotExpression"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import * as HistoryFixture from "@attestry/core/testing/HistoryFixture"
import type { UseCases } from "@attestry/core/UseCases"
import type { EvaluatedResult } from "@attestry/policy-lab/PolicyDryRun"
import { type DryRunAnswer, PolicyDryRuns } from "@attestry/policy-lab/PolicyDryRuns"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"

/** The logical environment of a life. */
export const GROUP = EnvironmentName.make("all")

/** Something that happens to the logical environment. */
export type GroupCommand =
  | { readonly _tag: "Include"; readonly members: ReadonlyArray<string> }
  | {
      readonly _tag: "AttachAbove"
      readonly policy: PolicyName
      readonly mode: "enforce" | "warn"
    }
  | { readonly _tag: "DetachAbove"; readonly policy: PolicyName }

const policy = FastCheck.constantFrom(...HistoryFixture.POLICIES)

/** Something that happens to the logical environment. */
export const groupCommand: FastCheck.Arbitrary<GroupCommand> = FastCheck.oneof(
  FastCheck.record({
    _tag: FastCheck.constant("Include" as const),
    members: FastCheck.subarray<string>([...HistoryFixture.ENVIRONMENTS])
  }),
  FastCheck.record({
    _tag: FastCheck.constant("AttachAbove" as const),
    policy,
    mode: FastCheck.constantFrom("enforce" as const, "enforce" as const, "warn" as const)
  }),
  FastCheck.record({ _tag: FastCheck.constant("DetachAbove" as const), policy })
)

type Happening = Effect.Effect<void, unknown, UseCases | CurrentActor>

/** Makes it, with all members and one policy. */
export const beginGroup = (org: Org): Happening =>
  Effect.asVoid(
    Effect.flatMap(Environments, (environments) =>
      environments.put(org.name, {
        name: GROUP,
        type: "logical",
        policies: HistoryFixture.POLICIES.slice(1),
        included_environments: HistoryFixture.ENVIRONMENTS
      })
    )
  )

/** Runs a command. */
export const happenAbove = (org: Org, said: GroupCommand): Happening =>
  Effect.gen(function* () {
    const [environments, attachments] = [yield* Environments, yield* PolicyAttachments]
    switch (said._tag) {
      case "Include":
        return yield* environments.put(org.name, {
          name: GROUP,
          type: "logical",
          included_environments: said.members
        })
      case "AttachAbove":
        return yield* attachments.attach(org.name, GROUP, {
          names: [said.policy],
          mode: said.mode
        })
      case "DetachAbove":
        return yield* attachments.detach(org.name, GROUP, [said.policy])
    }
  }).pipe(Effect.asVoid)

/** Runs a command of a life, whatever it is about. */
export const happenAnywhere = (
  org: Org,
  said: HistoryFixture.HistoryCommand | GroupCommand,
  count: number
): Happening => {
  switch (said._tag) {
    case "Include":
    case "AttachAbove":
    case "DetachAbove":
      return happenAbove(org, said)
    default:
      return HistoryFixture.happen(org, said, count)
  }
}

/** The decisions of one environment about a row, in the form in which they are recorded. */
const decidedIn = (
  { decisions }: EvaluatedResult,
  environment: string,
  policies: ReadonlyArray<EvaluatingPolicy>
) =>
  RowDecision.fromDecisions(
    decisions.flatMap(({ environment: place, ...decision }) =>
      place === environment ? [decision] : []
    ),
    (_, at) => policies[at]?.id ?? ""
  )

/**
 * The rows of members have the decisions that they have there, and the decisions of the logical environment's
 * policies agree with the lists of failing rows.
 */
const decidesAsRecorded = (
  { rows, snapshot }: DryRunAnswer,
  members: ReadonlyArray<{ readonly name: string; readonly snapshot: Snapshot }>,
  where: string
) => {
  assert.deepStrictEqual(
    rows.map(({ verdict }) => verdict),
    rows.map(({ was }) => was),
    `HIST-10 ${where}`
  )
  for (const { name, snapshot: inside } of members) {
    const running = inside.rows.filter(({ annotation }) => annotation.type !== "exited")
    assert.deepStrictEqual(
      rows
        .filter(({ member }) => member?.name === name)
        .map((row) => [
          row.facts.artifact.name,
          row.facts.artifact.fingerprint,
          decidedIn(row, name, inside.policies)
        ]),
      running.map((row) => [row.name, row.fingerprint, row.decisions]),
      `HIST-10 ${where} ${name}`
    )
  }
  for (const [at, { failing = [], name }] of (snapshot?.head.policies ?? []).entries()) {
    const failed = rows.filter(
      (row) => decidedIn(row, GROUP, snapshot?.head.policies ?? [])[at]?.status === "NON-COMPLIANT"
    )
    assert.deepStrictEqual(
      [...new Set(failed.map(({ facts }) => facts.artifact.fingerprint))].sort(),
      [...failing],
      `HIST-10 ${where}: what ${name} fails`
    )
  }
}

/**
 * HIST-10: dry runs of the versions that evaluated a snapshot of the logical environment, or of its members there,
 * reproduce it. Answers how many rows were evaluated.
 */
export const reproducesGroup = (
  org: Org
): Effect.Effect<number, unknown, Ports | UseCases | PolicyDryRuns | CurrentActor> =>
  Effect.gen(function* () {
    const [runs, snapshots, environments] = [
      yield* PolicyDryRuns,
      yield* SnapshotStore,
      yield* EnvironmentStore
    ]
    const group = (yield* environments.list(org.id)).find(({ name }) => name === GROUP)
    if (group === undefined) return 0
    const at = Environment.ref(group)
    const latest = Option.match(yield* snapshots.latest(at), {
      onNone: () => 0,
      onSome: ({ index }) => index
    })
    let evaluated = 0
    for (let index = 1; index <= latest; index++) {
      const head = Option.getOrThrow(yield* snapshots.find(at, { _tag: "AtIndex", index }))
      const names = yield* environments.names(
        org.id,
        (head.members ?? []).map(({ environment_id }) => environment_id)
      )
      const members = yield* Effect.forEach(head.members ?? [], (member) =>
        Effect.map(
          snapshots.find(
            { org: org.id, environment: member.environment_id },
            { _tag: "AtIndex", index: member.index }
          ),
          (found) => ({
            name: names.get(member.environment_id) ?? "",
            snapshot: Option.getOrThrow(found)
          })
        )
      )
      const sets = [head.policies, ...members.map(({ snapshot }) => snapshot.policies)]
      for (const { mode, name, version } of sets.flat()) {
        // WHY: what only warns somewhere would count there, and another version may evaluate elsewhere.
        const isOne = sets
          .flat()
          .filter((each) => each.name === name)
          .every((each) => each.mode !== "warn" && each.version === version)
        if (!isOne || mode === "warn" || version === 0) continue
        const answer = yield* runs.run(org.name, {
          candidate: { policy_name: PolicyName.make(name), version },
          on: {
            _tag: "Snapshot",
            environment: GROUP,
            expression: SnapshotExpression.index(index)
          },
          against: "attached",
          asOf: "judged",
          show: "all",
          remedies: 0
        })
        decidesAsRecorded(answer, members, `${GROUP}#${index} ${name}`)
        assert.strictEqual(answer.verdict, head.verdict, `HIST-10 ${GROUP}#${index}`)
        evaluated += answer.rows.length
      }
    }
    return evaluated
  })
