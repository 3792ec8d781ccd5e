/**
 * Port: the engines that custom types need, JSON Schema and jq.
 *
 * Both answers follow from the definition and the data alone: not from what was asked before, from load or
 * from time. Both calls are bounded in steps and memory. The default has no engine and refuses every
 * definition that needs one; `@attestry/evidence-rules` has both.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { OrgId } from "../shared/Identifier.js"
import type { TypeContent } from "./AttestationType.js"

/** One thing wrong with a definition, under the name of its field. */
export interface RuleProblem {
  readonly field: string
  readonly message: string
}

/** What a definition makes of some data. */
export interface RuleOutcome {
  /**
   * Why the data cannot be judged: it does not fit the schema, or it takes the schema or a rule more steps
   * or memory than they may use. DECISION D3.8, B-136
   */
  readonly problem: string | null
  /** Whether every rule gives at least one output, nothing but `true` and no error. DECISION D3.9 */
  readonly isCompliant: boolean
}

/** The engine failed, and failed again: nothing is known about the definition or the data. DECISION B-135 */
export class RuleEngineError extends Schema.TaggedError<RuleEngineError>()("RuleEngineError", {
  cause: Schema.Defect
}) {
  override get message(): string {
    return "the engine of custom attestation types failed"
  }
}

/** Whether a definition asks for nothing that an engine would have to work out. */
const isPlain = ({ type_schema, evaluator, summary }: TypeContent): boolean =>
  type_schema === null &&
  (evaluator.content_type === "default" || evaluator.rules.length === 0) &&
  (summary === null || summary.length === 0)

/** The engines that custom types need. Orgs share them fairly: none waits for another one's slow rules. */
export interface RuleEngines {
  /** Everything that is wrong with a definition: a schema that is none, programs that do not compile. */
  readonly check: (
    org: OrgId,
    definition: TypeContent
  ) => Effect.Effect<ReadonlyArray<RuleProblem>, RuleEngineError>
  /** What a checked definition makes of some data. */
  readonly judge: (
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
  judge: (_org, definition) => Effect.succeed({ problem: null, isCompliant: isPlain(definition) })
}

/** Port: the engines that custom types need. */
export class PayloadRules extends Context.Reference<PayloadRules>()("@attestry/core/PayloadRules", {
  defaultValue: (): RuleEngines => noEngine
}) {}
