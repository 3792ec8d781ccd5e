/**
 * Sparkline of an environment's last 24 hours: compliant is low, not evaluated outlined, not compliant at full
 * height.
 */
import { now } from "../shared/Clock.js"
import type { Environment } from "../shared/Contract.js"
import { bandsOf, type DayBand, sentenceOf } from "./DayBands.js"

const WIDTH = 480
const HEIGHT = 16

const Band = ({ verdict, start, width }: DayBand) => {
  const share = verdict === "non-compliant" ? 1 : verdict === "compliant" ? 0.4 : 0.6
  const inset = verdict === "unknown" ? 0.5 : 0
  return (
    <rect
      class={`day-${verdict}`}
      x={start * WIDTH + inset}
      y={HEIGHT * (1 - share) + inset}
      width={Math.max(1, width * WIDTH - 2 * inset)}
      height={HEIGHT * share - 2 * inset}
    />
  )
}

/** The sparkline, with a sentence for screen readers. */
export const DaySparkline = ({ day }: { readonly day: NonNullable<Environment["day"]> }) => {
  const bands = bandsOf(day, now.value)
  const sentence = sentenceOf(bands)
  return (
    <span class="day" title={sentence}>
      <svg
        class="day-bands"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={sentence}
      >
        {bands.map((band, place) => (
          <Band key={place} {...band} />
        ))}
      </svg>
      <span class="day-length" aria-hidden="true">
        24 h
      </span>
    </span>
  )
}
