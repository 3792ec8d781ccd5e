/** The effect of a draft on rows: the decisions of the latest version compared with those of the draft. */
import type { Facts } from "@attestry/core/PolicyFacts"
import type { EvaluatedRow } from "./PolicyWorkerMessages.js"

/** How the decision about a row changes. */
export type Change = "starts-failing" | "starts-passing" | "still-failing" | "still-passing"

/** The changes, most important first. */
export const CHANGES: ReadonlyArray<Change> = [
  "starts-failing",
  "starts-passing",
  "still-failing",
  "still-passing"
]

export const WORDS: { readonly [change in Change]: string } = {
  "starts-failing": "would start failing",
  "starts-passing": "would stop failing",
  "still-failing": "fail as before",
  "still-passing": "pass as before"
}

/** A row that both texts have evaluated. */
export interface TriedRow extends EvaluatedRow {
  readonly facts: Facts
  readonly environment: string | undefined
  readonly isAllowed: boolean
  readonly change: Change | undefined
}

/** How a row changes. A row without an earlier decision counts as passing before. */
export const changeOf = ({
  before,
  now
}: Pick<EvaluatedRow, "before" | "now">): Change | undefined => {
  if (now === null) return undefined
  if (before === false) return now ? "starts-passing" : "still-failing"
  return now ? "still-passing" : "starts-failing"
}

/** The rows, each with its change. */
export const tried = (
  rows: ReadonlyArray<Pick<TriedRow, "facts" | "environment" | "isAllowed">>,
  evaluated: ReadonlyArray<EvaluatedRow>
): ReadonlyArray<TriedRow> =>
  rows.flatMap((row, index) => {
    const found = evaluated[index]
    return found === undefined ? [] : [{ ...row, ...found, change: changeOf(found) }]
  })

/** The number of rows by change. */
export type Counts = { readonly [change in Change]: number }

export const countsOf = (rows: ReadonlyArray<Pick<TriedRow, "change">>): Counts => {
  const counts = {
    "starts-failing": 0,
    "starts-passing": 0,
    "still-failing": 0,
    "still-passing": 0
  }
  for (const { change } of rows) if (change !== undefined) counts[change] += 1
  return counts
}

export interface EnvironmentEffect {
  readonly environment: string
  readonly rows: number
  /** Rows that would start failing and are not on the allow-list. */
  readonly starting: number
  readonly stopping: number
  /** Rows that would start failing but are compliant by the allow-list. */
  readonly allowed: number
}

export const effectOf = (environment: string, rows: ReadonlyArray<TriedRow>): EnvironmentEffect => {
  const starting = rows.filter(({ change }) => change === "starts-failing")
  return {
    environment,
    rows: rows.length,
    starting: starting.filter(({ isAllowed }) => !isAllowed).length,
    stopping: rows.filter(({ change }) => change === "starts-passing").length,
    allowed: starting.filter(({ isAllowed }) => isAllowed).length
  }
}

/** The effect on all environments in one sentence. */
export const summaryOf = (effects: ReadonlyArray<EnvironmentEffect>): string => {
  if (effects.length === 0)
    return "No environment uses this policy: nothing is evaluated by it yet."
  const sum = (pick: (effect: EnvironmentEffect) => number) =>
    effects.reduce((total, effect) => total + pick(effect), 0)
  const [starting, stopping] = [sum(({ starting }) => starting), sum(({ stopping }) => stopping)]
  const places = `${effects.length} ${effects.length === 1 ? "environment" : "environments"}`
  if (starting === 0 && stopping === 0)
    return `No row of ${places} would be evaluated otherwise with today's evidence.`
  const [first, then] = [
    `${starting} ${starting === 1 ? "row" : "rows"} would start failing`,
    `${stopping} would stop failing`
  ]
  return `${first} and ${then} in ${places}, with today's evidence.`
}
