/** Definitions of custom types as tests ask about them. */
import type { TypeContent } from "@attestry/core/AttestationType"
import { OrgId } from "@attestry/core/Identifier"
import { PayloadRules } from "@attestry/core/PayloadRules"
import { Effect } from "effect"

/** Two tenants. */
export const acme = OrgId.make("org_acme")
export const globex = OrgId.make("org_globex")

export const definition = (
  rules: ReadonlyArray<string>,
  type_schema: unknown = null
): TypeContent => ({ type_schema, evaluator: { content_type: "jq", rules }, summary: null })

export const evaluate = (
  rules: ReadonlyArray<string>,
  data: unknown,
  schema?: unknown,
  org: OrgId = acme
) =>
  Effect.flatMap(PayloadRules, (engines) => engines.evaluate(org, definition(rules, schema), data))

export const passes = (rule: string, data: unknown = null) =>
  Effect.map(evaluate([rule], data), ({ isCompliant }) => isCompliant)

export const problems = (rules: ReadonlyArray<string>, schema?: unknown) =>
  Effect.flatMap(PayloadRules, (engines) => engines.check(acme, definition(rules, schema)))
