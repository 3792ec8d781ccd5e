/** The messages between a page and the worker that checks proofs. */

/** Why nothing is proved. */
export type Refusal =
  | "malformed"
  | "checkpoint"
  | "inclusion"
  | "disclosures"
  | "unsigned"
  | "other"
  | "fork"

/** A tree that a browser has seen. */
export interface SeenTree {
  readonly size: number
  /** The root in Base64. */
  readonly root: string
}

/** A question: a receipt as the API answered it, with the keys that may have signed its checkpoint. */
export interface ProofQuestion {
  readonly receipt: unknown
  readonly vkeys: ReadonlyArray<string>
  /** A tree that the log must continue, with the proof of it. */
  readonly grown?: { readonly from: SeenTree; readonly hashes: ReadonlyArray<string> }
}

/** The facts that a receipt proves. */
export interface Proved {
  readonly outcome: "proved"
  readonly origin: string
  readonly index: number
  readonly size: number
  readonly root: string
  /** When the entry was recorded, in seconds. */
  readonly at: number
  /** The names of the keys that signed. */
  readonly signedBy: ReadonlyArray<string>
  /** The disclosed part of the entry. */
  readonly shown: { readonly [name: string]: unknown }
  readonly withheld: number
}

/** An answer. `unable`: this browser verifies no such signatures, or only on https. */
export type ProofAnswer =
  | Proved
  | { readonly outcome: "refused"; readonly refusal: Refusal }
  | { readonly outcome: "unable" }
