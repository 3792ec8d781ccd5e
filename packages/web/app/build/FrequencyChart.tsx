/** Bars of how often something happened, and the same as a table. */
import { Fold } from "../shared/Fold.js"
import { dayText, type Frequency, sentenceOf } from "./Frequency.js"

const HEIGHT = 48
/** The width of a bar with the space after it. */
const STEP = 8
const WIDTH = 6

const Bars = ({ frequency, what }: { readonly frequency: Frequency; readonly what: string }) => {
  const { bars } = frequency
  const most = Math.max(1, ...bars.map(({ count }) => count))
  return (
    <svg
      class="bars"
      viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={sentenceOf(frequency, what)}
    >
      {bars.map(({ from, count }, place) => {
        const height = count === 0 ? 1 : Math.max(3, (count / most) * HEIGHT)
        return (
          <rect
            key={from}
            class={count === 0 ? "frequency-none" : "frequency-bar"}
            x={place * STEP + 1}
            y={HEIGHT - height}
            width={WIDTH}
            height={height}
          >
            <title>{`${dayText(from)}: ${count}`}</title>
          </rect>
        )
      })}
    </svg>
  )
}

const UNITS = { day: "Day", week: "Week of", "30 days": "30 days from" } as const

const BarTable = ({
  frequency,
  what
}: {
  readonly frequency: Frequency
  readonly what: string
}) => (
  <div class="table-scroller table-whole">
    <table class="table">
      <caption class="visually-hidden">{what}</caption>
      <thead>
        <tr>
          <th scope="col" class="cell">
            {UNITS[frequency.unit]} (UTC)
          </th>
          <th scope="col" class="cell cell-number">
            Count
          </th>
        </tr>
      </thead>
      <tbody>
        {frequency.bars.map(({ from, count }) => (
          <tr key={from}>
            <th scope="row" class="cell">
              {dayText(from)}
            </th>
            <td class="cell cell-number">{count}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

/** `what` is the plural of the counted thing. */
export const FrequencyChart = ({
  frequency,
  what
}: {
  readonly frequency: Frequency
  readonly what: string
}) => {
  const { bars, unit } = frequency
  return (
    <figure class="frequency">
      <Bars frequency={frequency} what={what} />
      <figcaption class="frequency-ends quiet">
        <span>{dayText(bars[0]?.from ?? 0)}</span>
        <span>
          one bar is {unit === "30 days" ? unit : `a ${unit}`}, the highest{" "}
          {Math.max(0, ...bars.map(({ count }) => count))}
        </span>
        <span>{dayText(bars.at(-1)?.from ?? 0)}</span>
      </figcaption>
      <Fold title="As a table">{() => <BarTable frequency={frequency} what={what} />}</Fold>
    </figure>
  )
}
