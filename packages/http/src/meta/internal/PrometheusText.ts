/** Prints metrics of Effect in the text format of Prometheus. */
import * as Arr from "effect/Array"
import type * as MetricPair from "effect/MetricPair"
import * as MetricState from "effect/MetricState"
import * as Option from "effect/Option"

const escapeLabel = (text: string): string =>
  text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"')

const nameOf = (text: string): string => text.replaceAll(/[^a-zA-Z0-9_:]/g, "_")

type Labels = ReadonlyArray<readonly [key: string, value: string]>

const labelText = (labels: Labels): string =>
  labels.length === 0
    ? ""
    : `{${labels.map(([key, value]) => `${nameOf(key)}="${escapeLabel(value)}"`).join(",")}}`

const histogramLines = (
  name: string,
  labels: Labels,
  state: MetricState.MetricState.Histogram
): ReadonlyArray<string> => [
  ...state.buckets.map(
    ([bound, count]) =>
      `${name}_bucket${labelText([...labels, ["le", Number.isFinite(bound) ? String(bound) : "+Inf"]])} ${count}`
  ),
  `${name}_sum${labelText(labels)} ${state.sum}`,
  `${name}_count${labelText(labels)} ${state.count}`
]

const typeOf = (state: MetricState.MetricState.Untyped): string =>
  MetricState.isCounterState(state)
    ? "counter"
    : MetricState.isHistogramState(state)
      ? "histogram"
      : "gauge"

const linesOf = (name: string, pair: MetricPair.MetricPair.Untyped): ReadonlyArray<string> => {
  const labels: Labels = pair.metricKey.tags.map(({ key, value }) => [key, value] as const)
  const state = pair.metricState
  if (MetricState.isCounterState(state)) return [`${name}${labelText(labels)} ${state.count}`]
  if (MetricState.isGaugeState(state)) return [`${name}${labelText(labels)} ${state.value}`]
  if (MetricState.isHistogramState(state)) return histogramLines(name, labels, state)
  if (MetricState.isFrequencyState(state)) {
    return [...state.occurrences].map(
      ([key, count]) => `${name}${labelText([...labels, ["key", key]])} ${count}`
    )
  }
  return []
}

const escapeHelp = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")

const helpLines = (
  name: string,
  { metricKey }: MetricPair.MetricPair.Untyped
): ReadonlyArray<string> =>
  Option.match(metricKey.description, {
    onNone: () => [],
    onSome: (text) => [`# HELP ${name} ${escapeHelp(text)}`]
  })

/** The text of a snapshot of all metrics; the format requires the series of one metric to be adjacent. */
export const print = (snapshot: ReadonlyArray<MetricPair.MetricPair.Untyped>): string =>
  Object.entries(Arr.groupBy(snapshot, ({ metricKey }) => nameOf(metricKey.name)))
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([name, pairs]) => [
      ...helpLines(name, pairs[0]),
      `# TYPE ${name} ${typeOf(pairs[0].metricState)}`,
      ...pairs.flatMap((pair) => linesOf(name, pair))
    ])
    .map((line) => `${line}\n`)
    .join("")
