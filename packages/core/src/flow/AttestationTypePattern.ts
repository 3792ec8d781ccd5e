/**
 * Patterns with which templates and policies name types of attestations, and which types match.
 *
 * A reported type is one of the same words without `*`. A pattern may name a custom type that does not exist
 * yet. Templates and types are written by different people.
 */
import * as Schema from "effect/Schema"
import * as EvidenceType from "../attestation/EvidenceType.js"
import { NAME_LENGTH_MAX } from "../shared/Identifier.js"

/** The patterns that are one word, in the order of error messages: the built-in types, and any type. */
export const WORDS = [...EvidenceType.ALL, "*"] as const

/** Both spellings of a type mean the same. */
export { fromWire, toWire } from "../attestation/EvidenceType.js"

/** The prefix of a custom type. */
export const CUSTOM_PREFIX = "custom:"

/** The pattern of a custom type's name. */
export const CUSTOM_NAME_PATTERN = "^[a-zA-Z0-9][a-zA-Z0-9\\-_.~]*$"

/** A pattern: a word, any type (`*`), or the custom type of a name. */
export const AttestationTypePattern = Schema.Union(
  Schema.Literal(...WORDS),
  Schema.TemplateLiteral(Schema.Literal(CUSTOM_PREFIX), Schema.String)
).annotations({ identifier: "AttestationTypePattern" })
/** A pattern: a word, any type (`*`), or the custom type of a name. */
export type AttestationTypePattern = typeof AttestationTypePattern.Type

const customName = new RegExp(CUSTOM_NAME_PATTERN)

/** Whether a text is a pattern that some report can match; `custom:` needs a valid name. */
export const is = (text: string): text is AttestationTypePattern => {
  if (!text.startsWith(CUSTOM_PREFIX)) return WORDS.some((word) => word === text)
  const name = text.slice(CUSTOM_PREFIX.length)
  return name.length <= NAME_LENGTH_MAX && customName.test(name)
}

/**
 * Whether a reported type matches. An override whose original type is the bare word `custom` matches every
 * custom type: the wire has no other way to name a type that was never reported.
 */
export const matches = (pattern: string, reportedType: string): boolean => {
  if (pattern === "*" || pattern === reportedType) return true
  const reported = EvidenceType.fromWire(reportedType)
  return (
    reported === EvidenceType.fromWire(pattern) ||
    (reported === "custom" && pattern.startsWith(CUSTOM_PREFIX))
  )
}

/**
 * The type of an overridden attestation. The bare word `custom` means the newest custom type among the types
 * given, newest first; it stays bare when there is none.
 */
export const overridden = (originalType: string, newestFirst: ReadonlyArray<string>): string => {
  const original = EvidenceType.fromWire(originalType)
  return original === "custom"
    ? (newestFirst.find((type) => type.startsWith(CUSTOM_PREFIX)) ?? original)
    : original
}
