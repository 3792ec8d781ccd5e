/** A dry run of a logical environment says what its definition says. */

import { TIMELESS } from "@attestry/core/Moment"
import type { PolicyVersion } from "@attestry/core/PolicyEvaluation"
import { document } from "@attestry/core/testing/PolicyDocument"
import { facts } from "@attestry/core/testing/PolicyFacts"
import * as PolicyDryRun from "@attestry/policy-lab/PolicyDryRun"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { lengthForRun } from "../../../core/test/shared/Effort.js"
import * as Model from "./LogicalDryRunModel.js"

const NAMES = ["base", "lab", "strict"]
const MEMBERS = ["one", "two"]

const version = (name: string, from: string): FastCheck.Arbitrary<PolicyVersion> =>
  FastCheck.record({ document, warns: FastCheck.boolean() }).map(({ document: text, warns }) => ({
    id: `${from} ${name}`,
    name,
    version: 1,
    document: text,
    ...(warns ? { mode: "warn" as const } : {})
  }))

const attached = (from: string): FastCheck.Arbitrary<ReadonlyArray<PolicyVersion>> =>
  FastCheck.subarray(NAMES).chain((names) =>
    FastCheck.tuple(...names.map((name) => version(name, from)))
  )

interface Logical extends PolicyDryRun.DryRunEnvironment {
  readonly members: ReadonlyArray<PolicyDryRun.Member>
}

const logical: FastCheck.Arbitrary<Logical> = FastCheck.subarray(MEMBERS).chain((names) =>
  FastCheck.record({
    name: FastCheck.constant("all"),
    policies: attached("all"),
    moment: FastCheck.constant(TIMELESS),
    members: FastCheck.tuple(
      ...names.map((name) =>
        attached(name).map((policies) => ({ name, policies, moment: TIMELESS }))
      )
    )
  })
)

const candidate = document.map(
  (text): PolicyVersion => ({
    id: "candidate",
    name: "lab",
    version: 0,
    document: text
  })
)

interface Drawn {
  readonly at: number
  readonly inMember: Model.ModelEvaluated
  readonly byOwn: Model.ModelEvaluated
}

const evaluated: FastCheck.Arbitrary<Model.ModelEvaluated> = FastCheck.record({
  facts,
  isAllowed: FastCheck.nat(5).map((drawn) => drawn === 0)
})

const rows: FastCheck.Arbitrary<ReadonlyArray<Drawn>> = FastCheck.array(
  FastCheck.record({ at: FastCheck.nat(5), inMember: evaluated, byOwn: evaluated }),
  { maxLength: 6 }
)

const placed = ({ members }: Logical, drawn: ReadonlyArray<Drawn>) =>
  drawn.flatMap(({ at, byOwn, inMember }): ReadonlyArray<Model.ModelRow> => {
    const member = members[at % Math.max(1, members.length)]
    return member === undefined ? [] : [{ member: member.name, inMember, byOwn }]
  })

const triedOf = ({ byOwn, inMember, member }: Model.ModelRow): PolicyDryRun.DryRunRow => ({
  facts: byOwn.facts,
  was: null,
  isAllowed: byOwn.isAllowed,
  member: { name: member, facts: inMember.facts, isAllowed: inMember.isAllowed }
})

const modelOf = ({ members, policies }: Logical): Model.ModelLogical => ({
  // WHY: texts that are drawn can all be evaluated.
  own: policies as Model.ModelLogical["own"],
  members: members as Model.ModelLogical["members"]
})

const shown = { show: "all", remedies: 0 } as const

describe("LogicalDryRun", () => {
  it.prop(
    "evaluates rows and the whole as the definition does",
    [logical, candidate, rows],
    ([given, tried, drawn]) => {
      const found = placed(given, drawn)
      const placing = PolicyDryRun.withCandidate(given, tried)
      const answer = PolicyDryRun.evaluate(placing, found.map(triedOf), shown)
      const expected = Model.decide(
        Model.place(modelOf(given), tried as Model.ModelAttached),
        found
      )
      assert.strictEqual(answer.verdict, expected.verdict)
      assert.deepStrictEqual(
        answer.rows.map(({ verdict }) => verdict),
        [...expected.rows]
      )
      for (const { decisions, member, reasons, verdict } of answer.rows) {
        const places = new Set(decisions.map(({ environment }) => environment))
        assert.includeMembers(["all", member?.name], [...places])
        if (verdict !== "NonCompliant") assert.deepStrictEqual(reasons, [])
        else assert.isNotEmpty(reasons)
      }
    },
    { fastCheck: { numRuns: lengthForRun({ quick: 130, full: 400, deep: 400 }) } }
  )

  it.prop(
    "has the candidate in the place of each policy of its name, and once more only where there is none",
    [logical, candidate],
    ([given, tried]) => {
      const { members: placed, policies } = PolicyDryRun.withCandidate(given, tried)
      const members = placed ?? []
      const names = (all: ReadonlyArray<PolicyVersion>) => all.map(({ name }) => name).sort()
      const before = [given.policies, ...given.members.map((member) => member.policies)]
      const isThere = before.flat().some(({ name }) => name === "lab")
      assert.deepStrictEqual(
        names(policies),
        names(isThere ? given.policies : [...given.policies, tried])
      )
      for (const [at, member] of members.entries())
        assert.deepStrictEqual(names(member.policies), names(given.members[at]?.policies ?? []))
      for (const each of [policies, ...members.map((member) => member.policies)].flat())
        if (each.name === "lab") assert.strictEqual(each.id, "candidate")
    }
  )
})
