/**
 * Port: the engines that custom types need, JSON Schema and jq.
 *
 * Both calls are total and bounded in time and memory, whatever the schema, the rules and the data. The
 * default has no engine and refuses every definition that needs one; `@attestry/evidence-rules` has both.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { TypeContent } from "./AttestationType.js"

/** One thing wrong with a definition, under the name of its field. */
export interface RuleProblem {
  readonly field: string
  readonly message: string
}

/** What a definition makes of some data. */
export interface RuleOutcome {
  /** Why the data does not fit the schema; none when it does. */
  readonly schemaProblem: string | null
  /**
   * Whether every rule gives at least one output and nothing but `true`; an error, no output, or too
   * much time or memory fails a rule. DECISION D3.9
   */
  readonly isCompliant: boolean
}

/** Whether a definition asks for nothing that an engine would have to work out. */
const isPlain = ({ type_schema, evaluator, summary }: TypeContent): boolean =>
  type_schema === null &&
  (evaluator.content_type === "default" || evaluator.rules.length === 0) &&
  (summary === null || summary.length === 0)

/** The engines that custom types need. */
export interface RuleEngines {
  /** Everything that is wrong with a definition: a schema that is none, programs that do not compile. */
  readonly check: (definition: TypeContent) => Effect.Effect<ReadonlyArray<RuleProblem>>
  /** What a checked definition makes of some data. */
  readonly judge: (definition: TypeContent, data: unknown) => Effect.Effect<RuleOutcome>
}

const noEngine: RuleEngines = {
  check: (definition) =>
    Effect.succeed(
      isPlain(definition)
        ? []
        : [{ field: "evaluator", message: "This deployment runs no schemas or rules" }]
    ),
  judge: (definition) => Effect.succeed({ schemaProblem: null, isCompliant: isPlain(definition) })
}

/** Port: the engines that custom types need. */
export class PayloadRules extends Context.Reference<PayloadRules>()("@attestry/core/PayloadRules", {
  defaultValue: (): RuleEngines => noEngine
}) {}
