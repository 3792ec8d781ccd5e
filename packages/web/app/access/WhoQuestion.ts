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

/** What one may do; without a name it is about oneself. */
export const effectiveOf = (route: WhoRoute) => {
  const name = Route.parameter(route, "of")
  const kind = Route.parameter(route, "kind") === "account" ? "service_account" : "user"
  return { ...(name === undefined ? {} : { [kind]: name }), as_of: asOf(route) }
}
