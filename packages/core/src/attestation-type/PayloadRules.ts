/**
 * Port: the JSON Schema and jq engines of custom types.
 *
 * Results depend on the definition and the data alone: not on earlier calls, load or time. Calls are bounded in
 * steps and memory. The default has no engine and refuses every definition that needs one;
 * `@attestry/evidence-rules` provides both.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { OrgId } from "../shared/Identifier.js"
import type { TypeContent } from "./AttestationType.js"

/** One problem of a definition, under the name of its field. */
export interface RuleProblem {
  readonly field: string
  readonly message: string
}

/** The evaluation of some data by a definition. */
export interface RuleOutcome {
  /**
   * Why the data has no evaluation: it does not fit the schema, or exceeds the steps or memory of the schema or
   * a rule.
   */
  readonly problem: string | null
  /** Whether every rule outputs at least one value, only `true`, and no error. Truthiness would let mistakes pass. */
  readonly isCompliant: boolean
}

/** The engine failed twice: nothing is known about the definition or the data. */
export class RuleEngineError extends Schema.TaggedError<RuleEngineError>()("RuleEngineError", {
  cause: Schema.Defect
}) {
  override get message(): string {
    return "the engine of custom attestation types failed"
  }
}

/** Whether a definition needs no engine. */
const isPlain = ({ type_schema, evaluator, summary }: TypeContent): boolean =>
  type_schema === null &&
  (evaluator.content_type === "default" || evaluator.rules.length === 0) &&
  (summary === null || summary.length === 0)

/** The engines of custom types. The slow rules of one org do not delay other orgs. */
export interface RuleEngines {
  /** Every problem of a definition: an invalid schema, programs that do not compile. */
  readonly check: (
    org: OrgId,
    definition: TypeContent
  ) => Effect.Effect<ReadonlyArray<RuleProblem>, RuleEngineError>
  /** Evaluates data by a checked definition. */
  readonly evaluate: (
    org: OrgId,
    definition: TypeContent,
    data: unknown
  ) => Effect.Effect<RuleOutcome, RuleEngineError>
}

const noEngine: RuleEngines = {
  check: (_org, definition) =>
    Effect.succeed(
      isPlain(definition)
        ? []
        : [{ field: "evaluator", message: "This deployment runs no schemas or rules" }]
    ),
  evaluate: (_org, definition) =>
    Effect.succeed({ problem: null, isCompliant: isPlain(definition) })
}

/** Port: the engines of custom types. */
export class PayloadRules extends Context.Reference<PayloadRules>()("@attestry/core/PayloadRules", {
  defaultValue: (): RuleEngines => noEngine
}) {}
