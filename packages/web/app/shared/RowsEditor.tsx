/** Rows of a form: each with its fields, and buttons that move and remove it. The order is shown by numbers. */
import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"
import * as OrderedRows from "./OrderedRows.js"

interface Props<A extends OrderedRows.Row> {
  /** What a row is, as `Rule`. */
  readonly name: string
  readonly rows: ReadonlyArray<A>
  readonly set: (rows: ReadonlyArray<A>) => void
  readonly blank: () => A
  /** Said without rows. */
  readonly empty: string
  /** Whether the first row that fits decides, so that rows can be moved. */
  readonly isOrdered: boolean
  /** The fields of a row; `at` counts from 0. */
  readonly children: (row: A, at: number, set: (next: A) => void) => ComponentChildren
}

const MOVES = [
  [-1, "Up"],
  [1, "Down"]
] as const

const Actions = <A extends OrderedRows.Row>({
  name,
  rows,
  set,
  isOrdered,
  row,
  at
}: Omit<Props<A>, "blank" | "empty" | "children"> & { readonly row: A; readonly at: number }) => {
  const pressed = useRef<HTMLButtonElement | null>(null)
  const own = <span class="visually-hidden"> {`${name.toLowerCase()} ${at + 1}`}</span>
  // WHY: a row that moves in the document loses the focus.
  useEffect(() => {
    pressed.current?.focus()
    pressed.current = null
  })
  return (
    <p class="row-actions">
      {isOrdered
        ? MOVES.map(([by, text]) => (
            <button
              key={by}
              type="button"
              class="button"
              aria-disabled={rows[at + by] === undefined}
              onClick={({ currentTarget }) => {
                pressed.current = currentTarget
                set(OrderedRows.moved(rows, row.key, by))
              }}
            >
              {text}
              {own}
            </button>
          ))
        : null}
      <button type="button" class="button" onClick={() => set(OrderedRows.without(rows, row.key))}>
        Remove{own}
      </button>
    </p>
  )
}

export const RowsEditor = <A extends OrderedRows.Row>({
  blank,
  children,
  empty,
  ...rest
}: Props<A>) => {
  const { name, rows, set } = rest
  return (
    <>
      {rows.length === 0 ? (
        <p>{empty}</p>
      ) : (
        <ol class="rule-cards">
          {rows.map((row, at) => (
            <li key={row.key} class="rule-card">
              <section class="row-fields" aria-label={`${name} ${at + 1}`}>
                {children(row, at, (next) => set(OrderedRows.replaced(rows, next)))}
              </section>
              <Actions {...rest} row={row} at={at} />
            </li>
          ))}
        </ol>
      )}
      <p>
        <button type="button" class="button" onClick={() => set([...rows, blank()])}>
          Add a {name.toLowerCase()}
        </button>
      </p>
    </>
  )
}
