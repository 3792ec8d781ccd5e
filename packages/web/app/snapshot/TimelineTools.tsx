/** Buttons for the actions of dragging: other lengths, zoom in and out, earlier, later. */
import * as Navigation from "../shared/Navigation.js"
import * as TimeText from "../shared/TimeText.js"
import * as TimelineRange from "./TimelineRange.js"

/** Shows another range; undefined shows the default. */
export const show = (range: TimelineRange.Range | undefined): void =>
  Navigation.setQuery(
    range === undefined ? { from: undefined, to: undefined } : TimelineRange.printed(range)
  )

/** `whole` is the range of the whole history. */
export const TimelineTools = ({
  range,
  whole,
  isZoomed
}: {
  readonly range: TimelineRange.Range
  readonly whole: TimelineRange.Range | undefined
  readonly isZoomed: boolean
}) => {
  const length = range.to - range.from
  const fits = TimelineRange.LENGTHS.find(([seconds]) => Math.abs(seconds - length) < seconds / 50)
  const button = (text: string, label: string, next: TimelineRange.Range | undefined) => (
    <button
      type="button"
      class="button-plain"
      aria-label={label}
      title={label}
      onClick={() => show(next)}
    >
      {text}
    </button>
  )
  return (
    <div class="timeline-tools">
      <select
        aria-label="Time shown"
        value={fits === undefined ? "" : String(fits[0])}
        onChange={({ currentTarget: { value } }) => {
          const now = Date.now() / 1_000
          if (value === "whole") show(whole)
          else if (value !== "") show({ from: now - Number(value), to: now })
        }}
      >
        {fits === undefined ? <option value="">{TimeText.duration(length * 1_000)}</option> : null}
        {TimelineRange.LENGTHS.map(([seconds, text]) => (
          <option key={text} value={String(seconds)}>
            {text}
          </option>
        ))}
        {whole === undefined ? null : <option value="whole">all</option>}
      </select>
      {button("←", "Earlier", TimelineRange.moved(range, -0.5))}
      {button("→", "Later", TimelineRange.moved(range, 0.5))}
      {button("+", "Zoom in", TimelineRange.zoomed(range, 0.5))}
      {button("−", "Zoom out", TimelineRange.zoomed(range, 2))}
      {isZoomed ? button("Reset", "Show the usual time", undefined) : null}
    </div>
  )
}
