/**
 * The rows that a policy is suggested from: which attestations and tags their flows have.
 *
 * A rule is then played on the rows that it can hold for; all others fail it, or it does not apply to them.
 */

import * as AttestationTypePattern from "@attestry/core/AttestationTypePattern"
import type { Paused } from "@attestry/core/Paused"
import type { AttestationRule, Condition } from "@attestry/core/PolicyDocument"
import { isName } from "@attestry/core/PolicyDocument"
import * as PolicyExpression from "@attestry/core/PolicyExpression"
import type { Facts, FlowView } from "@attestry/core/PolicyFacts"
import * as Either from "effect/Either"

/** The parts of a rule that name attestations. */
export type Asked = Pick<AttestationRule, "name" | "type">

/** A condition about a tag, and the flows for which it is true. */
export interface TaggedRows {
  readonly condition: Condition
  readonly rows: ReadonlyArray<Facts>
  readonly flows: ReadonlyArray<FlowView>
}

/** Rows, and what their flows have. */
export interface SuggestionRows {
  readonly rows: ReadonlyArray<Facts>
  /** The number of flows. */
  readonly flowNames: number
  /** The names and types of attestations that occur and that a rule can name, sorted. */
  readonly asked: ReadonlyArray<Asked>
  readonly rowsOf: ReadonlyMap<string, ReadonlySet<Facts>>
  readonly keysOf: ReadonlyMap<FlowView, ReadonlySet<string>>
  /** The tags that at least two flows share, where the language can express them, sorted. */
  readonly tags: ReadonlyArray<TaggedRows>
}

/** What identifies an artifact. */
export const idOf = ({ artifact }: Facts): string => artifact.fingerprint || artifact.name

const keyOf = ({ name, type }: Asked): string => `${type} ${name}`

/** The rows that have the attestation in some flow. */
export const having = ({ rowsOf }: SuggestionRows, asked: Asked): ReadonlySet<Facts> =>
  rowsOf.get(keyOf(asked)) ?? new Set()

/** Whether a flow has the attestation. */
export const has = ({ keysOf }: SuggestionRows, flow: FlowView, asked: Asked): boolean =>
  keysOf.get(flow)?.has(keyOf(asked)) === true

const byText = ([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number =>
  left < right ? -1 : 1

/** Conditions for the tags that at least two flows share. */
function* conditionsOf(rows: ReadonlyArray<Facts>): Paused<ReadonlyArray<Condition>> {
  const flowsOf = new Map<string, Map<string, Set<string>>>()
  for (const { flows } of rows) {
    yield
    for (const { flow_name, tags } of flows)
      for (const [key, value] of Object.entries(tags)) {
        const values = flowsOf.get(key) ?? new Map<string, Set<string>>()
        values.set(value, (values.get(value) ?? new Set()).add(flow_name))
        flowsOf.set(key, values)
      }
  }
  return [...flowsOf]
    .flatMap(([key, values]) =>
      [...values].flatMap(([value, flows]) => (flows.size > 1 ? [textOf(key, value)] : []))
    )
    .sort()
    .flatMap((text) =>
      Either.match(PolicyExpression.parse(text), {
        onLeft: () => [],
        onRight: (expression) => [{ text, expression }]
      })
    )
}

const textOf = (key: string, value: string): string =>
  PolicyExpression.print({
    _tag: "Compare",
    operator: "==",
    left: { _tag: "Tag", key },
    right: { _tag: "Text", value }
  })

/** The rows and flows for which a condition about a tag is true. */
function* taggedBy(condition: Condition, rows: ReadonlyArray<Facts>): Paused<TaggedRows> {
  const evaluate = PolicyExpression.compile(condition.expression)
  const flows: Array<FlowView> = []
  const tagged: Array<Facts> = []
  for (const row of rows) {
    const found = row.flows.filter((flow) => evaluate({ artifact: row.artifact, flow }) === "True")
    if (found.length > 0) tagged.push(row)
    flows.push(...found)
    yield
  }
  return { condition, rows: tagged, flows }
}

/** The rows with what their flows have. */
export function* make(rows: ReadonlyArray<Facts>, withTags: boolean): Paused<SuggestionRows> {
  const asked = new Map<string, Asked>()
  const rowsOf = new Map<string, Set<Facts>>()
  const keysOf = new Map<FlowView, Set<string>>()
  const flowNames = new Set<string>()
  for (const row of rows) {
    yield
    for (const flow of row.flows) {
      flowNames.add(flow.flow_name)
      const keys = new Set<string>()
      for (const { name, type } of flow.attestations) {
        if (!AttestationTypePattern.is(type) || !isName(name)) continue
        const key = keyOf({ name, type })
        keys.add(key)
        asked.set(key, { name, type })
        rowsOf.set(key, (rowsOf.get(key) ?? new Set()).add(row))
      }
      keysOf.set(flow, keys)
    }
  }
  const tags: Array<TaggedRows> = []
  for (const condition of withTags ? yield* conditionsOf(rows) : [])
    tags.push(yield* taggedBy(condition, rows))
  return {
    rows,
    flowNames: flowNames.size,
    asked: [...asked].sort(byText).map(([, one]) => one),
    rowsOf,
    keysOf,
    tags
  }
}
