/** Proofs in words, and whether an entry is about a page's subject. Pure. */
import { member, textOf } from "../shared/JsonValue.js"
import type { Proved, Refusal } from "./ProofMessages.js"

/** The subject to prove, with the ids that its entry must have. */
export type ProofSubject =
  | { readonly what: "attestation"; readonly id: string }
  | {
      readonly what: "artifact"
      readonly id: string
      readonly fingerprint: string
      readonly flow: string
    }
  | { readonly what: "snapshot"; readonly environment: string; readonly index: number }

/** The query for the entries of a subject. */
export const queryOf = (subject: ProofSubject) => {
  switch (subject.what) {
    case "attestation":
      return { attestation_id: subject.id }
    case "artifact":
      return { fingerprint: subject.fingerprint, flow_name: subject.flow }
    case "snapshot":
      return { env_name: subject.environment, snapshot: subject.index }
  }
}

/** Whether a proved entry is about the subject. */
export const isAbout = (subject: ProofSubject, { shown }: Pick<Proved, "shown">): boolean => {
  const { facts } = shown
  const content = member(facts, "content")
  switch (subject.what) {
    case "attestation":
      return textOf(member(content, "attestation_id")) === subject.id
    case "artifact":
      return (
        textOf(member(content, "artifact_id")) === subject.id &&
        textOf(member(shown.report, "fingerprint")) === subject.fingerprint
      )
    case "snapshot":
      return (
        textOf(member(facts, "kind")) === "snapshot_created" &&
        member(content, "index") === subject.index
      )
  }
}

const REFUSALS: { readonly [refusal in Refusal]: string } = {
  malformed: "the receipt cannot be read",
  checkpoint: "the checkpoint of the receipt cannot be read",
  inclusion: "the hashes do not lead from the entry to the root of the checkpoint",
  disclosures: "what the receipt shows does not have the digests of the entry",
  unsigned: "the checkpoint is not signed by a key of the log",
  other: "the entry recorded something else",
  fork: "the log does not continue what this browser saw before"
}

export const refusalText = (refusal: Refusal): string => REFUSALS[refusal]
