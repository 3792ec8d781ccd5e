/** The request body of a backtest, from the URL of its page. */
import * as Route from "@attestry/web/Route"

/** The time windows to choose from, in days. */
export const WINDOWS: ReadonlyArray<readonly [days: string, text: string]> = [
  ["7", "the last 7 days"],
  ["30", "the last 30 days"],
  ["90", "the last 90 days"],
  ["365", "the last year"],
  ["1825", "the last 5 years"]
]

/** The default time window. */
export const DAYS = "90"

/** The options for the evidence of rows. */
export const EVIDENCE: ReadonlyArray<readonly [value: string, text: string]> = [
  ["judged", "by what each row was evaluated by"],
  ["known", "by what was known at each instant"],
  ["now", "by what is known now (hindsight)"]
]

/** At most this many flips are listed; the totals count all of them. */
export const FLIPS_MAX = 2_000

/** The candidate: a saved version, or the text of a draft. */
export type Candidate =
  | { readonly policy_name: string; readonly version: number }
  | { readonly policy_yaml: string; readonly name?: string }

export interface Chosen {
  readonly days: number
  readonly knowledge: string
  readonly environment: string | undefined
}

const oneOf = (
  choices: ReadonlyArray<readonly [string, string]>,
  text: string | undefined,
  other: string
): string => (choices.some(([value]) => value === text) ? (text ?? other) : other)

/** The options in a URL; an unknown value means the default. */
export const chosenIn = (route: Pick<Route.Route, "query">): Chosen => ({
  days: Number(oneOf(WINDOWS, Route.parameter(route, "days"), DAYS)),
  knowledge: oneOf(EVIDENCE, Route.parameter(route, "knowledge"), "judged"),
  environment: Route.parameter(route, "environment")
})

/** The body of the request; `from` is in whole seconds. */
export const bodyOf = (candidate: Candidate, chosen: Chosen, nowSeconds: number): object => ({
  candidate,
  from: Math.floor(nowSeconds) - chosen.days * 86_400,
  knowledge: chosen.knowledge,
  limit: FLIPS_MAX,
  ...(chosen.environment === undefined ? {} : { environments: [chosen.environment] })
})
