/** The facts of the entries of a capsule: subject, place in the chain, and what of them is missing. Pure. */
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type { JournalEntry } from "../../journal/JournalEntry.js"
import type { Json } from "../../shared/CanonicalJson.js"
import * as CanonicalJson from "../../shared/CanonicalJson.js"
import { OrgId } from "../../shared/Identifier.js"
import * as Timestamp from "../../shared/Timestamp.js"
import { isAttestation } from "../../verification/internal/ReplayRules.js"
import type { OpenedEntry } from "../CapsuleEntry.js"

/** An entry whose facts are shown. */
export interface CapsuleFact {
  readonly index: number
  /** The type and the id of its subject, as one text. */
  readonly subject: string
  readonly prev: number | null
  readonly entry: JournalEntry
  /** Whether a detail that decides is not shown. */
  readonly isPartial: boolean
  /** Whether the name of who wrote it is not shown. */
  readonly isWithoutActor: boolean
  /** Whether facts of evidence may be missing, which only some policies read. */
  readonly isWithoutFacts: boolean
}

/** The subject of entries as one text. */
export const subjectKey = ({ id, type }: { readonly type: string; readonly id: string }): string =>
  `${type} ${id}`

/** The org of the entries. WHY none: a capsule names its org, and nothing that is computed depends on the id. */
const ORG = OrgId.make("0".repeat(32))

/** The detail that decides, by the kind of an entry. */
const NEEDED: { readonly [kind: string]: string | undefined } = {
  artifact_creation_reported: "report",
  trail_updated: "trail"
}

const isJsonMembers = (value: unknown): value is { readonly [name: string]: Json } =>
  Predicate.isRecord(value)

const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

const actorOf = (value: unknown): JournalEntry["actor"] => {
  const { id, kind, name }: { readonly [name: string]: unknown } = isJsonMembers(value) ? value : {}
  const known = kind === "user" || kind === "service-account" ? kind : "system"
  return { kind: known, id: textOf(id), name: textOf(name) }
}

/** The facts of an entry. None for one whose facts are not shown, or have another form. */
export const of = ({
  at,
  hidden,
  index,
  shown,
  withheld
}: OpenedEntry): Option.Option<CapsuleFact> => {
  const { facts, ...details } = shown
  if (!isJsonMembers(facts)) return Option.none()
  const { actor, content, kind, prev, subject } = facts
  if (!isJsonMembers(subject) || typeof kind !== "string") return Option.none()
  if (prev !== null && !Number.isSafeInteger(prev)) return Option.none()
  const about = { type: textOf(subject.type), id: textOf(subject.id) }
  const whole = isJsonMembers(content) ? { ...content, ...details } : (content ?? null)
  const entry: JournalEntry = {
    org_id: ORG,
    sequence: index,
    kind,
    subject: about,
    actor: actorOf(actor),
    at: Timestamp.fromMicros(at),
    content: CanonicalJson.print(whole),
    digest: ""
  }
  const isEvidence = isAttestation(kind)
  const needed = NEEDED[kind]
  const isDecision = isEvidence && isJsonMembers(content) && content.type === "decision"
  const isBodyHidden = isEvidence && hidden > 0 && details.body === undefined
  return Option.some({
    index,
    subject: subjectKey(about),
    prev: prev === null ? null : Number(prev),
    entry,
    isWithoutActor: !isJsonMembers(actor) || typeof actor.name !== "string",
    isPartial:
      (needed !== undefined && details[needed] === undefined) || (isDecision && isBodyHidden),
    isWithoutFacts: isEvidence && (isBodyHidden || withheld.length > hidden)
  })
}
