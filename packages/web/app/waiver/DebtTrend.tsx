/** How many rows were waived, and how many waivers were active, day by day. */
import { Bars } from "../build/FrequencyChart.js"
import type { WaiverDebt } from "../shared/Contract.js"
import { Fold } from "../shared/Fold.js"

type Trend = WaiverDebt["trend"]

const SERIES = [
  ["rows_waived", "Results waived", "Results"],
  ["active", "Active waivers", "Active"]
] as const

type Series = (typeof SERIES)[number]

/** `Results waived: 12 today, 30 days ago 30, at most 31`. */
const sentenceOf = (trend: Trend, [name, title]: Series): string => {
  const values = trend.map((day) => day[name])
  const first = values[0] ?? 0
  return `${title}: ${values.at(-1) ?? 0} today, 30 days ago ${first}, at most ${Math.max(0, ...values)}`
}

const secondsOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1_000

const TrendTable = ({ trend }: { readonly trend: Trend }) => (
  <div class="table-scroller table-whole">
    <table class="table">
      <caption class="visually-hidden">Waived by day</caption>
      <thead>
        <tr>
          <th scope="col" class="cell">
            Day (UTC)
          </th>
          {SERIES.map(([name, , title]) => (
            <th key={name} scope="col" class="cell cell-number">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {trend.map((day) => (
          <tr key={day.day}>
            <th scope="row" class="cell">
              {day.day}
            </th>
            {SERIES.map(([name]) => (
              <td key={name} class="cell cell-number">
                {day[name]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

export const DebtTrend = ({ trend }: { readonly trend: Trend }) => (
  <figure class="frequency">
    {SERIES.map((series) => (
      <div key={series[0]}>
        <p>{sentenceOf(trend, series)}.</p>
        <Bars bars={trend.map((day) => ({ from: secondsOf(day.day), count: day[series[0]] }))} />
      </div>
    ))}
    <figcaption class="frequency-ends quiet">
      <span>{trend[0]?.day}</span>
      <span>{trend.at(-1)?.day}</span>
    </figcaption>
    <Fold title="As a table">{() => <TrendTable trend={trend} />}</Fold>
  </figure>
)
