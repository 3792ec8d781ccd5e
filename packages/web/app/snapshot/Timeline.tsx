/**
 * The history of an environment as bands of verdicts, with ticks for snapshots.
 *
 * Dragging selects a range and zooms in; a double click or `0` shows the default range again. Arrow keys move by
 * snapshot, with Shift by column. Dragging the cursor shows the rows at an instant, and releasing it opens that
 * instant. A table has the same content.
 */
import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { ProblemNote } from "../shared/ProblemNote.js"
import { TimelineCanvas, type TimelineProps } from "./TimelineCanvas.js"
import * as TimelineRange from "./TimelineRange.js"
import { useTimeline } from "./TimelineReads.js"
import { TimelineTable } from "./TimelineTable.js"
import { TimelineTools } from "./TimelineTools.js"

export const Timeline = (props: TimelineProps) => {
  const { org, environment, route } = props
  const box = useRef<HTMLDivElement>(null)
  const width = useSignal(0)
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const observer = new ResizeObserver(() => {
      width.value = element.clientWidth
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [width])
  const { state, timeline, retry } = useTimeline({ org, env_name: environment }, route, width.value)
  const isAsked = TimelineRange.fromRoute(route) !== undefined
  const first = timeline?.first
  return (
    <section class="timeline" aria-label="History">
      {state._tag === "Failed" && state.problem.kind !== "signed-out" ? (
        <ProblemNote problem={state.problem} retry={retry} />
      ) : null}
      {timeline === undefined ? null : (
        <TimelineTools
          range={timeline}
          whole={
            first ? { from: Math.floor(first.timestamp) - 1, to: Date.now() / 1_000 } : undefined
          }
          isZoomed={isAsked}
        />
      )}
      <div ref={box} class="timeline-box">
        {timeline === undefined ? null : timeline.latest === null ? (
          <p class="quiet">No snapshot yet.</p>
        ) : (
          <TimelineCanvas {...props} timeline={timeline} width={width.value} />
        )}
      </div>
      {timeline === undefined ? null : (
        <TimelineTable org={org} environment={environment} timeline={timeline} />
      )}
    </section>
  )
}
