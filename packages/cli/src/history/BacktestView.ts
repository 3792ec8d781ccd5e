/** Prints a backtest for people: the rows with the longest flips, the environments, and totals. Pure. */
import * as Duration from "../shared/Duration.js"
import * as Json from "../shared/Json.js"
import { type Style, verdict } from "../shared/Style.js"
import * as Table from "../shared/Table.js"
import type { BacktestResult } from "./BacktestRun.js"

const SHOWN_MAX = 20

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`

/** The progress line. */
export const progressOf = ({ environment, played, of, flips }: Json.Fields): string => {
  const all = Json.number(of)
  const part = all === 0 ? 100 : Math.floor((Json.number(played) * 100) / all)
  return `${part} %  ${environment}: ${Json.number(played)} of ${all} snapshots, ${plural(Json.number(flips), "flip")}`
}

const secondsOf = ({ from, to }: Json.Fields, horizon: number): number =>
  (typeof to === "number" ? to : horizon) - Json.number(from)

const reasonOf = (flip: Json.Fields, style: Style): string => {
  const [first, ...more] = Json.objects(flip.reasons)
  if (first === undefined) return ""
  return `${style.text(first.description)}${more.length === 0 ? "" : `, and ${more.length} more`}`
}

const flipRow = (flip: Json.Fields, horizon: number, style: Style): ReadonlyArray<string> => [
  style.text(flip.member === undefined ? flip.environment : `${flip.environment}/${flip.member}`),
  style.text(flip.name),
  style.short(flip.fingerprint),
  `${style.text(flip.first_index)}..${style.text(flip.last_index)}`,
  Duration.print(secondsOf(flip, horizon) * 1_000) + (flip.to === null ? ", still" : ""),
  `${verdict(style, flip.was)} → ${verdict(style, flip.would_be)}`,
  reasonOf(flip, style)
]

/** Sorts flips: those to non-compliant first, then by length. */
const ordered = (flips: ReadonlyArray<Json.Fields>, horizon: number): ReadonlyArray<Json.Fields> =>
  [...flips].sort(
    (left, right) =>
      Number(right.would_be === false) - Number(left.would_be === false) ||
      secondsOf(right, horizon) - secondsOf(left, horizon)
  )

const hours = (value: unknown): string => {
  const { was, would_be } = Json.object(value)
  return `${Json.number(was).toFixed(1)} → ${Json.number(would_be).toFixed(1)} h`
}

const nowOf = ({ now }: Json.Fields, style: Style): string => {
  if (!Json.isObject(now)) return "–"
  return now.was === now.would_be
    ? verdict(style, now.was)
    : `${verdict(style, now.was)} → ${verdict(style, now.would_be)}`
}

const FLIP_HEADINGS = ["ENVIRONMENT", "NAME", "FINGERPRINT", "SNAPSHOTS", "FOR", "VERDICT", "WHY"]
const ENVIRONMENT_HEADINGS = ["ENVIRONMENT", "FLIPS", "ARTIFACTS", "NOT COMPLIANT", "NOW"]

const flipLines = (
  { flips, totals, horizon }: BacktestResult,
  style: Style
): ReadonlyArray<string> => {
  if (flips.length === 0) return []
  const end = Json.number(horizon.at)
  const rows = ordered(flips, end).slice(0, SHOWN_MAX)
  const left = Json.number(totals.flips) - rows.length
  return [
    ...Table.lines([FLIP_HEADINGS, ...rows.map((flip) => flipRow(flip, end, style))]),
    ...(left > 0 ? [`and ${left} more: -o json, --limit`] : []),
    ""
  ]
}

/** The lines of the result. */
export const lines = (result: BacktestResult, style: Style): ReadonlyArray<string> => {
  const { environments, totals } = result
  const flips = Json.number(totals.flips)
  return [
    ...flipLines(result, style),
    ...Table.lines([
      ENVIRONMENT_HEADINGS,
      ...environments.map((each) => [
        style.text(each.environment),
        String(Json.number(each.flips)),
        String(Json.number(each.artifacts)),
        hours(each.non_compliant_hours),
        nowOf(each, style)
      ])
    ]),
    `${plural(flips, "flip")} of ${plural(Json.number(totals.artifacts), "artifact")} in ` +
      `${plural(Json.number(totals.rows), "row")}; ` +
      `not compliant ${hours(totals.non_compliant_hours)}`
  ]
}
