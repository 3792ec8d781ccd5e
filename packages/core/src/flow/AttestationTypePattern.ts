/**
 * The words with which templates and policies ask for a type of attestation, and what fits them.
 *
 * A reported type is one of the same words without `*`. Whether a custom type exists is not asked here:
 * a template may name one that is created later. DECISION D2.5
 */
import * as Schema from "effect/Schema"
import { NAME_LENGTH_MAX } from "../shared/Identifier.js"

/** The types that need no definition, in the order in which errors list them. */
export const WORDS = [
  "generic",
  "junit",
  "snyk",
  "pull_request",
  "jira",
  "sonar",
  "decision",
  "*"
] as const

/** What a type that an org has defined begins with. */
export const CUSTOM_PREFIX = "custom:"

/** The pattern of a custom type's name. DECISION D1.3 */
export const CUSTOM_NAME_PATTERN = "^[a-zA-Z0-9][a-zA-Z0-9\\-_.~]*$"

/** Asks for a type: a word, any type at all (`*`), or the custom type of a name. */
export const AttestationTypePattern = Schema.Union(
  Schema.Literal(...WORDS),
  Schema.TemplateLiteral(Schema.Literal(CUSTOM_PREFIX), Schema.String)
).annotations({ identifier: "AttestationTypePattern" })
/** Asks for a type: a word, any type at all (`*`), or the custom type of a name. */
export type AttestationTypePattern = typeof AttestationTypePattern.Type

const customName = new RegExp(CUSTOM_NAME_PATTERN)

/** Whether a text is a pattern that some report can fit; `custom:` needs a name that a type can have. */
export const is = (text: string): text is AttestationTypePattern => {
  if (!text.startsWith(CUSTOM_PREFIX)) return WORDS.some((word) => word === text)
  const name = text.slice(CUSTOM_PREFIX.length)
  return name.length <= NAME_LENGTH_MAX && customName.test(name)
}

/** The domain's word for a type: on the wire a decision is also called `system:decision`. DECISION D3.12 */
export const fromWire = (type: string): string => (type === "system:decision" ? "decision" : type)

/** A type as answers spell it. DECISION A-01 */
export const toWire = (type: string): string => (type === "decision" ? "system:decision" : type)

/**
 * Whether a reported type fits. An override whose original type is the bare word `custom` fits every
 * custom type, since the wire has no other way to name one that was never reported.
 */
export const matches = (pattern: string, reportedType: string): boolean => {
  if (pattern === reportedType) return true
  const reported = fromWire(reportedType)
  return (
    pattern === "*" ||
    reported === fromWire(pattern) ||
    (reported === "custom" && pattern.startsWith(CUSTOM_PREFIX))
  )
}

/**
 * The type that an override stands for. The bare word `custom` means the custom type of the attestation
 * it replaces, the newest first among the types given; it stays bare when there is none. DECISION D2.14
 */
export const overridden = (originalType: string, newestFirst: ReadonlyArray<string>): string => {
  const original = fromWire(originalType)
  return original === "custom"
    ? (newestFirst.find((type) => type.startsWith(CUSTOM_PREFIX)) ?? original)
    : original
}
