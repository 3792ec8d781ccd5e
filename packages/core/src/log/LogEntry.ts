/**
 * The log entry of a journal entry: format `attestry-leaf/1`.
 *
 * Its bytes contain a time and digests. Salted digests (`Disclosure`) conceal the recorded values: the facts, each
 * detail of the content, and every member with a personal name inside them. An entry can therefore be published,
 * disclosed in part, and erased in part. The lists of names belong to this version of the format and never change
 * within it.
 */

import * as Base64 from "@attestry/transparency-log/Base64"
import * as Bytes from "@attestry/transparency-log/Bytes"
import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import * as Sha256 from "@attestry/transparency-log/Sha256"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ErasedMembers from "../journal/ErasedMembers.js"
import type { Json } from "../shared/CanonicalJson.js"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import * as Disclosure from "./internal/Disclosure.js"

/** The version of the format. */
export const FORMAT = "attestry-leaf/1"

/** The number of random bytes from which the salts of an entry are derived. */
export const MASTER_BYTES = 32

const SALT_BYTES = 16

/** Members of the content with their own disclosure. */
const DETAILS: ReadonlySet<string> = new Set([
  "body",
  "report",
  "details",
  "trail",
  "targets",
  "user_data"
])

/** The JSON Pointer of a member of the content. */
export const pointerOf = (name: string): string =>
  DETAILS.has(name) ? `/${name}` : `/facts/content/${step(name)}`

/** The JSON Pointer of the actor's name. */
export const ACTOR_NAME = "/facts/actor/name"

/** The recorded values of an accepted write. */
export interface Recorded {
  readonly kind: string
  readonly subject: { readonly type: string; readonly id: string }
  readonly actor: {
    readonly kind: string
    readonly id: string
    readonly name: string
    readonly credential: string | null
    /** The number of the break-glass in which the actor wrote it. */
    readonly break_glass?: number
  }
  /** In epoch microseconds. */
  readonly at: number
  /** The index of the previous entry with the same subject. */
  readonly prev: number | null
  readonly content: Json
}

/** A concealed member: its position and its disclosure. */
export interface Concealed {
  /** A JSON Pointer whose first segment is the name of the entry's disclosure. */
  readonly pointer: string
  readonly disclosure: string
  readonly digest: string
}

/** A log entry: its bytes, its hash and its concealed members. */
export interface LogEntry {
  readonly bytes: Uint8Array
  readonly hash: MerkleTree.Hash
  /** Every concealed member; nested members come before the member that contains them. */
  readonly concealed: ReadonlyArray<Concealed>
}

type Members = { readonly [name: string]: Json }

const isNested = (value: Json): value is Members | ReadonlyArray<Json> =>
  typeof value === "object" && value !== null

const isMembers = (value: Json): value is Members => isNested(value) && !Array.isArray(value)

/** A name as a segment of a JSON Pointer. WHY the test: few names need escaping, and the test is cheaper. */
export const step = (name: string): string =>
  /[~/]/.test(name) ? name.replaceAll("~", "~0").replaceAll("/", "~1") : name

/** Names that RFC 9901 reserves, with any number of leading tildes. */
const RESERVED = /^~*(?:_sd|_sd_alg|\.\.\.)$/

/** Adds a tilde to a name that RFC 9901 reserves. */
const escapeName = (name: string): string => (RESERVED.test(name) ? `~${name}` : name)

const unescapeName = (name: string): string =>
  name.startsWith("~") && RESERVED.test(name) ? name.slice(1) : name

/** The salts that are left after an erasure, by JSON Pointer. */
export interface Remains {
  readonly salts: { readonly [pointer: string]: string }
  /** The digests of erased members. */
  readonly erased: { readonly [pointer: string]: string }
}

/** Where an entry's salts come from: its master bytes, or the salts left after an erasure. */
export type Salting = Uint8Array | Remains

/** Whether these are the salts left after an erasure. */
export const isRemains = (salting: Salting): salting is Remains => !(salting instanceof Uint8Array)

