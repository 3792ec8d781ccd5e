/** Reads the statement of a decision receipt, in either predicate. Total: another form gives none. */

import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { parseMoment } from "../../shared/internal/UtcCalendar.js"
import * as Timestamp from "../../shared/Timestamp.js"
import type { Verdict } from "../../shared/Verdict.js"
import * as DecisionReceipt from "../DecisionReceipt.js"
import * as ReceiptPredicate from "../ReceiptPredicate.js"

/** What a receipt says, as far as it is checked. */
export interface ReceiptClaims {
  readonly predicate: ReceiptPredicate.ReceiptPredicate
  readonly verifier: string
  readonly org: string
  readonly subjects: ReadonlyArray<DecisionReceipt.ReceiptSubject>
  readonly at: Timestamp.Timestamp
  readonly resource: string
  /** Null if it was not decided for an environment. */
  readonly environment: string | null
  /** Null for an assertion. */
  readonly snapshot: number | null
  readonly policies: ReadonlyArray<DecisionReceipt.ReceiptPolicy>
  readonly policiesDigest: string
  readonly verdict: Verdict
  /** Whether all parts of it say that the artifacts are compliant. */
  readonly passed: boolean
  /** Whether it says what was true at an instant before its making. */
  readonly isEarlier: boolean
  /** Null for a snapshot, whose verdict does not change. */
  readonly expiresAt: Timestamp.Timestamp | null
  /** The smallest log that has all that was looked at, and its root where that was known. */
  readonly log: { readonly origin: string; readonly size: number; readonly root: string | null }
  readonly chain: ReadonlyArray<DecisionReceipt.ChainEnd>
}

type Fields = { readonly [name: string]: unknown }

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

const text = (value: unknown): Option.Option<string> =>
  typeof value === "string" ? Option.some(value) : Option.none()

const whole = (value: unknown): Option.Option<number> =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0
    ? Option.some(value)
    : Option.none()

const listOf = <A>(
  value: unknown,
  read: (each: unknown) => Option.Option<A>
): Option.Option<ReadonlyArray<A>> =>
  Array.isArray(value) ? Option.all(value.map(read)) : Option.none()

/** An absent member, or one of the right form. */
const optional = <A>(
  value: unknown,
  read: (each: unknown) => Option.Option<A>
): Option.Option<A | null> => (value === undefined ? Option.some(null) : read(value))

const SHA256 = /^[0-9a-f]{64}$/

const sha256 = (value: unknown): Option.Option<string> =>
  Option.filter(text(value), (each) => SHA256.test(each))

const ISO = /^(.{19})\.([0-9]{6})Z$/

const instant = (value: unknown): Option.Option<Timestamp.Timestamp> =>
  Option.flatMap(text(value), (iso) => {
    const [, moment = "", micros = ""] = ISO.exec(iso) ?? []
    return Option.map(parseMoment(moment), (second) =>
      Timestamp.fromMicros(second + Number(micros))
    )
  })

const verdict = (value: unknown): Option.Option<Verdict> =>
  value === "Compliant" || value === "NonCompliant" || value === "Unknown"
    ? Option.some(value)
    : Option.none()

const subject = (value: unknown): Option.Option<DecisionReceipt.ReceiptSubject> => {
  const { name, digest } = fieldsOf(value)
  return Option.all({ name: text(name), sha256: sha256(fieldsOf(digest).sha256) })
}

const policy = (value: unknown): Option.Option<DecisionReceipt.ReceiptPolicy> => {
  const { name, version, sha256: digest, mode } = fieldsOf(value)
  if (mode !== undefined && mode !== "warn") return Option.none()
  return Option.map(
    Option.all({
      name: text(name),
      version: whole(version),
      sha256: digest === null ? Option.some(null) : sha256(digest)
    }),
    (read) => (mode === undefined ? read : { ...read, mode })
  )
}

