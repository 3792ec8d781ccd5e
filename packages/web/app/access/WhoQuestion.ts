/** The questions in the URL of the page about access. Pure. */
import * as Route from "@attestry/web/Route"
import * as TimeWindow from "../shared/TimeWindow.js"

type WhoRoute = Pick<Route.RouteOf<"AccessWho">, "query">

/** What names a place; none is the whole org. */
export const PLACES = ["space", "flow", "environment", "policy", "control"] as const

/** The instant in epoch seconds; undefined is now. */
export const asOf = (route: WhoRoute): string | undefined =>
  TimeWindow.secondsOf(Route.parameter(route, "on"), "last")?.toFixed(6)

/** Who has a permission; undefined while the question is not whole. */
export const whoOf = (route: WhoRoute) => {
  const permission = Route.parameter(route, "permission")
  const kind = PLACES.find((each) => each === Route.parameter(route, "at"))
  const name = Route.parameter(route, "name")
  if (permission === undefined || (kind !== undefined && name === undefined)) return undefined
  return { permission, ...(kind === undefined ? {} : { [kind]: name }), as_of: asOf(route) }
}

/** The kinds of what the second question is about, beside people. */
export const KINDS = [
  ["account", "service account"],
  ["key", "API key, by its id"]
] as const

const PARAMETERS: { readonly [kind: string]: "service_account" | "api_key" } = {
  account: "service_account",
  key: "api_key"
}

/** What one may do; without a name it is about oneself. */
export const effectiveOf = (route: WhoRoute) => {
  const name = Route.parameter(route, "of")
  const parameter = PARAMETERS[Route.parameter(route, "kind") ?? ""] ?? "user"
  return { ...(name === undefined ? {} : { [parameter]: name }), as_of: asOf(route) }
}

/** The page that says what a key may do in an org. */
export const ofKey = (org: string, id: string): Route.RouteOf<"AccessWho"> =>
  Route.make("AccessWho", { org }, { kind: "key", of: id })
