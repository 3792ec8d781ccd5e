/**
 * The kinds of evidence files, and for each kind its attestation type, the default name of its attestation, and whether
 * it counts only if it is verified.
 *
 * Formats and predicate types become kinds; `@attestry/evidence-intake` recognises them.
 */
import * as Schema from "effect/Schema"

/** Every kind, in the order of messages. */
export const ALL = [
  "provenance",
  "verification",
  "sbom",
  "scan",
  "analysis",
  "tests",
  "junit",
  "snyk",
  "coverage",
  "vex",
  "signature",
  "statement"
] as const

/** A kind of evidence files. */
export const EvidenceKind = Schema.Literal(...ALL).annotations({ identifier: "EvidenceKind" })
/** A kind of evidence files. */
export type EvidenceKind = typeof EvidenceKind.Type

/** Whether a text is a kind. */
export const is = (text: string): text is EvidenceKind => ALL.some((kind) => kind === text)

/** The kinds that typed attestations of pipelines have too. */
const TYPED: ReadonlySet<EvidenceKind> = new Set<EvidenceKind>(["junit", "snyk"])

/** What the names of built-in custom types begin with; an org cannot make a type of such a name. */
export const RESERVED_PREFIX = "attestry-"

/** The attestation type of a kind, such as `custom:attestry-provenance`. */
export const attestationType = (kind: EvidenceKind): string =>
  TYPED.has(kind) ? kind : `custom:${RESERVED_PREFIX}${kind}`

/** The name of an attestation of a kind unless the caller gives one. */
export const defaultName = (kind: EvidenceKind): string => kind

const VERIFIED_ONLY: ReadonlySet<EvidenceKind> = new Set<EvidenceKind>([
  "provenance",
  "verification",
  "signature",
  "statement"
])

/** Whether evidence of a kind is compliant only if it is verified. */
export const needsVerification = (kind: EvidenceKind): boolean => VERIFIED_ONLY.has(kind)
