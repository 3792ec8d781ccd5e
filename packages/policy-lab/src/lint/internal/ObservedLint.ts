/** Remarks about a policy beside what an org has and runs: unknown names, rules that nothing uses. */

import type { ControlRefusal } from "@attestry/core/ControlRefusal"
import type { Moment } from "@attestry/core/Moment"
import * as NearestName from "@attestry/core/NearestName"
import type { Paused } from "@attestry/core/Paused"
import type { AttestationRule, Path, PolicyDocument } from "@attestry/core/PolicyDocument"
import * as PolicyEvaluation from "@attestry/core/PolicyEvaluation"
import * as PolicyExpression from "@attestry/core/PolicyExpression"
import type { Expression, Literal } from "@attestry/core/PolicyExpressionTree"
import type { Facts } from "@attestry/core/PolicyFacts"
import type { RemarkCode } from "../PolicyRemark.js"
import {
  type Draft,
  placedConditions,
  requirementPath,
  requirements,
  rulePath
} from "./LintDraft.js"

/** What an org has, and what runs there. */
export interface Observations {
  readonly flows: ReadonlyArray<{
    readonly name: string
    readonly tags: { readonly [key: string]: string }
  }>
  /** The names of custom types, without `custom:`. */
  readonly customTypes: ReadonlyArray<string>
  /** The controls of the policy that the org does not have, or has archived. */
  readonly refusedControls: ReadonlyMap<string, ControlRefusal>
  /** Names of attestations in templates, and of those that were reported. */
  readonly attestationNames: ReadonlyArray<string>
  /** What runs, with the facts of now. */
  readonly rows: ReadonlyArray<Facts>
  /** The moment at which they run. */
  readonly moment: Moment
}

/** A name that conditions compare, with what it is compared to. */
interface Compared {
  readonly part: Expression
  readonly texts: ReadonlyArray<string>
}

const textsOf = (parts: ReadonlyArray<Expression | Literal>): ReadonlyArray<string> =>
  parts.flatMap((part) => (part._tag === "Text" ? [part.value] : []))

const comparedIn = (node: Expression): ReadonlyArray<Compared> => {
  if (node._tag === "In") return [{ part: node.operand, texts: textsOf(node.list) }]
  if (node._tag === "Exists" || node._tag === "Matches") return [{ part: node.operand, texts: [] }]
  if (node._tag !== "Compare") return []
  const isEquality = node.operator === "==" || node.operator === "!="
  return [
    { part: node.left, texts: isEquality ? textsOf([node.right]) : [] },
    { part: node.right, texts: isEquality ? textsOf([node.left]) : [] }
  ]
}

interface Unknown {
  readonly code: RemarkCode
  readonly path: Path
  readonly what: string
  readonly name: string
  readonly known: ReadonlyArray<string>
}

const SHOWN_MAX = 5

const unknown = ({ code, known, name, path, what }: Unknown): Draft => {
  const nearest = NearestName.find(name, known)
  const some = [...known].sort().slice(0, SHOWN_MAX)
  const listed = some.map((one) => `\`${one}\``).join(", ")
  const advice =
    nearest !== undefined
      ? `did you mean \`${nearest}\`?`
      : some.length === 0
        ? "the org has none yet"
        : `there ${some.length === 1 ? "is" : "are"} ${listed}${known.length > SHOWN_MAX ? ", …" : ""}`
  return { code, path, message: `${what}: ${advice}`, suggestion: nearest }
}

/** The names of flows, and the values of each of their tags. */
interface Words {
  readonly flows: ReadonlySet<string>
  readonly tags: ReadonlyMap<string, ReadonlySet<string>>
}

const wordsOf = ({ flows }: Observations): Words => {
  const tags = new Map<string, Set<string>>()
  for (const flow of flows)
    for (const [key, value] of Object.entries(flow.tags))
      tags.set(key, (tags.get(key) ?? new Set()).add(value))
  return { flows: new Set(flows.map(({ name }) => name)), tags }
}

const ofTag = (
  {
    key,
    path,
    texts
  }: { readonly key: string; readonly path: Path; readonly texts: Compared["texts"] },
  { tags }: Words
): ReadonlyArray<Draft> => {
  const values = tags.get(key)
  if (values === undefined)
    return [
      unknown({
        code: "unknown_tag",
        path,
        what: `no flow has a tag \`${key}\``,
        name: key,
        known: [...tags.keys()]
      })
    ]
  return texts
    .filter((text) => !values.has(text))
    .map((text) =>
      unknown({
        code: "unknown_tag_value",
        path,
        what: `no flow has \`${text}\` as its tag \`${key}\``,
        name: text,
        known: [...values]
      })
    )
}

const ofCompared = ({ part, texts }: Compared, path: Path, words: Words): ReadonlyArray<Draft> => {
  if (part._tag === "Tag") return ofTag({ key: part.key, path, texts }, words)
  if (part._tag !== "Field" || part.field !== "flow.name") return []
  return texts
    .filter((text) => !words.flows.has(text))
    .map((name) =>
      unknown({
        code: "unknown_flow",
        path,
        what: `there is no flow \`${name}\``,
        name,
        known: [...words.flows]
      })
    )
}

