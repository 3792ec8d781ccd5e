/** The request of a backtest, from the address of its page. */
import * as Route from "@attestry/web/Route"

/** The windows to choose from, in days. */
export const WINDOWS: ReadonlyArray<readonly [days: string, text: string]> = [
  ["7", "the last 7 days"],
  ["30", "the last 30 days"],
  ["90", "the last 90 days"],
  ["365", "the last year"],
  ["1825", "the last 5 years"]
]

/** The window unless the address has one. */
export const DAYS = "90"

/** The choices of evidence for rows. */
export const EVIDENCE: ReadonlyArray<readonly [value: string, text: string]> = [
  ["judged", "by what each row was evaluated by"],
  ["known", "by what was known at each instant"],
  ["now", "by what is known now (hindsight)"]
]

/** The flips that are listed; all of them count. */
export const FLIPS_MAX = 2_000

/** The candidate: a saved version, or the text of a draft. */
export type Candidate =
  | { readonly policy_name: string; readonly version: number }
  | { readonly policy_yaml: string; readonly name?: string }

/** The choices of the address. */
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

/** The choices of an address; an unknown value is the default. */
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
