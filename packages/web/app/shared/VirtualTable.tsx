/**
 * A table of any length: with more than 200 rows, only those near the visible part are rendered.
 *
 * The table is one tab stop; arrow keys move between rows, and Enter opens one. The focused row stays rendered when
 * it is scrolled out of view. On a narrow screen, the cells of a row are stacked below the titles of their columns
 * (`stacked.css`), unless rows are virtual: their heights must be known.
 */
import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useRef } from "preact/hooks"
import { isPrinting } from "./Printing.js"
import * as TableWindow from "./TableWindow.js"

export interface Column<Row> {
  readonly name: string
  readonly title: ComponentChildren
  /** The label of the value on a narrow screen; by default the title, if it is a text. */
  readonly label?: string
  readonly cell: (row: Row) => ComponentChildren
  /** Numbers are right-aligned. */
  readonly isNumber?: boolean
  /** The column shrinks if the table is too wide, and its cells are truncated. */
  readonly isFlexible?: boolean
  /** The cell that names its row. */
  readonly isHeader?: boolean
  /** The sort direction, if the rows are sorted by this column. */
  readonly sorted?: "ascending" | "descending" | undefined
}

export interface VirtualTableProps<Row> {
  readonly caption: string
  readonly columns: ReadonlyArray<Column<Row>>
  readonly rows: ReadonlyArray<Row>
  readonly keyOf: (row: Row) => string
  readonly rowHeight: number
  readonly selected?: string | undefined
  readonly onOpen?: (row: Row) => void
}

const classOf = <Row,>({ isNumber, isFlexible }: Column<Row>): string =>
  [
    "cell",
    ...(isNumber === true ? ["cell-number"] : []),
    ...(isFlexible === true ? ["cell-flex"] : [])
  ].join(" ")

const labelOf = <Row,>({ label, title }: Column<Row>): string | undefined =>
  label ?? (typeof title === "string" ? title : undefined)

const Cells = <Row,>({
  columns,
  row
}: {
  readonly columns: ReadonlyArray<Column<Row>>
  readonly row: Row
}) =>
  columns.map((column) =>
    column.isHeader === true ? (
      <th key={column.name} scope="row" class={classOf(column)}>
        {column.cell(row)}
      </th>
    ) : (
      <td key={column.name} class={classOf(column)} data-label={labelOf(column)}>
        {column.cell(row)}
      </td>
    )
  )

/** A spacer in place of the rows that are not rendered. */
const Gap = ({ height, span }: { readonly height: number; readonly span: number }) =>
  height === 0 ? null : (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: this row has no tab index; it is a space.
    <tr aria-hidden="true" class="table-gap">
      <td colSpan={span} style={{ height: `${height}px` }} />
    </tr>
  )

export const VirtualTable = <Row,>(props: VirtualTableProps<Row>) => {
  const { caption, columns, rows, keyOf, rowHeight, selected, onOpen } = props
  const scroller = useRef<HTMLDivElement>(null)
  const scrollTop = useSignal(0)
  const focused = useSignal(0)
  const view = {
    rowCount: rows.length,
    rowHeight,
    scrollTop: scrollTop.value,
    viewportHeight: Math.min(scroller.current?.clientHeight ?? 600, innerHeight)
  }
  const isWindowed = rows.length > TableWindow.WINDOWED_ABOVE
  const shown = isPrinting.value ? TableWindow.allOf(view) : TableWindow.windowOf(view)
  const stop = Math.min(focused.value, Math.max(0, rows.length - 1))
  const move = (event: KeyboardEvent) => {
    const row = rows[stop]
    if (event.key === "Enter" && event.target instanceof HTMLTableRowElement && row !== undefined) {
      if (onOpen !== undefined) onOpen(row)
      else event.target.querySelector<HTMLElement>("th a[href]")?.click()
    }
    const next = TableWindow.rowFor(event.key, stop, view)
    if (next === undefined || event.target instanceof HTMLInputElement) return
    event.preventDefault()
    focused.value = next
    const element = scroller.current
    if (element === null) return
    if (isWindowed) {
      element.scrollTop = TableWindow.scrollTopFor(next, view)
      scrollTop.value = element.scrollTop
    }
    requestAnimationFrame(() => {
      const row = element.querySelector<HTMLTableRowElement>(`tr[data-row="${next}"]`)
      row?.focus({ preventScroll: true })
      if (!isWindowed) row?.scrollIntoView({ block: "nearest" })
    })
  }
  const line = (index: number) => {
    const row = rows[index]
    if (row === undefined) return null
    const key = keyOf(row)
    return (
      <tr
        key={key}
        data-row={index}
        aria-rowindex={index + 2}
        aria-current={key === selected ? "true" : undefined}
        tabIndex={index === stop ? 0 : -1}
        onFocus={() => {
          focused.value = index
        }}
      >
        <Cells columns={columns} row={row} />
      </tr>
    )
  }
  const indexes = Array.from(
    { length: shown.end - shown.first },
    (_, offset) => shown.first + offset
  )
  const isAway = stop < shown.first || stop >= shown.end
  return (
    <div
      ref={scroller}
      class="table-scroller"
      onScroll={(event) => {
        scrollTop.value = event.currentTarget.scrollTop
      }}
    >
      <table
        class={isWindowed ? "table" : "table table-stacked"}
        aria-rowcount={rows.length + 1}
        onKeyDown={move}
      >
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <th key={column.name} scope="col" class={classOf(column)} aria-sort={column.sorted}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {isAway && stop < shown.first ? line(stop) : null}
          <Gap height={shown.before} span={columns.length} />
          {indexes.map(line)}
          <Gap height={shown.after} span={columns.length} />
          {isAway && stop >= shown.end ? line(stop) : null}
        </tbody>
      </table>
    </div>
  )
}
