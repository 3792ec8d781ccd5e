/**
 * Pairs the rows of two snapshots: rows on both sides, rows with another version, and rows on one side only.
 *
 * Rows pair by name and fingerprint, else by flow and slot, else by name without tag. The sets match the server's
 * comparison: same and scaled pairs are its unchanged and changed rows, the others run on one side.
 */
import type { ShortRow } from "../shared/Contract.js"

export type PairKind = "version" | "scaled" | "started" | "stopped" | "same"

/** Two rows that belong together, or a single row. */
export interface Pair {
  readonly key: string
  readonly kind: PairKind
  readonly left: ShortRow | undefined
  readonly right: ShortRow | undefined
}

/** The name without the tag or digest of an image. */
export const plainName = (name: string): string => {
  const [image = ""] = name.split("@")
  const colon = image.lastIndexOf(":")
  return colon > image.lastIndexOf("/") ? image.slice(0, colon) : image
}

const identityOf = ({ fingerprint, name }: ShortRow): string => `${fingerprint}:${name}`

/**
 * Running rows by identity. WHY a sum: a logical environment lists the rows of each member, so one name and
 * fingerprint may occur twice.
 */
const merged = (rows: ReadonlyArray<ShortRow>): ReadonlyMap<string, ShortRow> => {
  const found = new Map<string, ShortRow>()
  for (const row of rows) {
    if (row.annotation.type === "exited") continue
    const same = found.get(identityOf(row))
    found.set(
      identityOf(row),
      same === undefined ? row : { ...same, instances: same.instances + row.instances }
    )
  }
  return found
}

const byIdentity = (left: ShortRow, right: ShortRow): number =>
  left.name < right.name
    ? -1
    : left.name > right.name
      ? 1
      : left.fingerprint < right.fingerprint
        ? -1
        : 1

type KeyOf = (row: ShortRow) => string | undefined

const bySlot: KeyOf = ({ flow_name, template_reference_name }) =>
  flow_name === null ? undefined : `${flow_name}\n${template_reference_name}`

const byName: KeyOf = ({ name }) => plainName(name)

/** Removes rows with equal keys from both lists, and returns them as pairs. */
const takePairs = (
  left: Set<ShortRow>,
  right: Set<ShortRow>,
  keyOf: KeyOf
): ReadonlyArray<readonly [ShortRow, ShortRow]> => {
  const waiting = new Map<string, Array<ShortRow>>()
  for (const row of right) {
    const key = keyOf(row)
    if (key !== undefined) waiting.set(key, [...(waiting.get(key) ?? []), row])
  }
  const pairs: Array<readonly [ShortRow, ShortRow]> = []
  for (const row of [...left]) {
    const other = waiting.get(keyOf(row) ?? "")?.shift()
    if (other === undefined) continue
    left.delete(row)
    right.delete(other)
    pairs.push([row, other])
  }
  return pairs
}

const ORDER: { readonly [kind in PairKind]: number } = {
  version: 0,
  scaled: 1,
  started: 2,
  stopped: 3,
  same: 4
}

const pairOf = (kind: PairKind, left: ShortRow | undefined, right: ShortRow | undefined): Pair => ({
  key: `${left === undefined ? "" : identityOf(left)} ${right === undefined ? "" : identityOf(right)}`,
  kind,
  left,
  right
})

const nameOf = ({ left, right }: Pair): string => (right ?? left)?.name ?? ""

const byKind = (one: Pair, other: Pair): number =>
  ORDER[one.kind] - ORDER[other.kind] || (nameOf(one) < nameOf(other) ? -1 : 1)

/** The pairs of two lists of rows: changed versions first, equal ones last. Exited rows are omitted. */
export const pairsOf = (
  leftRows: ReadonlyArray<ShortRow>,
  rightRows: ReadonlyArray<ShortRow>
): ReadonlyArray<Pair> => {
  const [one, two] = [merged(leftRows), merged(rightRows)]
  const both = [...one].flatMap(([key, left]) => {
    const right = two.get(key)
    if (right === undefined) return []
    return [pairOf(left.instances === right.instances ? "same" : "scaled", left, right)]
  })
  const only = (rows: ReadonlyMap<string, ShortRow>, other: ReadonlyMap<string, ShortRow>) =>
    new Set([...rows].flatMap(([key, row]) => (other.has(key) ? [] : [row])).sort(byIdentity))
  const [left, right] = [only(one, two), only(two, one)]
  const versions = [...takePairs(left, right, bySlot), ...takePairs(left, right, byName)]
  return [
    ...both,
    ...versions.map(([old, next]) => pairOf("version", old, next)),
    ...[...right].map((row) => pairOf("started", undefined, row)),
    ...[...left].map((row) => pairOf("stopped", row, undefined))
  ].sort(byKind)
}

/** Whether the verdict differs between the sides; a single row counts as different unless it is compliant. */
export const turns = ({ left, right }: Pair): boolean =>
  left === undefined || right === undefined
    ? (left ?? right)?.verdict !== "Compliant"
    : left.verdict !== right.verdict

export const countsOf = (pairs: ReadonlyArray<Pair>): { readonly [kind in PairKind]: number } => {
  const counts = { version: 0, scaled: 0, started: 0, stopped: 0, same: 0 }
  for (const { kind } of pairs) counts[kind] += 1
  return counts
}

/** One side of a comparison, as in the URL. */
export interface Side {
  readonly environment: string
  readonly expression: string
}

/**
 * Parses `env`, `env#N`, `env~N` or `env@{…}`; undefined for other texts. Environment names contain none of the three
 * signs.
 */
export const parseSide = (text: string): Side | undefined => {
  const [, environment, rest = ""] = /^([^#~@]+)(#.+|~.+|@.+)?$/s.exec(text.trim()) ?? []
  if (environment === undefined) return undefined
  if (rest === "") return { environment, expression: "-1" }
  return { environment, expression: rest.startsWith("#") ? rest.slice(1) : rest }
}
