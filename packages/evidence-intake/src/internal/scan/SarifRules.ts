/** The rules of a run in SARIF, found for a result by index in the tool or an extension of it, or by id. */
import type { Severity } from "@attestry/core/EvidenceFacts"
import type { JsonObject } from "../Format.js"
import * as Fields from "./Fields.js"
import * as Severities from "./Severities.js"

/** What a rule says about its results. */
export interface SarifRule {
  readonly id: string | null
  /** The level of results without one. */
  readonly level: unknown
  /** The severity of its score; null without a score. */
  readonly severity: Severity | null
}

/** The rules of a run. */
export interface SarifRules {
  /** The rule of a result. */
  readonly find: (result: JsonObject) => SarifRule | undefined
}

const ruleOf = (rule: unknown): SarifRule => ({
  id: Fields.text(Fields.member(rule, "id")),
  level: Fields.at(rule, "defaultConfiguration", "level"),
  severity: Severities.fromScore(Fields.at(rule, "properties", "security-severity"))
})

const rulesOf = (component: unknown): ReadonlyArray<SarifRule> => {
  const rules = Fields.member(component, "rules")
  return Array.isArray(rules) ? rules.map(ruleOf) : []
}

/** The id of the rule of a result. */
export const idOf = (result: JsonObject): unknown =>
  Fields.member(result, "ruleId") ?? Fields.at(result, "rule", "id")

/** The id without its last segment; undefined if it has one segment. */
const parentOf = (id: string): string | undefined => {
  const slash = id.lastIndexOf("/")
  return slash > 0 ? id.slice(0, slash) : undefined
}

/** The rules of a run; a rule of the tool comes before one of an extension with the same id. */
export const of = (run: JsonObject): SarifRules => {
  const extensions = Fields.at(run, "tool", "extensions")
  const driver = rulesOf(Fields.at(run, "tool", "driver"))
  const extended = Array.isArray(extensions) ? extensions.map(rulesOf) : []
  const byId = new Map<string, SarifRule>()
  for (const rule of [driver, ...extended].flat())
    if (rule.id !== null && !byId.has(rule.id)) byId.set(rule.id, rule)

  const byIndex = (result: JsonObject): SarifRule | undefined => {
    const component = Fields.at(result, "rule", "toolComponent")
    const place = Fields.count(Fields.member(component, "index"))
    const index = Fields.count(
      Fields.at(result, "rule", "index") ?? Fields.member(result, "ruleIndex")
    )
    if (index === null) return undefined
    if (component === undefined) return driver[index]
    return place === null ? undefined : extended[place]?.[index]
  }

  return {
    find: (result) => {
      const indexed = byIndex(result)
      if (indexed !== undefined) return indexed
      const id = Fields.text(idOf(result))
      if (id === null) return undefined
      // Results name a rule, or a part of one by a further segment.
      const parent = parentOf(id)
      return byId.get(id) ?? (parent === undefined ? undefined : byId.get(parent))
    }
  }
}
