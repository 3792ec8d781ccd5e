/**
 * The built-in types of evidence. Tables that are keyed by them let the compiler find what a new type lacks.
 *
 * WHY no schema here: pages import it, and a schema would bring its library along.
 */

/** The types that the operation `system` records. */
export const SYSTEM = ["decision", "sbom", "agent_session"] as const

/** Every built-in type, in the order of error messages. */
export const ALL = ["generic", "junit", "snyk", "pull_request", "jira", "sonar", ...SYSTEM] as const

/** A built-in type. */
export type EvidenceType = (typeof ALL)[number]

type SystemType = (typeof SYSTEM)[number]

/** A built-in type in the spelling of responses. */
export type WireType = Exclude<EvidenceType, SystemType> | `system:${SystemType}`

const SYSTEM_PREFIX = "system:"

const isSystem = (type: string): boolean => SYSTEM.some((known) => known === type)

/** Whether a text is a built-in type. */
export const is = (type: string): type is EvidenceType => ALL.some((known) => known === type)

/** A type without the prefix that responses put before a type of the operation `system`. */
export const fromWire = (type: string): string => {
  if (!type.startsWith(SYSTEM_PREFIX)) return type
  const word = type.slice(SYSTEM_PREFIX.length)
  return isSystem(word) ? word : type
}

/** A type in the spelling of responses. */
export const toWire = (type: string): string => (isSystem(type) ? `${SYSTEM_PREFIX}${type}` : type)
