/** The actions of the pointer on a timeline: a click, a selection of a time, or a move of the cursor. */

/** A pointer that is down. */
export interface Drag {
  readonly mode: "select" | "scrub"
  readonly start: number
  readonly x: number
}

/** The action of a released pointer; places are pixels. */
export type Released =
  | { readonly _tag: "Moment"; readonly x: number }
  | { readonly _tag: "Range"; readonly from: number; readonly to: number }

/** The pointer takes the cursor within this distance. */
const GRAB_PX = 8
/** A shorter move is a click. */
const CLICK_PX = 4

/** Begins a drag at a place. */
export const begin = (x: number, cursor: number | undefined): Drag => ({
  mode: cursor !== undefined && Math.abs(x - cursor) <= GRAB_PX ? "scrub" : "select",
  start: x,
  x
})

/** The places of the selection that is drawn; undefined while there is none. */
export const selectionOf = (drag: Drag | undefined): readonly [number, number] | undefined =>
  drag === undefined || drag.mode === "scrub" || Math.abs(drag.x - drag.start) < CLICK_PX
    ? undefined
    : [Math.min(drag.start, drag.x), Math.max(drag.start, drag.x)]

/** The action of a drag when it ends. */
export const end = (drag: Drag): Released => {
  const selection = selectionOf(drag)
  return selection === undefined
    ? { _tag: "Moment", x: drag.x }
    : { _tag: "Range", from: selection[0], to: selection[1] }
}