const chainEnd = (value: unknown): Option.Option<DecisionReceipt.ChainEnd> => {
  const { subject: about, entry, index, origin } = fieldsOf(value)
  const { type, id } = fieldsOf(about)
  return Option.map(
    Option.all({
      subject: Option.all({ type: text(type), id: text(id) }),
      entry: text(entry),
      index: whole(index),
      origin: optional(origin, text)
    }),
    ({ origin, ...end }) => (origin === null ? end : { ...end, origin })
  )
}

/** The log of a snapshot ends with the snapshot's own entry. */
const log = (value: unknown): Option.Option<ReceiptClaims["log"]> => {
  const { origin, index, size, root } = fieldsOf(value)
  return Option.all({
    origin: text(origin),
    size: index === undefined ? whole(size) : Option.map(whole(index), (last) => last + 1),
    root: optional(root, text)
  })
}

/** The members of both predicates under one name each. */
const membersOf = (predicate: ReceiptPredicate.ReceiptPredicate, said: Fields) => {
  const { verifier, policy: set, verificationResult, verifiedLevels, properties } = said
  const extension = fieldsOf(said[ReceiptPredicate.EXTENSION])
  const sets: unknown = fieldsOf(verifier).policies
  const first: unknown = Array.isArray(sets) ? sets[0] : undefined
  const levels = predicate === "vsa" ? verifiedLevels : properties
  const isListed = Array.isArray(levels) && levels.includes(ReceiptPredicate.COMPLIANT)
  return {
    extension,
    at: predicate === "vsa" ? said.timeVerified : said.timeCreated,
    resource: predicate === "vsa" ? said.resourceUri : extension.resource_uri,
    set: fieldsOf(predicate === "vsa" ? set : first),
    passed:
      isListed &&
      extension.verdict === "Compliant" &&
      (predicate === "svr" || verificationResult === "PASSED")
  }
}

const read = (
  statement: Fields,
  predicate: ReceiptPredicate.ReceiptPredicate
): Option.Option<ReceiptClaims> => {
  const said = fieldsOf(statement.predicate)
  const { extension, at, resource, set, passed } = membersOf(predicate, said)
  return Option.all({
    predicate: Option.some(predicate),
    verifier: text(fieldsOf(said.verifier).id),
    org: text(extension.org),
    subjects: Option.filter(listOf(statement.subject, subject), (all) => all.length > 0),
    at: instant(at),
    resource: text(resource),
    environment: optional(extension.environment, text),
    snapshot: optional(extension.snapshot_index, whole),
    policies: listOf(extension.policies, policy),
    policiesDigest: sha256(fieldsOf(set.digest).sha256),
    verdict: verdict(extension.verdict),
    passed: Option.some(passed),
    isEarlier: Option.map(optional(extension.as_of, instant), (earlier) => earlier !== null),
    expiresAt: optional(extension.expires_at, instant),
    log: log(extension.log),
    chain: listOf(extension.chain, chainEnd)
  })
}

/** An assertion ends, and a snapshot has a number. */
const isWhole = ({ expiresAt, snapshot, policies, policiesDigest }: ReceiptClaims): boolean =>
  (expiresAt === null) === (snapshot !== null) &&
  DecisionReceipt.policiesDigest(policies) === policiesDigest

/** The member with the type of a statement. */
const TYPE = "_type"

/** Reads a statement. */
export const readStatement = (payload: string): Option.Option<ReceiptClaims> => {
  const statement = Either.getOrUndefined(Either.try((): unknown => JSON.parse(payload)))
  if (!isFields(statement) || statement[TYPE] !== ReceiptPredicate.STATEMENT_TYPE) {
    return Option.none()
  }
  const predicate = (["vsa", "svr"] as const).find(
    (each) => ReceiptPredicate.TYPES[each] === statement.predicateType
  )
  return predicate === undefined
    ? Option.none()
    : Option.filter(read(statement, predicate), isWhole)
}
