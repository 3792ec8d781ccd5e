/** Whether the overview shows tiles or a table. */
import * as Route from "@attestry/web/Route"

/** How the overview is drawn. */
export type View = "tiles" | "table"

/** From this many environments on, a table is easier to read. */
export const TABLE_ABOVE = 60

/** The view of the address, or the one that suits the number of environments. */
export const viewOf = (route: Pick<Route.Route, "query">, count: number): View => {
  const asked = Route.parameter(route, "view")
  if (asked === "tiles" || asked === "table") return asked
  return count > TABLE_ABOVE ? "table" : "tiles"
}
