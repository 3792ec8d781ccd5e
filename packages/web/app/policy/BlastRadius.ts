/** The effect of a draft: rows by the decisions of the previous version and the draft. */
import type { Facts } from "@attestry/core/PolicyFacts"
import type { EvaluatedRow } from "./PolicyWorkerMessages.js"

/** The change of a row. */
export type Change = "starts-failing" | "starts-passing" | "still-failing" | "still-passing"

/** The changes, those that matter most first. */
export const CHANGES: ReadonlyArray<Change> = [
  "starts-failing",
  "starts-passing",
  "still-failing",
  "still-passing"
]

/** The words of a change. */
export const WORDS: { readonly [change in Change]: string } = {
  "starts-failing": "would start failing",
  "starts-passing": "would stop failing",
  "still-failing": "fail as before",
  "still-passing": "pass as before"
}

/** A row that was evaluated. */
export interface TriedRow extends EvaluatedRow {
  readonly facts: Facts
  readonly environment: string | undefined
  readonly isAllowed: boolean
  readonly change: Change | undefined
}

/** How a row changes; a row that no version before decided about counts as passing before. */
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

/** How many rows have each change. */
export type Counts = { readonly [change in Change]: number }

/** Counts the changes. */
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

/** The effect on one environment. */
export interface EnvironmentEffect {
  readonly environment: string
  readonly rows: number
  /** Rows that would start failing, and are not on the allow-list. */
  readonly starting: number
  readonly stopping: number
  /** Rows that would start failing and stay compliant by the allow-list. */
  readonly allowed: number
}

/** The effect on an environment from its rows. */
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

/** The whole effect in one sentence. */
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
