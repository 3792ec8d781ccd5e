/** The messages between pages and the policy worker. Facts are sent once, under a key, and kept in the worker. */
import type { Facts } from "@attestry/core/PolicyFacts"
import type { Remedy } from "../shared/Contract.js"

/** A problem of a text, at its place; lines and columns count from 1. */
export interface TextProblem {
  readonly line: number
  readonly column: number
  readonly path: string
  readonly message: string
  /** Absent for an error; a remark about a valid text is a warning or something to know. */
  readonly severity?: "warning" | "info"
}

/** How a text relates to another one, in words. */
export interface TextRelation {
  readonly relation: "equivalent" | "stronger" | "weaker" | "incomparable" | "unknown"
  /** An artifact that only the old text accepts, and one that only the new text does, each with why. */
  readonly oldOnly: string | null
  readonly newOnly: string | null
}

/** A rule of a policy in words. */
export interface RuleLine {
  /** Counts from 0 as in the API. */
  readonly index: number
  /** Its number in the text; null for a policy that asks for nothing. */
  readonly number: number | null
  readonly line: number
  readonly text: string
  /** Whether it asks for anything: a requirement that is not required does not. */
  readonly isDemanded: boolean
  readonly control: string | null
}

/** A text as core reads it. */
export interface Reading {
  readonly problems: ReadonlyArray<TextProblem>
  /** Empty while there are problems. */
  readonly rules: ReadonlyArray<RuleLine>
}

/** Why a rule fails a row. */
export interface RowReason {
  /** The number of the rule in the text; null for a text that cannot be evaluated. */
  readonly number: number | null
  readonly description: string
}

/** The decisions of two texts about one row; null without a text. */
export interface EvaluatedRow {
  readonly before: boolean | null
  readonly now: boolean | null
  readonly reasons: ReadonlyArray<RowReason>
}

/** The rows in the order of their facts. */
export interface Evaluated {
  readonly rows: ReadonlyArray<EvaluatedRow>
  readonly tookMs: number
}

/** One rule about one row. */
export interface ExplainedRule {
  readonly index: number
  readonly number: number | null
  readonly text: string
  /** Null if the rule does not apply. */
  readonly holds: boolean | null
  /** The flow and the trail of a resolution, and its result. */
  readonly places: ReadonlyArray<{
    readonly flow: string | null
    readonly trail: string | null
    readonly result: string
  }>
}

/** A row, rule by rule, in the words of core, and the changes that would make it compliant by this text alone. */
export interface Explained {
  readonly rules: ReadonlyArray<ExplainedRule>
  readonly text: string
  /** Smallest first; empty if no rule fails. */
  readonly remedies: ReadonlyArray<Remedy>
}

/** The questions, and the answer of each. */
export interface WorkerRequests {
  /** Reads a policy. */
  readonly read: { readonly asked: { readonly text: string }; readonly answer: Reading }
  /** Remarks about a policy; none about a text with problems. */
  readonly lint: {
    readonly asked: { readonly text: string }
    readonly answer: ReadonlyArray<TextProblem>
  }
  /** Compares what two policies accept; null if one of them has problems. */
  readonly compare: {
    readonly asked: { readonly old: string; readonly text: string }
    readonly answer: TextRelation | null
  }
  /** Reads the template of a flow. */
  readonly template: {
    readonly asked: { readonly text: string }
    readonly answer: ReadonlyArray<TextProblem>
  }
  /** Evaluates rows by a draft, and by the version before it; a text with problems evaluates nothing. */
  readonly evaluate: {
    readonly asked: {
      readonly name: string
      readonly draft: string
      readonly before: string | null
      readonly key: string
      /** The facts of the key, when the worker does not have them yet. */
      readonly facts?: ReadonlyArray<Facts>
    }
    readonly answer: Evaluated
  }
  readonly explain: {
    readonly asked: { readonly name: string; readonly draft: string; readonly facts: Facts }
    readonly answer: Explained
  }
  /** The JSON Schema of a policy file. */
  readonly schema: { readonly asked: Record<string, never>; readonly answer: unknown }
}

/** The kind of a question. */
export type Kind = keyof WorkerRequests

/** A question with its number. */
export type Message = {
  readonly [K in Kind]: { readonly id: number; readonly kind: K } & WorkerRequests[K]["asked"]
}[Kind]

/** The answer to a question, or why there is none. */
export type Reply =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly failure: string }
