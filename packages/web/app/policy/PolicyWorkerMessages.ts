/** The messages between pages and the policy worker. Facts are sent once, under a key, and the worker caches them. */
import type { Facts } from "@attestry/core/PolicyFacts"
import type { Remedy } from "../shared/Contract.js"
import type { TrustRuleLine } from "../trust-policy/TrustRuleText.js"
import type { AskedRule } from "./PolicyRuleText.js"

/** A problem in a text; line and column are one-based. */
export interface TextProblem {
  readonly line: number
  readonly column: number
  readonly path: string
  readonly message: string
  /** Absent for an error. A remark about a valid text is a warning or an info. */
  readonly severity?: "warning" | "info"
}

/** How two texts relate, in words. */
export interface TextRelation {
  readonly relation: "equivalent" | "stronger" | "weaker" | "incomparable" | "unknown"
  /** An artifact that only the old text accepts, and one that only the new text accepts, each with the reason. */
  readonly oldOnly: string | null
  readonly newOnly: string | null
}

export interface RuleLine {
  /** Zero-based, as in the API. */
  readonly index: number
  /** Its number in the text; null for a rule that requires nothing. */
  readonly number: number | null
  readonly line: number
  readonly text: string
  /** Whether it requires anything; a requirement with `required: false` does not. */
  readonly isDemanded: boolean
  readonly control: string | null
  readonly asks: AskedRule
}

/** The result of reading a text with core. */
export interface Reading {
  readonly problems: ReadonlyArray<TextProblem>
  /** Empty if there are problems. */
  readonly rules: ReadonlyArray<RuleLine>
}

/** The result of reading a trust policy with core. */
export interface TrustReading {
  readonly problems: ReadonlyArray<TextProblem>
  /** Remarks about a text without problems. */
  readonly remarks: ReadonlyArray<TextProblem>
  /** Empty if there are problems. */
  readonly rules: ReadonlyArray<TrustRuleLine>
}

export interface RowReason {
  /** The number of the rule in the text; null for a text that cannot be evaluated. */
  readonly number: number | null
  readonly description: string
}

/** The decisions of two texts about one row; null for an absent text. */
export interface EvaluatedRow {
  readonly before: boolean | null
  readonly now: boolean | null
  readonly reasons: ReadonlyArray<RowReason>
}

/** The rows, in the order of their facts. */
export interface Evaluated {
  readonly rows: ReadonlyArray<EvaluatedRow>
  readonly tookMs: number
}

export interface ExplainedRule {
  readonly index: number
  readonly number: number | null
  readonly text: string
  /** Null if the rule does not apply. */
  readonly holds: boolean | null
  /** The flow, the trail and the result of each resolution. */
  readonly places: ReadonlyArray<{
    readonly flow: string | null
    readonly trail: string | null
    readonly result: string
  }>
}

/** The result of each rule about a row, and the changes that would make the row compliant under this text alone. */
export interface Explained {
  readonly rules: ReadonlyArray<ExplainedRule>
  readonly text: string
  /** Smallest first; empty if no rule fails. */
  readonly remedies: ReadonlyArray<Remedy>
}

/** The questions with their answers, by kind. */
export interface WorkerRequests {
  /** Parses a policy. */
  readonly read: { readonly asked: { readonly text: string }; readonly answer: Reading }
  /** Lints a policy; a text with problems gets no remarks. */
  readonly lint: {
    readonly asked: { readonly text: string }
    readonly answer: ReadonlyArray<TextProblem>
  }
  /** Compares what two policies accept; null if one of them has problems. */
  readonly compare: {
    readonly asked: { readonly old: string; readonly text: string }
    readonly answer: TextRelation | null
  }
  /** Parses the template of a flow. */
  readonly template: {
    readonly asked: { readonly text: string }
    readonly answer: ReadonlyArray<TextProblem>
  }
  /** Parses and lints a trust policy. */
  readonly trust: { readonly asked: { readonly text: string }; readonly answer: TrustReading }
  /** Evaluates rows by a draft and by the previous version; a text with problems evaluates nothing. */
  readonly evaluate: {
    readonly asked: {
      readonly name: string
      readonly draft: string
      readonly before: string | null
      readonly key: string
      /** The facts for the key, if the worker does not have them yet. */
      readonly facts?: ReadonlyArray<Facts>
    }
    readonly answer: Evaluated
  }
  readonly explain: {
    readonly asked: { readonly name: string; readonly draft: string; readonly facts: Facts }
    readonly answer: Explained
  }
  readonly schema: { readonly asked: Record<string, never>; readonly answer: unknown }
}

export type Kind = keyof WorkerRequests

export type Message = {
  readonly [K in Kind]: { readonly id: number; readonly kind: K } & WorkerRequests[K]["asked"]
}[Kind]

/** The answer to a question, or the reason why it failed. */
export type Reply =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly failure: string }
