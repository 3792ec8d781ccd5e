/** What the verification of a capsule found: what is proved, what is not, and what is wrong. */
import type { Timestamp } from "../shared/Timestamp.js"
import type { ChainHead, Selection } from "./Capsule.js"
import type { CapsuleEvidence } from "./CapsuleLimits.js"

/** The release that a claim is about. */
export interface ClaimedRelease {
  readonly environment: string
  readonly index: number
  readonly artifact: string
  readonly fingerprint: string
}

/** What a finding is about. */
export type Claim =
  | {
      readonly type: "snapshot"
      readonly environment: string
      readonly index: number
      readonly verdict: string
      readonly at: Timestamp
      readonly rows: number
    }
  | {
      /** The table of releases: that it has every release of the period, and its numbers. */
      readonly type: "releases"
      readonly from: Timestamp
      readonly to: Timestamp
      readonly releases: number
      readonly complete: number
    }
  | ({
      readonly type: "release"
      readonly at: Timestamp
      readonly verdict: string
    } & ClaimedRelease)
  | ({
      /** A requirement of a release: how it was met, by whom and when. */
      readonly type: "requirement"
      readonly requirement: string
      readonly state: string
      readonly given: ReadonlyArray<{
        readonly by: string
        readonly at: Timestamp
        readonly entry: number
      }>
    } & ClaimedRelease)
  | {
      readonly type: "trail"
      readonly flow: string
      readonly trail: string
      readonly status: string
    }
  | { readonly type: "artifact"; readonly fingerprint: string; readonly flows: number }
  | {
      readonly type: "chain"
      readonly subject: ChainHead["subject"]
      readonly entries: number
    }
  | { readonly type: "file"; readonly sha256: string; readonly size: number }
  | {
      /** A document of evidence, and the recorded result of its verification. */
      readonly type: "document"
      readonly sha256: string
      readonly position: number
      readonly state: string
    }

/** A claim that is not proved, or wrong, and why. */
export interface Finding {
  readonly claim: Claim
  readonly reasons: ReadonlyArray<string>
}

/** What is withheld: undisclosed, or erased. */
export interface Withheld {
  /** Entries whose facts are not shown. */
  readonly entries: number
  /** Members of entries that are not shown. */
  readonly members: number
  /** Documents of evidence whose signatures were not checked again: the capsule or the verifier cannot. */
  readonly documents: number
}

/** Who signed the checkpoint and the statement, and whether the caller named the keys. */
export interface Trust {
  /** Whether the keys come from the caller; otherwise they are the capsule's own. */
  readonly isGiven: boolean
  /** The thumbprints of the keys that signed the statement. */
  readonly keys: ReadonlyArray<string>
  /** The names of the witnesses that cosigned the checkpoint. */
  readonly witnesses: ReadonlyArray<string>
  /** Whether they satisfy the policy; null without a policy. */
  readonly quorum: boolean | null
}

/** What the verification of a capsule found. */
export interface CapsuleReport {
  readonly outcome: "proved" | "not-proved" | "wrong"
  readonly org: string
  readonly origin: string
  readonly size: number
  readonly madeAt: Timestamp
  readonly selection: Selection
  readonly evidence: CapsuleEvidence
  readonly trust: Trust
  readonly entries: number
  readonly proved: ReadonlyArray<Claim>
  readonly notProved: ReadonlyArray<Finding>
  readonly wrong: ReadonlyArray<Finding>
  readonly withheld: Withheld
}

/** Why a capsule is refused as a whole. */
export type Refusal =
  | "archive"
  | "manifest"
  | "member"
  | "statement"
  | "unknown-key"
  | "signature"
  | "checkpoint"
  | "quorum"
  | "entries"
  | "proof"
  | "expected"

/** The words for a refusal. */
export const REFUSALS: { readonly [refusal in Refusal]: string } = {
  archive: "it is no capsule, or its file was changed",
  manifest: "its manifest cannot be read",
  member: "a member differs from its digest in the manifest",
  statement: "its statement is not about its manifest",
  "unknown-key": "none of the keys signed it",
  signature: "a signature is false",
  checkpoint: "its checkpoint is not of the log and size that the manifest names",
  quorum: "the witnesses that cosigned its checkpoint are too few for the policy",
  entries: "an entry cannot be read, or does not fit its digests",
  proof: "its entries are not those of the log at the checkpoint",
  expected: "its answers cannot be read"
}
