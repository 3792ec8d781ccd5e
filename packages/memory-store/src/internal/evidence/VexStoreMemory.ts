/** `VexStore` in memory. */
import type { OrgId } from "@attestry/core/Identifier"
import type { KeptStatement } from "@attestry/core/KeptStatement"
import * as VexDecision from "@attestry/core/VexDecision"
import { type VexQuestions, VexStore } from "@attestry/core/VexStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, type MemoryState, table } from "../shared/MemoryState.js"

const statements = table<KeptStatement>("vex_statement")

/** Whether a statement fits questions. */
const fits = (org: OrgId, { components, flow, products, vulnerabilities }: VexQuestions) => {
  const asked = {
    vulnerabilities: new Set(vulnerabilities),
    products: new Set(products),
    components: new Set(components)
  }
  return (each: KeptStatement): boolean =>
    each.org_id === org &&
    each.trusted &&
    asked.vulnerabilities.has(each.vulnerability) &&
    asked.products.has(each.product) &&
    (each.component === null || asked.components.has(each.component)) &&
    (each.flows === null || (flow !== null && each.flows.includes(flow)))
}

const timeOf = ({ at }: KeptStatement): number => at ?? Number.NEGATIVE_INFINITY

const newestFirst = (left: KeptStatement, right: KeptStatement): number => {
  const [one, other] = [timeOf(left), timeOf(right)]
  if (one !== other) return one > other ? -1 : 1
  return (
    right.sequence - left.sequence ||
    Number(VexDecision.isMitigating(left)) - Number(VexDecision.isMitigating(right)) ||
    left.ordinal - right.ordinal
  )
}

/** `VexStore` in memory. */
export const layer: Layer.Layer<VexStore, never, MemoryState> = Layer.effect(
  VexStore,
  Effect.map(MemoryRows.make(statements), (rows) =>
    VexStore.of({
      append: (org, given) =>
        Effect.forEach(
          given,
          (each) => rows.set(key(org, each.digest, each.position, each.ordinal), each),
          { discard: true }
        ),
      listDeciding: (org, questions) =>
        Effect.map(rows.values, (all) => {
          const deciding = new Map<string, KeptStatement>()
          for (const each of all.filter(fits(org, questions)).sort(newestFirst)) {
            const place = key(each.vulnerability, each.product, each.component ?? "")
            if (!deciding.has(place)) deciding.set(place, each)
          }
          return [...deciding.values()]
        })
    })
  )
)
