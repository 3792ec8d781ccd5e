/**
 * An entry of the log as a capsule has it: a line of `entries.jsonl`, from which the leaf is computed again. Pure.
 *
 * A line has the disclosures that are shown. What is not shown is left as its digest, so that the leaf stays the same.
 */
import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Disclosure from "../log/internal/Disclosure.js"
import * as LogEntry from "../log/LogEntry.js"
import * as CanonicalJson from "../shared/CanonicalJson.js"

/** A line: an entry with what is shown of it. */
export interface CapsuleEntry {
  readonly index: number
  /** In epoch microseconds. */
  readonly at: number
  /** The shown members of the entry itself: its facts and its details. */
  readonly shown: ReadonlyArray<string>
  /** The shown members inside of those. */
  readonly inside: ReadonlyArray<string>
  /** The digests of members of the entry itself that are not shown. */
  readonly withheld: ReadonlyArray<string>
}

/** Whether a pointer is of a member of the entry itself. */
const isOuter = (pointer: string): boolean => pointer.indexOf("/", 1) < 0

/** The line of an entry; `isShown` tells by its pointer whether a member is shown. */
export const make = (
  { index, at }: Pick<CapsuleEntry, "index" | "at">,
  entry: LogEntry.LogEntry,
  isShown: (pointer: string) => boolean
): CapsuleEntry => {
  const [shown, inside]: [Array<string>, Array<string>] = [[], []]
  const known = new Set<string>()
  for (const { pointer, disclosure, digest } of entry.concealed) {
    const top = pointer.split("/", 2).join("/")
    if (!isShown(pointer) || !isShown(top)) continue
    if (isOuter(pointer)) known.add(digest)
    ;(isOuter(pointer) ? shown : inside).push(disclosure)
  }
  const withheld = LogEntry.digestsOf(entry).filter((digest) => !known.has(digest))
  return { index, at, shown, inside, withheld }
}

/** Prints a line, with its newline. */
export const print = (entry: CapsuleEntry): string => `${CanonicalJson.print(entry)}\n`

const isTexts = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((each) => typeof each === "string")

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0

/** Reads a line, without its newline. None for another form. */
export const parse = (line: string): Option.Option<CapsuleEntry> => {
  const value = Either.getOrUndefined(Either.try((): unknown => JSON.parse(line)))
  if (typeof value !== "object" || value === null) return Option.none()
  const { at, index, inside, shown, withheld }: { readonly [name: string]: unknown } = { ...value }
  return isCount(index) && isCount(at) && isTexts(shown) && isTexts(inside) && isTexts(withheld)
    ? Option.some({ index, at, shown, inside, withheld })
    : Option.none()
}

/** An entry that was computed again: its leaf, and what it shows. */
export interface OpenedEntry extends LogEntry.Read {
  readonly index: number
  readonly leaf: MerkleTree.Hash
  /** How many members of the entry itself are not shown. */
  readonly hidden: number
}

/** The digests of the members of the entry itself, in their order. */
export const digestsOf = ({ shown, withheld }: CapsuleEntry): ReadonlyArray<string> =>
  [...withheld, ...shown.map(Disclosure.digest)].sort()

/** Computes the leaf of a line, and reads what it shows. None for disclosures that do not fit. */
export const open = (entry: CapsuleEntry): Option.Option<OpenedEntry> => {
  const { at, index, inside, withheld } = entry
  const shown = entry.shown.map(Disclosure.digested)
  const digests = [...withheld, ...shown.map(({ digest }) => digest)].sort()
  const disclosures = [...shown, ...inside.map(Disclosure.digested)]
  return Option.map(LogEntry.reveal({ at, digests }, disclosures), (read) => ({
    ...read,
    index,
    leaf: MerkleTree.leafHash(LogEntry.bytesOf(at, digests)),
    hidden: withheld.length
  }))
}
