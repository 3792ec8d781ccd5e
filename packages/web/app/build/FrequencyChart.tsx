/** Bars of how often something happened, and the same as a table. */
import type { ComponentChildren } from "preact"
import { Fold } from "../shared/Fold.js"
import { dayText, type Frequency, sentenceOf } from "./Frequency.js"

const HEIGHT = 48
/** The width of a bar with the space after it. */
const STEP = 8
const WIDTH = 6

/** WHY hidden from screen readers: the sentence above it and the table say the same. */
export const Bars = ({ bars }: Pick<Frequency, "bars">) => {
  const most = Math.max(1, ...bars.map(({ count }) => count))
  return (
    <svg
      class="bars"
      viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
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

type Words = readonly [one: string, many: string]

/** `words` are the singular and the plural of the counted thing; `more` is at the end of the sentence. */
export const FrequencyChart = ({
  frequency,
  words,
  more
}: {
  readonly frequency: Frequency
  readonly words: Words
  readonly more?: ComponentChildren
}) => {
  const { bars } = frequency
  return (
    <figure class="frequency">
      <p>
        {sentenceOf(frequency, words)}. {more}
      </p>
      <Bars bars={bars} />
      <figcaption class="frequency-ends quiet">
        <span>{dayText(bars[0]?.from ?? 0)}</span>
        <span>{dayText(bars.at(-1)?.from ?? 0)}</span>
      </figcaption>
      <Fold title="As a table">{() => <BarTable frequency={frequency} what={words[1]} />}</Fold>
    </figure>
  )
}
