/** The canvas of a timeline, with its pointer and keyboard actions. */
import type * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import type { RefObject } from "preact"
import { useEffect, useRef } from "preact/hooks"
import type { Timeline } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import { preferences } from "../shared/Preferences.js"
import * as TimelineDrag from "./TimelineDrag.js"
import * as TimelineLayout from "./TimelineLayout.js"
import { paint, type TimelineColours } from "./TimelinePaint.js"
import * as TimelineRange from "./TimelineRange.js"
import { ScrubReadout, TimelineLabels } from "./TimelineTexts.js"
import { show } from "./TimelineTools.js"

const HEIGHT = 56
/** A click waits this long for a second one, which zooms out. */
const DOUBLE_CLICK_MS = 250

export interface TimelineProps {
  readonly org: string
  readonly environment: string
  readonly route: Route.Route
  /** The snapshot that the page shows. */
  readonly current: number | undefined
}

interface CanvasProps extends TimelineProps {
  readonly timeline: Timeline
  readonly width: number
}

const COLOURS = ["ok", "bad", "unknown", "line", "link"] as const

/** The colours of the current theme. WHY elements: a canvas does not resolve CSS variables. */
const coloursOf = (swatches: RefObject<HTMLSpanElement | null>): TimelineColours => {
  const colour = (place: number) => {
    const element = swatches.current?.children[place]
    return element === undefined ? "#000000" : getComputedStyle(element).color
  }
  return { ok: colour(0), bad: colour(1), unknown: colour(2), line: colour(3), link: colour(4) }
}

/** Opens a snapshot of the same environment; filters and the range stay. */
const openSnapshot = ({ org, environment, route }: TimelineProps, expression: string): void =>
  Navigation.go({
    _tag: "Snapshot",
    params: { org, environment, expression },
    query: route.query
  })

/** The position of the cursor: the instant in the URL, or the snapshot that the page shows. */
const cursorSeconds = ({ route, current, timeline }: CanvasProps): number | undefined => {
  const moment =
    route._tag === "Snapshot" ? TimelineRange.instantOf(route.params.expression) : undefined
  return moment ?? (current === undefined ? undefined : TimelineLayout.momentOf(timeline, current))
}

/** The snapshot that a key moves to; undefined for other keys. */
const indexFor = ({ timeline, current }: CanvasProps, event: KeyboardEvent): number | undefined => {
  const { first, latest } = timeline
  if (first === null || latest === null || current === undefined) return undefined
  if (event.key === "Home") return first.index
  if (event.key === "End") return latest.index
  if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return undefined
  const direction = event.key === "ArrowLeft" ? -1 : 1
  const next = event.shiftKey
    ? TimelineLayout.indexBeside(timeline, current, direction)
    : current + direction
  return next === undefined ? undefined : Math.min(latest.index, Math.max(first.index, next))
}

const onKey = (props: CanvasProps, event: KeyboardEvent): void => {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const { from, to } = props.timeline
  const index = indexFor(props, event)
  if (index !== undefined) {
    if (index !== props.current) openSnapshot(props, String(index))
  } else if (event.key === "0") show(undefined)
  else if (event.key === "+") show(TimelineRange.zoomed({ from, to }, 0.5))
  else if (event.key === "-") show(TimelineRange.zoomed({ from, to }, 2))
  else return
  event.preventDefault()
}

