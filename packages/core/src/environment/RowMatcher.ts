/**
 * Finds rows by name and fingerprint.
 *
 * WHY not a map by `RunningRow.keyOf`: every report has hundreds of rows, nearly all of them known, and a
 * text made of both would be built and hashed anew for each.
 */
import { keyOf, type RowIdentity } from "./RunningRow.js"

type Rows = ReadonlyArray<RowIdentity>

const index = (rows: Rows): ((identity: RowIdentity) => number) => {
  const first = new Map<string, number>()
  /** Rows whose fingerprint another has already: seldom any. */
  const others = new Map<string, number>()
  rows.forEach((row, place) => {
    if (first.has(row.fingerprint)) others.set(keyOf(row), place)
    else first.set(row.fingerprint, place)
  })
  return (identity) => {
    const place = first.get(identity.fingerprint) ?? -1
    if (place < 0 || rows[place]?.name === identity.name) return place
    return others.size === 0 ? -1 : (others.get(keyOf(identity)) ?? -1)
  }
}

/** So many rows may have gone between two that stay: what is deployed together often stands together. */
const AHEAD = 64

/** Where the very same row is, from a place on; -1 when it is not close. */
const placeNear = (rows: Rows, from: number, row: RowIdentity | undefined): number => {
  const end = Math.min(from + AHEAD, rows.length)
  for (let place = from; place < end; place++) if (rows[place] === row) return place
  return -1
}

/** Looks up the rows that have no place yet, among those in whose place no row is. */
const lookUp = (among: Rows, rows: Rows, places: Array<number>): void => {
  const isTaken = new Uint8Array(among.length)
  for (const place of places) if (place >= 0) isTaken[place] = 1
  const left: Array<number> = []
  for (let place = 0; place < among.length; place++) if (isTaken[place] === 0) left.push(place)
  const placeOf = index(left.flatMap((place) => among[place] ?? []))
  for (let at = 0; at < places.length; at++) {
    const row = rows[at]
    if (places[at] === -1 && row !== undefined) places[at] = left[placeOf(row)] ?? -1
  }
}

interface Found {
  readonly rows: Rows
  readonly places: ReadonlyArray<number>
}

/** WHY: a store asks before it locks, and whoever judges asks the same again. */
const lastFound = new WeakMap<Rows, Found>()

/**
 * For each row its place among others: that of the row with its name and fingerprint; -1 when there is none.
 *
 * Rows that are the very same, in the same order, are found by comparing them one by one; only the others
 * are looked up. INVARIANT: no two rows of a list have the same name and fingerprint, and lists stay as they
 * are.
 */
export const places = (among: Rows, rows: Rows): ReadonlyArray<number> => {
  const known = lastFound.get(among)
  if (known?.rows === rows) return known.places
  const found = find(among, rows)
  lastFound.set(among, { rows, places: found })
  return found
}

const find = (among: Rows, rows: Rows): ReadonlyArray<number> => {
  const found: Array<number> = []
  let next = 0
  /** Rows in a row that were not found: most of them stand in the place of one that is gone. */
  let missed = 0
  let isWhole = true
  for (const row of rows) {
    if (missed > 0 && among[next + missed] === row) next += missed
    const place = among[next] === row ? next : placeNear(among, next + 1, row)
    if (place < 0) {
      missed += 1
      isWhole = false
    } else {
      next = place + 1
      missed = 0
    }
    found.push(place)
  }
  if (!isWhole) lookUp(among, rows, found)
  return found
}
