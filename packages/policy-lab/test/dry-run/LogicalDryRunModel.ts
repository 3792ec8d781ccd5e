/**
 * A dry run of a logical environment, straight from its definition: every policy is evaluated by itself on every row,
 * and nothing is compiled together, kept or left out.
 */
import type { Facts } from "@attestry/core/PolicyFacts"
import { evaluate, type ModelPolicy } from "@attestry/core/testing/PolicyEvaluationModel"

/** A policy, and whether it only warns. */
export interface ModelAttached extends ModelPolicy {
  readonly mode?: "warn"
}

/** What a row is evaluated by in one environment. */
export interface ModelEvaluated {
  readonly facts: Facts
  readonly isAllowed: boolean
}

/** A row of a member. */
export interface ModelRow {
  readonly member: string
  readonly inMember: ModelEvaluated
  readonly byOwn: ModelEvaluated
}

/** A logical environment. */
export interface ModelLogical {
  readonly own: ReadonlyArray<ModelAttached>
  readonly members: ReadonlyArray<{
    readonly name: string
    readonly policies: ReadonlyArray<ModelAttached>
  }>
}

/** What would be said. */
export interface ModelAnswer {
  readonly verdict: string
  readonly rows: ReadonlyArray<string>
}

const ORDER = ["NonCompliant", "Unknown", "Compliant"]

const worst = (verdicts: ReadonlyArray<string>): string =>
  ORDER.find((each) => verdicts.includes(each)) ?? "Unknown"

/** The policies with the candidate in the place of every one of its name; among the own ones where there is none. */
export const place = ({ members, own }: ModelLogical, candidate: ModelAttached): ModelLogical => {
  const put = (all: ReadonlyArray<ModelAttached>) =>
    all.map((each) => (each.name === candidate.name ? candidate : each))
  const isThere = [own, ...members.map(({ policies }) => policies)]
    .flat()
    .some(({ name }) => name === candidate.name)
  return {
    own: isThere ? put(own) : [...own, candidate],
    members: members.map(({ name, policies }) => ({ name, policies: put(policies) }))
  }
}

/** The verdict of a row by the policies of one environment. */
const verdictOf = (
  policies: ReadonlyArray<ModelAttached>,
  { facts, isAllowed }: ModelEvaluated
): string => {
  if (isAllowed) return "Compliant"
  const counting = policies.filter(({ mode }) => mode !== "warn")
  return worst(counting.map((policy) => evaluate([policy], facts).verdict))
}

/** Evaluates every row by its member and by the logical environment. */
export const decide = (
  { members, own }: ModelLogical,
  rows: ReadonlyArray<ModelRow>
): ModelAnswer => {
  const policiesOf = (member: string) => members.find(({ name }) => name === member)?.policies ?? []
  const isCounting = own.some(({ mode }) => mode !== "warn")
  const evaluated = rows.map(({ byOwn, inMember, member }) => ({
    member,
    inMember: verdictOf(policiesOf(member), inMember),
    byOwn: verdictOf(own, byOwn)
  }))
  const inside = members.map(({ name, policies }) => {
    if (policies.every(({ mode }) => mode === "warn")) return "Unknown"
    const verdicts = evaluated.filter(({ member }) => member === name)
    return verdicts.every((each) => each.inMember === "Compliant") ? "Compliant" : "NonCompliant"
  })
  const above = evaluated.every(({ byOwn }) => byOwn === "Compliant") ? "Compliant" : "NonCompliant"
  return {
    verdict: worst(isCounting && members.length > 0 ? [...inside, above] : inside),
    rows: evaluated.map((each) => worst(isCounting ? [each.inMember, each.byOwn] : [each.inMember]))
  }
}
