/**
 * Salted disclosures by RFC 9901: a digest replaces a member of an object, and a disclosure reveals it.
 *
 * A disclosure is the Base64url text of `[salt, name, value]`, and its digest is the SHA-256 of that text. Only
 * members of objects are concealed here, not elements of arrays.
 */

import * as Base64 from "@attestry/transparency-log/Base64"
import * as Sha256 from "@attestry/transparency-log/Sha256"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { Json } from "../../shared/CanonicalJson.js"
import * as CanonicalJson from "../../shared/CanonicalJson.js"

/** The name of the member that has the digests. */
export const DIGESTS = "_sd"

/** A member of an object, with the salt for its digest. */
export interface Disclosure {
  readonly salt: string
  readonly name: string
  readonly value: Json
}

type Members = { readonly [name: string]: Json }

/** Prints a disclosure, from the canonical JSON of its three parts. */
export const print = ({ salt, name, value }: Disclosure): string =>
  Base64.encodeTextUrl(CanonicalJson.print([salt, name, value]))

/** The digest of a disclosure's text. */
export const digest = (disclosure: string): string => Sha256.digestUrl(disclosure)

const parseJson = (text: string): Option.Option<unknown> =>
  Either.getRight(Either.try((): unknown => JSON.parse(text)))

/** Names that RFC 9901 reserves. */
const isReserved = (name: string): boolean => name === DIGESTS || name === "..."

/** Parses a disclosure; its JSON need not be canonical. None for another form or a reserved name. */
export const parse = (text: string): Option.Option<Disclosure> =>
  Base64.decodeUrl(text).pipe(
    Option.flatMap(Base64.textOf),
    Option.flatMap(parseJson),
    Option.flatMap((parts) => {
      if (!Array.isArray(parts) || parts.length !== 3) return Option.none()
      const [salt, name, value] = parts
      return typeof salt === "string" && typeof name === "string" && !isReserved(name)
        ? Option.some({ salt, name, value })
        : Option.none()
    })
  )

/** A value in which disclosures replace their digests, and the remaining digests. */
export interface Revealed {
  readonly value: Json
  readonly withheld: ReadonlyArray<string>
}

/** Why disclosures do not match a value. */
export type Misfit = "malformed" | "unreferenced" | "repeated"

const isMembers = (value: Json): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isTexts = (value: Json | undefined): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((each) => typeof each === "string")

/** Inserts disclosures into values, and tracks the used disclosures, the remaining digests and mismatches. */
class Revealing {
  readonly seen = new Set<string>()
  readonly used = new Set<string>()
  readonly withheld: Array<string> = []
  misfit: Misfit | undefined

  constructor(readonly known: ReadonlyMap<string, Disclosure>) {}

  value(value: Json): Json {
    if (!Array.isArray(value)) return isMembers(value) ? this.members(value) : value
    const revealed = value.map((each) => this.value(each))
    return revealed.every((each, at) => each === value[at]) ? value : revealed
  }

  members(value: Members): Json {
    return Object.hasOwn(value, DIGESTS) ? this.withDigests(value) : this.kept(value)
  }

  /** Members without digests. WHY the same object if nothing in it changes: most are like this. */
  kept(value: Members): Json {
    let changed: Array<readonly [string, Json]> | undefined
    for (const [name, member] of Object.entries(value)) {
      if (typeof member !== "object" || member === null) continue
      const revealed = this.value(member)
      if (revealed !== member) changed = [...(changed ?? []), [name, revealed]]
    }
    return changed === undefined
      ? value
      : Object.fromEntries([...Object.entries(value), ...changed])
  }

  withDigests(value: Members): Json {
    const members = new Map<string, Json>()
    for (const [name, member] of Object.entries(value)) {
      if (name !== DIGESTS) members.set(name, this.value(member))
    }
    const digests = value[DIGESTS]
    if (digests !== undefined && !isTexts(digests)) this.misfit = "malformed"
    for (const each of isTexts(digests) ? digests : []) this.digest(each, members)
    return Object.fromEntries(members)
  }

  digest(each: string, members: Map<string, Json>): void {
    if (this.seen.has(each)) this.misfit = "repeated"
    this.seen.add(each)
    const disclosure = this.known.get(each)
    if (disclosure === undefined) {
      this.withheld.push(each)
      return
    }
    this.used.add(each)
    if (members.has(disclosure.name)) this.misfit = "repeated"
    members.set(disclosure.name, this.value(disclosure.value))
  }
}

/** The text of a disclosure, with its digest. */
export interface DigestedDisclosure {
  readonly text: string
  readonly digest: string
}

/** Computes the digest of the text of a disclosure. */
export const digested = (text: string): DigestedDisclosure => ({ text, digest: digest(text) })

/**
 * Replaces digests by their disclosures, also inside other disclosures (RFC 9901 section 7.1). Refuses a disclosure
 * whose digest is absent, a digest that occurs twice, and a disclosed name that the object already has.
 */
export const reveal = (
  value: Json,
  disclosures: ReadonlyArray<DigestedDisclosure>
): Either.Either<Revealed, Misfit> => {
  const known = new Map<string, Disclosure>()
  for (const { digest: key, text } of disclosures) {
    const disclosure = parse(text)
    if (Option.isNone(disclosure)) return Either.left("malformed")
    known.set(key, disclosure.value)
  }
  const revealing = new Revealing(known)
  const revealed = revealing.value(value)
  if (revealing.misfit !== undefined) return Either.left(revealing.misfit)
  return revealing.used.size < known.size || known.size < disclosures.length
    ? Either.left(known.size < disclosures.length ? "repeated" : "unreferenced")
    : Either.right({ value: revealed, withheld: revealing.withheld })
}
