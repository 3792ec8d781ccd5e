/** Chooses between tiles and a table for the overview. */
import * as Route from "@attestry/web/Route"

export type View = "tiles" | "table"

/** With more environments than this, the default is a table. */
export const TABLE_ABOVE = 60

/** The view that the URL chooses, else the default for the number of environments. */
export const viewOf = (route: Pick<Route.Route, "query">, count: number): View => {
  const asked = Route.parameter(route, "view")
  if (asked === "tiles" || asked === "table") return asked
  return count > TABLE_ABOVE ? "table" : "tiles"
}
