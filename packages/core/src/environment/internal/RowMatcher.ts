/** Finds rows by name and fingerprint. */
import { keyOf, type RowIdentity } from "../RunningRow.js"

type Rows = ReadonlyArray<RowIdentity>

const isSame = (row: RowIdentity, other: RowIdentity | undefined): boolean =>
  row.fingerprint === other?.fingerprint && row.name === other.name

/** Finds rows of a list by fingerprint and name. WHY not by `keyOf`: few rows share a fingerprint. */
const indexOf = (among: Rows): ((row: RowIdentity) => number) => {
  const first = new Map<string, number>()
  /** Rows whose fingerprint an earlier row has. */
  const others = new Map<string, number>()
  among.forEach((row, place) => {
    if (first.has(row.fingerprint)) others.set(keyOf(row), place)
    else first.set(row.fingerprint, place)
  })
  return (row) => {
    const place = first.get(row.fingerprint) ?? -1
    return place < 0 || isSame(row, among[place]) ? place : (others.get(keyOf(row)) ?? -1)
  }
}

/**
 * For each row its place among others: that of the row with its name and fingerprint; -1 when there is none.
 *
 * INVARIANT: no two rows of a list have the same name and fingerprint. Both lists are mostly in one order, so the row
 * after the last match is tried before the index.
 */
export const places = (among: Rows, rows: Rows): ReadonlyArray<number> => {
  let index: ((row: RowIdentity) => number) | undefined
  let next = 0
  return rows.map((row) => {
    if (!isSame(row, among[next])) {
      index ??= indexOf(among)
      const place = index(row)
      if (place < 0) return place
      next = place
    }
    next += 1
    return next - 1
  })
}
