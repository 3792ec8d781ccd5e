/** Rows of a form whose order counts: they are added, moved and removed. Pure. */

/** A row; the key tells rows apart while they are changed. */
export interface Row {
  readonly key: number
}

let made = 0

/** A key that no row has. */
export const newKey = (): number => made++

/** The order of rows as a text. */
export const orderOf = (rows: ReadonlyArray<Row>): string => rows.map(({ key }) => key).join(" ")

/** The rows with another one in the place of one. */
export const replaced = <A extends Row>(rows: ReadonlyArray<A>, next: A): ReadonlyArray<A> =>
  rows.map((each) => (each.key === next.key ? next : each))

/** The rows without one. */
export const without = <A extends Row>(rows: ReadonlyArray<A>, key: number): ReadonlyArray<A> =>
  rows.filter((each) => each.key !== key)

/** The rows with one moved by a place up (-1) or down (1); at the end it stays. */
export const moved = <A extends Row>(
  rows: ReadonlyArray<A>,
  key: number,
  by: -1 | 1
): ReadonlyArray<A> => {
  const from = rows.findIndex((each) => each.key === key)
  const row = rows[from]
  const other = rows[from + by]
  if (row === undefined || other === undefined) return rows
  return rows.map((each) => (each === row ? other : each === other ? row : each))
}
