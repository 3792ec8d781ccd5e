/** Interprets the pointer on a timeline: a click, the selection of a range, or a move of the cursor. */

export interface Drag {
  readonly mode: "select" | "scrub"
  readonly start: number
  readonly x: number
}

/** The action when the pointer is released; positions are in pixels. */
export type Released =
  | { readonly _tag: "Moment"; readonly x: number }
  | { readonly _tag: "Range"; readonly from: number; readonly to: number }

/** The pointer grabs the cursor within this distance. */
const GRAB_PX = 8
/** A shorter move is a click. */
const CLICK_PX = 4

/** Starts a drag at a position. */
export const begin = (x: number, cursor: number | undefined): Drag => ({
  mode: cursor !== undefined && Math.abs(x - cursor) <= GRAB_PX ? "scrub" : "select",
  start: x,
  x
})

/** The ends of the selection; undefined if nothing is being selected. */
export const selectionOf = (drag: Drag | undefined): readonly [number, number] | undefined =>
  drag === undefined || drag.mode === "scrub" || Math.abs(drag.x - drag.start) < CLICK_PX
    ? undefined
    : [Math.min(drag.start, drag.x), Math.max(drag.start, drag.x)]

export const end = (drag: Drag): Released => {
  const selection = selectionOf(drag)
  return selection === undefined
    ? { _tag: "Moment", x: drag.x }
    : { _tag: "Range", from: selection[0], to: selection[1] }
}
