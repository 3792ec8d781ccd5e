/** The messages between pages and the proof worker. */

/** Why a proof failed. */
export type Refusal =
  | "malformed"
  | "checkpoint"
  | "inclusion"
  | "disclosures"
  | "unsigned"
  | "other"
  | "fork"

/** A tree that this browser has verified before. */
export interface SeenTree {
  readonly size: number
  /** The root in Base64. */
  readonly root: string
}

/** A receipt as the API returned it, with the keys that may have signed its checkpoint. */
export interface ProofQuestion {
  readonly receipt: unknown
  readonly vkeys: ReadonlyArray<string>
  /** A tree that the log must extend, with the consistency proof. */
  readonly grown?: { readonly from: SeenTree; readonly hashes: ReadonlyArray<string> }
}

/** The facts that a receipt proves. */
export interface Proved {
  readonly outcome: "proved"
  readonly origin: string
  readonly index: number
  readonly size: number
  readonly root: string
  /** When the entry was recorded, in epoch seconds. */
  readonly at: number
  readonly signedBy: ReadonlyArray<string>
  /** The disclosed members of the entry. */
  readonly shown: { readonly [name: string]: unknown }
  readonly withheld: number
}

/** `unable`: this browser cannot verify these signatures, or only on https. */
export type ProofAnswer =
  | Proved
  | { readonly outcome: "refused"; readonly refusal: Refusal }
  | { readonly outcome: "unable" }