/** Pointer actions: selecting a range, moving the cursor, opening an instant. */
const usePointer = (props: CanvasProps, cursor: number | undefined) => {
  const { timeline, width } = props
  const drag = useSignal<TimelineDrag.Drag | undefined>(undefined)
  const click = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(click.current), [])
  const placeOf = (event: PointerEvent) =>
    event.currentTarget instanceof Element
      ? event.clientX - event.currentTarget.getBoundingClientRect().left
      : 0
  const open = (x: number) =>
    openSnapshot(props, TimelineRange.expressionAt(TimelineLayout.secondsAt(timeline, width, x)))
  const release = (ended: TimelineDrag.Drag) => {
    const released = TimelineDrag.end(ended)
    if (released._tag === "Range") {
      const at = (x: number) => TimelineLayout.secondsAt(timeline, width, x)
      show(TimelineRange.between(at(released.from), at(released.to)))
    } else if (ended.mode === "scrub" && ended.x !== ended.start) open(released.x)
    else if (ended.mode === "select") {
      clearTimeout(click.current)
      click.current = setTimeout(() => open(released.x), DOUBLE_CLICK_MS)
    }
  }
  return {
    drag: drag.value,
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        if (event.button !== 0) return
        if (event.currentTarget instanceof Element)
          event.currentTarget.setPointerCapture(event.pointerId)
        drag.value = TimelineDrag.begin(placeOf(event), cursor)
      },
      onPointerMove: (event: PointerEvent) => {
        if (drag.value !== undefined) drag.value = { ...drag.value, x: placeOf(event) }
      },
      onPointerUp: () => {
        const ended = drag.value
        drag.value = undefined
        if (ended !== undefined) release(ended)
      },
      onPointerCancel: () => {
        drag.value = undefined
      },
      onDblClick: () => {
        clearTimeout(click.current)
        show(undefined)
      }
    }
  }
}

/** Paints after each change, and when the theme changes. */
const usePainting = (
  { timeline, width }: CanvasProps,
  cursor: number | undefined,
  drag: TimelineDrag.Drag | undefined
) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  const swatches = useRef<HTMLSpanElement>(null)
  const { theme, zone } = preferences.value
  useEffect(() => {
    const draw = () => {
      const element = canvas.current
      const context = element?.getContext("2d")
      if (element === null || context === null || context === undefined) return
      const ratio = devicePixelRatio
      element.width = Math.round(width * ratio)
      element.height = Math.round(HEIGHT * ratio)
      const picture = {
        width,
        height: HEIGHT,
        ratio,
        shapes: TimelineLayout.shapesOf(timeline, width),
        ticks: TimelineLayout.ticksOf(timeline, width),
        labels: TimelineLayout.labelsOf(timeline, width),
        cursor: drag?.mode === "scrub" ? drag.x : cursor,
        selection: TimelineDrag.selectionOf(drag)
      }
      paint(context, picture, coloursOf(swatches))
    }
    draw()
    const scheme = matchMedia("(prefers-color-scheme: dark)")
    scheme.addEventListener("change", draw)
    return () => scheme.removeEventListener("change", draw)
  }, [timeline, width, cursor, drag, theme, zone])
  return { canvas, swatches }
}

/** The canvas, as an accessible slider over snapshots. */
export const TimelineCanvas = (props: CanvasProps) => {
  const { timeline, width, environment, current } = props
  const seconds = cursorSeconds(props)
  const cursor = seconds === undefined ? undefined : TimelineLayout.xAt(timeline, width, seconds)
  const { drag, handlers } = usePointer(props, cursor)
  const { canvas, swatches } = usePainting(props, cursor, drag)
  const { first, latest } = timeline
  const shown = current ?? latest?.index ?? 0
  return (
    <>
      <div
        class="timeline-slider"
        role="slider"
        tabIndex={0}
        aria-label={`Timeline of ${environment}`}
        aria-valuemin={first?.index ?? 0}
        aria-valuemax={latest?.index ?? 0}
        aria-valuenow={shown}
        aria-valuetext={`Snapshot ${shown}`}
        onKeyDown={(event) => onKey(props, event)}
      >
        <canvas ref={canvas} class="timeline-canvas" {...handlers} />
        <span ref={swatches} class="timeline-swatches" aria-hidden="true">
          {COLOURS.map((name) => (
            <span key={name} class={`timeline-${name}`} />
          ))}
        </span>
      </div>
      <TimelineLabels timeline={timeline} width={width} />
      {drag?.mode === "scrub" ? (
        <ScrubReadout
          org={props.org}
          environment={environment}
          seconds={TimelineLayout.secondsAt(timeline, width, drag.x)}
        />
      ) : null}
    </>
  )
}
