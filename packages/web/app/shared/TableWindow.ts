/** Selects the rows of a long table to render: the visible ones, some around them, and the focused one. */

/** The state of the table. Heights are in pixels. */
export interface TableView {
  readonly rowCount: number
  readonly rowHeight: number
  readonly scrollTop: number
  readonly viewportHeight: number
}

/** The rows from `first` up to but excluding `end`, and the heights of the rows before and after them. */
export interface TableWindow {
  readonly first: number
  readonly end: number
  readonly before: number
  readonly after: number
}

/** Up to this many rows are all rendered, so that the browser's search finds them. */
export const WINDOWED_ABOVE = 200

/** Rows rendered above and below the visible ones. */
const AROUND = 12

/** Every row, for printing. */
export const allOf = ({ rowCount }: Pick<TableView, "rowCount">): TableWindow => ({
  first: 0,
  end: rowCount,
  before: 0,
  after: 0
})

export const windowOf = ({
  rowCount,
  rowHeight,
  scrollTop,
  viewportHeight
}: TableView): TableWindow => {
  if (rowCount <= WINDOWED_ABOVE) return allOf({ rowCount })
  const top = Math.min(Math.max(0, Math.floor(scrollTop / rowHeight)), rowCount - 1)
  const inSight = Math.max(1, Math.ceil(viewportHeight / rowHeight))
  const first = Math.max(0, top - AROUND)
  const end = Math.min(rowCount, top + inSight + AROUND)
  return { first, end, before: first * rowHeight, after: (rowCount - end) * rowHeight }
}

/** The scroll position that shows a row; unchanged if it is visible already. */
export const scrollTopFor = (row: number, view: TableView): number => {
  const top = row * view.rowHeight
  if (top < view.scrollTop) return top
  const bottom = top + view.rowHeight
  return bottom > view.scrollTop + view.viewportHeight
    ? bottom - view.viewportHeight
    : view.scrollTop
}

/** The row that a key moves to; undefined for other keys. */
export const rowFor = (key: string, row: number, view: TableView): number | undefined => {
  const page = Math.max(1, Math.floor(view.viewportHeight / view.rowHeight) - 1)
  const within = (next: number) => Math.min(Math.max(0, next), view.rowCount - 1)
  switch (key) {
    case "ArrowDown":
    case "j":
      return within(row + 1)
    case "ArrowUp":
    case "k":
      return within(row - 1)
    case "PageDown":
      return within(row + page)
    case "PageUp":
      return within(row - page)
    case "Home":
      return within(0)
    case "End":
      return within(view.rowCount - 1)
    default:
      return undefined
  }
}
