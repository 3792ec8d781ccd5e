/** Paints a timeline: bands, ticks, selection and cursor, at the positions from `TimelineLayout`. */
import type { Shape, Tick } from "./TimelineLayout.js"

/** The colours of the current theme. */
export interface TimelineColours {
  readonly ok: string
  readonly bad: string
  readonly unknown: string
  readonly line: string
  readonly link: string
}

export interface TimelinePicture {
  readonly width: number
  readonly height: number
  /** Device pixels per CSS pixel. */
  readonly ratio: number
  readonly shapes: ReadonlyArray<Shape>
  readonly ticks: ReadonlyArray<Tick>
  readonly labels: ReadonlyArray<{ readonly x: number }>
  readonly cursor: number | undefined
  readonly selection: readonly [from: number, to: number] | undefined
}

/** The height of the ticks below the bands. */
const TICKS_PX = 12
const HATCH_PX = 8

type Context = CanvasRenderingContext2D

/** Rounds a shape to whole pixels. WHY: the edges of narrow ones would blur. */
const whole = ({ x, width, verdict }: Shape): Shape => {
  const start = Math.round(x)
  return { x: start, width: Math.max(1, Math.round(x + width) - start, Math.floor(width)), verdict }
}

/** Hatches a rectangle, so that a failure is visible without colours. */
const hatch = (context: Context, { x, width }: Shape, height: number): void => {
  context.save()
  context.beginPath()
  context.rect(x, 0, width, height)
  context.clip()
  context.globalAlpha = 0.3
  context.strokeStyle = "#ffffff"
  context.lineWidth = 1.5
  context.beginPath()
  const first = Math.floor((x - height) / HATCH_PX) * HATCH_PX
  for (let at = first; at < x + width; at += HATCH_PX) {
    context.moveTo(at, height)
    context.lineTo(at + height, 0)
  }
  context.stroke()
  context.restore()
}

const paintShape = (
  context: Context,
  shape: Shape,
  at: { height: number; colours: TimelineColours }
) => {
  const { x, width, verdict } = shape
  const { height, colours } = at
  if (verdict === "non-compliant") {
    context.fillStyle = colours.bad
    context.fillRect(x, 0, width, height)
    hatch(context, shape, height)
  } else if (verdict === "compliant") {
    context.fillStyle = colours.ok
    context.fillRect(x, height * 0.6, width, height * 0.4)
  } else {
    context.strokeStyle = colours.unknown
    context.lineWidth = 1
    context.strokeRect(x + 0.5, height * 0.4 + 0.5, Math.max(1, width - 1), height * 0.6 - 1)
  }
}

const paintCursor = (
  context: Context,
  { at, height, colours }: { at: number; height: number; colours: TimelineColours }
): void => {
  context.fillStyle = colours.link
  context.fillRect(at - 1, 0, 2, height)
}

/** The handle that moves the cursor. */
const paintHandle = (context: Context, at: number, colours: TimelineColours): void => {
  context.fillStyle = colours.link
  context.beginPath()
  context.moveTo(at - 6, 0)
  context.lineTo(at + 6, 0)
  context.lineTo(at, 8)
  context.fill()
}

export const paint = (
  context: Context,
  picture: TimelinePicture,
  colours: TimelineColours
): void => {
  const { width, ratio, shapes, ticks, labels, cursor, selection } = picture
  const height = picture.height - TICKS_PX
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, width, picture.height)
  const isFailure = ({ verdict }: Shape) => verdict === "non-compliant"
  const paintAll = (some: ReadonlyArray<Shape>) => {
    for (const shape of some) paintShape(context, whole(shape), { height, colours })
  }
  paintAll(shapes.filter((shape) => !isFailure(shape)))
  if (cursor !== undefined)
    paintCursor(context, { at: Math.round(cursor), height: picture.height, colours })
  // WHY after the cursor: a short failure must stay visible beside it.
  paintAll(shapes.filter(isFailure))
  context.fillStyle = colours.line
  context.fillRect(0, height, width, 1)
  for (const { x, height: share } of ticks)
    context.fillRect(x - 0.5, height + 2, 1, (TICKS_PX - 3) * share)
  context.globalAlpha = 0.25
  for (const { x } of labels) context.fillRect(Math.round(x), 0, 1, height)
  if (selection !== undefined) {
    context.fillStyle = colours.link
    context.fillRect(selection[0], 0, selection[1] - selection[0], height)
  }
  context.globalAlpha = 1
  if (cursor !== undefined) paintHandle(context, Math.round(cursor), colours)
}