function* ofConditions(
  document: PolicyDocument,
  observed: Observations
): Paused<ReadonlyArray<Draft>> {
  const words = wordsOf(observed)
  const found: Array<Draft> = []
  for (const { condition, path } of placedConditions(document))
    for (const compared of PolicyExpression.nodes(condition.expression).flatMap(comparedIn)) {
      found.push(...ofCompared(compared, path, words))
      yield
    }
  return found
}

const ofControl = (
  control: string,
  path: Path,
  { refusedControls }: Observations
): ReadonlyArray<Draft> => {
  const refusal = refusedControls.get(control)
  if (refusal === undefined) return []
  return [
    refusal === "unknown"
      ? {
          code: "unknown_control",
          path,
          message: `there is no control \`${control}\`: create it first, or name another one`
        }
      : {
          code: "archived_control",
          path,
          message: `control \`${control}\` is archived: unarchive it, or name another one`
        }
  ]
}

const ofRule = (
  { forControl, name, type }: AttestationRule,
  path: Path,
  observed: Observations
): ReadonlyArray<Draft> => {
  const { attestationNames, customTypes } = observed
  const custom = type.startsWith("custom:") ? type.slice("custom:".length) : undefined
  return [
    ...(custom === undefined || customTypes.includes(custom)
      ? []
      : [
          unknown({
            code: "unknown_custom_type",
            path: [...path, "type"],
            what: `there is no attestation type \`${custom}\``,
            name: custom,
            known: customTypes
          })
        ]),
    ...(name === "*" || attestationNames.includes(name)
      ? []
      : [
          unknown({
            code: "unknown_attestation_name",
            path: [...path, "name"],
            what: `no template and no attestation of what runs has the name \`${name}\``,
            name,
            known: attestationNames
          })
        ]),
    ...(forControl === null ? [] : ofControl(forControl, [...path, "for_control"], observed))
  ]
}

const pathOfRule = (index: number): Path =>
  index === 0
    ? requirementPath("provenance")
    : index === 1
      ? requirementPath("trail-compliance")
      : rulePath(index - 2)

const isOff = (document: PolicyDocument, index: number): boolean =>
  index < 2 && requirements(document)[index === 0 ? 0 : 1].requirement.required === false

/** Rules that applied to nothing that runs, or failed for all that they applied to. */
function* ofRows(
  document: PolicyDocument,
  { moment, rows }: Observations
): Paused<ReadonlyArray<Draft>> {
  const compiled = PolicyEvaluation.compile([{ id: "p", name: "p", version: 0, document }])
  const counts = new Map<number, { applied: number; failed: number }>()
  for (const facts of rows) {
    yield
    for (const decision of PolicyEvaluation.evaluate(compiled, facts, moment).policy_decisions)
      for (const [index, { satisfied }] of decision.rule_evaluations.entries()) {
        const count = counts.get(index) ?? { applied: 0, failed: 0 }
        if (satisfied !== null) count.applied++
        if (satisfied === false) count.failed++
        counts.set(index, count)
      }
  }
  return [...counts].flatMap(([index, { applied, failed }]): ReadonlyArray<Draft> => {
    if (isOff(document, index) || (applied > 0 && failed < applied)) return []
    const path = pathOfRule(index)
    const artifacts = `${rows.length} running ${rows.length === 1 ? "artifact" : "artifacts"}`
    return applied === 0
      ? [{ code: "rule_unused", path, message: `the rule applies to none of the ${artifacts}` }]
      : [
          {
            code: "rule_always_fails",
            path,
            message:
              `the rule fails for all ${applied} of the ${artifacts} that it applies to: ` +
              "is that meant, or is a name wrong?"
          }
        ]
  })
}

const scopesOf = ({ artifact, flows }: Facts): ReadonlyArray<PolicyExpression.Scope> =>
  flows.length === 0 ? [{ artifact, flow: null }] : flows.map((flow) => ({ artifact, flow }))

function* unusedExceptions(
  document: PolicyDocument,
  { rows }: Observations
): Paused<ReadonlyArray<Draft>> {
  const found: Array<Draft> = []
  for (const { condition, isException, path } of placedConditions(document)) {
    if (!isException) continue
    const evaluate = PolicyExpression.compile(condition.expression)
    let isUsed = false
    for (const row of rows) {
      isUsed = scopesOf(row).some((scope) => evaluate(scope) === "True")
      yield
      if (isUsed) break
    }
    if (!isUsed)
      found.push({
        code: "exception_unused",
        path,
        message:
          `the exception is true for none of the ${rows.length} running artifacts: ` +
          "remove it if it is outdated"
      })
  }
  return found
}

/** The remarks about names that the org does not have and, where something runs, rules that nothing uses. */
export function* check(
  document: PolicyDocument,
  observed: Observations
): Paused<ReadonlyArray<Draft>> {
  const names = [
    ...(yield* ofConditions(document, observed)),
    ...document.attestations.flatMap((rule, index) => ofRule(rule, rulePath(index), observed))
  ]
  yield
  if (observed.rows.length === 0) return names
  return [
    ...names,
    ...(yield* ofRows(document, observed)),
    ...(yield* unusedExceptions(document, observed))
  ]
}
