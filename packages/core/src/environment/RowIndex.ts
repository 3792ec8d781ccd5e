/**
 * Finds rows by name and fingerprint.
 *
 * WHY not a map by `RunningRow.keyOf`: every report has hundreds of rows, nearly all of them known, and a
 * text made of both would be built and hashed anew for each.
 */
import { keyOf, type RowIdentity } from "./RunningRow.js"

/** Where rows are in a list. */
export interface RowIndex {
  /** The place of the row with that name and fingerprint; -1 when there is none. */
  readonly placeOf: (identity: RowIdentity) => number
}

const made = new WeakMap<ReadonlyArray<RowIdentity>, RowIndex>()

const index = (rows: ReadonlyArray<RowIdentity>): RowIndex => {
  const first = new Map<string, number>()
  /** Rows whose fingerprint another has already: seldom any. */
  const others = new Map<string, number>()
  rows.forEach((row, place) => {
    if (first.has(row.fingerprint)) others.set(keyOf(row), place)
    else first.set(row.fingerprint, place)
  })
  return {
    placeOf: (identity) => {
      const place = first.get(identity.fingerprint) ?? -1
      if (place < 0 || rows[place]?.name === identity.name) return place
      return others.size === 0 ? -1 : (others.get(keyOf(identity)) ?? -1)
    }
  }
}

/**
 * The index of a list, made once for each. INVARIANT: the list stays as it is, and no two of its rows have
 * the same name and fingerprint.
 */
export const of = (rows: ReadonlyArray<RowIdentity>): RowIndex => {
  const known = made.get(rows) ?? index(rows)
  made.set(rows, known)
  return known
}