/** Returns the salt for the pointer of a member. */
const saltsFrom = (salting: Salting): ((pointer: string) => string) => {
  if (isRemains(salting)) return (pointer) => salting.salts[pointer] ?? ""
  const before = Bytes.concat([salting, Uint8Array.of(0)])
  return (pointer) => Sha256.digestUrlStart(before, pointer, SALT_BYTES)
}

/** Whether a value is the mark of the erased member with a digest. */
const isMarkOf = (value: Json, digest: string | undefined): boolean =>
  ErasedMembers.isMark(value) && isMembers(value) && value[ErasedMembers.MARK] === digest

/** Conceals members of one entry's values. */
class Concealing {
  readonly concealed: Array<Concealed> = []
  readonly #saltOf: (pointer: string) => string

  constructor(readonly salting: Salting) {
    this.#saltOf = saltsFrom(salting)
  }

  /** The digest of an erased member. WHY the comparison: only the mark may replace an erased value. */
  erased(pointer: string, left: Json): string | undefined {
    if (!isRemains(this.salting)) return undefined
    const digest = this.salting.erased[pointer]
    const isLeft = pointer === ACTOR_NAME ? left === ErasedMembers.ERASED : isMarkOf(left, digest)
    return isLeft ? digest : undefined
  }

  /** Conceals a member and returns its digest. */
  member(name: string, value: Json, pointer: string): string {
    const disclosure = Disclosure.print({ salt: this.#saltOf(pointer), name, value })
    const digest = Disclosure.digest(disclosure)
    this.concealed.push({ pointer, disclosure, digest })
    return digest
  }

  /** The digest of a member with a personal name. */
  personal(name: string, value: Json, pointer: string): string {
    return this.erased(pointer, value) ?? this.member(name, this.value(value, pointer), pointer)
  }

  /** The digest of a detail. WHY only some: only a detail with a personal name can be erased as a whole. */
  detail(name: string, value: Json): string {
    const pointer = `/${step(name)}`
    return ErasedMembers.PERSONAL.has(name)
      ? this.personal(name, value, pointer)
      : this.member(name, this.value(value, pointer), pointer)
  }

  /** Conceals the personal members of a value. Returns the same value if it has none. */
  value(value: Json, pointer: string): Json {
    if (!isNested(value)) return value
    if (isMembers(value)) return this.members(value, pointer)
    const kept = value.map((each, index) => this.value(each, `${pointer}/${index}`))
    return kept.every((each, index) => each === value[index]) ? value : kept
  }

  members(value: Members, pointer: string): Json {
    const members: Array<readonly [string, Json]> = []
    const digests: Array<string> = []
    let isSame = true
    for (const [name, member] of Object.entries(value)) {
      if (ErasedMembers.PERSONAL.has(name)) {
        digests.push(this.personal(name, member, `${pointer}/${step(name)}`))
      } else {
        const kept = isNested(member) ? this.value(member, `${pointer}/${step(name)}`) : member
        const own = escapeName(name)
        isSame = isSame && kept === member && own === name
        members.push([own, kept])
      }
    }
    if (digests.length > 0) members.push([Disclosure.DIGESTS, digests.sort()])
    else if (isSame) return value
    return Object.fromEntries(members)
  }
}

type NamedMember = readonly [name: string, member: Json]

/** Splits a content into its details and the rest. */
const split = (
  content: Json
): { readonly rest: Json; readonly details: ReadonlyArray<NamedMember> } => {
  if (!isMembers(content)) return { rest: content, details: [] }
  const [rest, details]: [Array<NamedMember>, Array<NamedMember>] = [[], []]
  for (const member of Object.entries(content)) {
    ;(DETAILS.has(member[0]) ? details : rest).push(member)
  }
  return { rest: details.length === 0 ? content : Object.fromEntries(rest), details }
}

/** The bytes of the entry with a time in epoch microseconds and these digests, which are in order. */
export const bytesOf = (at: number, digests: ReadonlyArray<string>): Uint8Array =>
  Sha256.utf8(CanonicalJson.print({ _sd: digests, _sd_alg: "sha-256", at, v: FORMAT }))

/** Makes the log entry of recorded values. */
export const make = (recorded: Recorded, salting: Salting): LogEntry => {
  const concealing = new Concealing(salting)
  const { kind, subject, prev, actor } = recorded
  const name = concealing.personal("name", actor.name, ACTOR_NAME)
  const { rest, details } = split(recorded.content)
  // WHY this order: it is the canonical order, so printing need not sort.
  const facts: Json = {
    actor: {
      [Disclosure.DIGESTS]: [name],
      ...(actor.break_glass === undefined ? {} : { break_glass: actor.break_glass }),
      credential: actor.credential,
      id: actor.id,
      kind: actor.kind
    },
    content: concealing.value(rest, "/facts/content"),
    kind,
    prev,
    subject
  }
  const digests = [concealing.member("facts", facts, "/facts")]
  for (const [detail, value] of details) {
    digests.push(concealing.detail(detail, value))
  }
  const bytes = bytesOf(recorded.at, digests.sort())
  return { bytes, hash: MerkleTree.leafHash(bytes), concealed: concealing.concealed }
}

const parseJson = (text: string): Option.Option<Json> =>
  Either.getRight(Either.try((): Json => JSON.parse(text)))

/** The digests that the bytes of an entry have. */
export const digestsOf = ({ bytes }: LogEntry): ReadonlyArray<string> => {
  const entry = Option.filter(Option.flatMap(Base64.textOf(bytes), parseJson), isMembers)
  const digests = Option.getOrUndefined(entry)?.[Disclosure.DIGESTS]
  return Array.isArray(digests) ? digests.filter((each) => typeof each === "string") : []
}

/** The part of an entry that some disclosures reveal. */
export interface Read {
  /** In epoch microseconds. */
  readonly at: number
  /** The disclosed members: `facts` and details. */
  readonly shown: { readonly [name: string]: Json }
  /** Digests of undisclosed members inside disclosed ones. */
  readonly withheld: ReadonlyArray<string>
}

/** The entries of an object with the names that they were recorded with; the same object if all have. */
const unescapedMembers = (value: Members): Members => {
  let isSame = true
  const members: Array<readonly [string, Json]> = []
  for (const [name, member] of Object.entries(value)) {
    const [own, kept] = [unescapeName(name), unescaped(member)]
    isSame = isSame && own === name && kept === member
    members.push([own, kept])
  }
  return isSame ? value : Object.fromEntries(members)
}

const unescaped = (value: Json): Json => {
  if (!isNested(value)) return value
  if (isMembers(value)) return unescapedMembers(value)
  const kept = value.map(unescaped)
  return kept.every((each, at) => each === value[at]) ? value : kept
}

/** Reads what some disclosures reveal of an entry with this time and these digests. None if they do not match. */
export const reveal = (
  { at, digests }: { readonly at: number; readonly digests: Json },
  disclosures: ReadonlyArray<Disclosure.DigestedDisclosure>
): Option.Option<Read> =>
  Option.flatMap(
    Either.getRight(Disclosure.reveal({ [Disclosure.DIGESTS]: digests }, disclosures)),
    ({ value, withheld }) => {
      const shown = unescaped(value)
      return isMembers(shown) ? Option.some({ at, shown, withheld }) : Option.none()
    }
  )

/** Reads an entry with some of its disclosures. None for another format, or if the disclosures do not match. */
export const read = (bytes: Uint8Array, disclosures: ReadonlyArray<string>): Option.Option<Read> =>
  Base64.textOf(bytes).pipe(
    Option.flatMap(parseJson),
    Option.filter(isMembers),
    Option.filter(({ v, _sd_alg }) => v === FORMAT && _sd_alg === "sha-256"),
    Option.flatMap(({ _sd: digests = [], at }) =>
      typeof at === "number"
        ? reveal({ at, digests }, disclosures.map(Disclosure.digested))
        : Option.none()
    )
  )
