/** Finds rows by name and fingerprint. */
import { keyOf, type RowIdentity } from "../RunningRow.js"

type Rows = ReadonlyArray<RowIdentity>

/**
 * For each row its place among others: that of the row with its name and fingerprint; -1 when there is none.
 *
 * INVARIANT: no two rows of a list have the same name and fingerprint. WHY by fingerprint first: a key made of
 * both would be built and hashed for each of hundreds of rows, and few rows share a fingerprint.
 */
export const places = (among: Rows, rows: Rows): ReadonlyArray<number> => {
  const first = new Map<string, number>()
  /** Rows whose fingerprint an earlier row has. */
  const others = new Map<string, number>()
  among.forEach((row, place) => {
    if (first.has(row.fingerprint)) others.set(keyOf(row), place)
    else first.set(row.fingerprint, place)
  })
  return rows.map((row) => {
    const place = first.get(row.fingerprint) ?? -1
    if (place < 0 || among[place]?.name === row.name) return place
    return others.size === 0 ? -1 : (others.get(keyOf(row)) ?? -1)
  })
}
