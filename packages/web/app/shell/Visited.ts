/** A list of visited pages, newest first. */
import * as Route from "@attestry/web/Route"
import { crumbsOf } from "./Crumbs.js"

export interface Visited {
  readonly name: string
  readonly to: Route.Route
}

const VISITED_MAX = 8

/** The list after a visit: each page appears once, with its latest query. */
export const after = (before: ReadonlyArray<Visited>, to: Route.Route): ReadonlyArray<Visited> => {
  const path = Route.print({ ...to, query: [] })
  const isPage =
    to._tag !== "NotFound" && to._tag !== "SignIn" && to._tag !== "SignedIn" && to._tag !== "Home"
  if (!isPage) return before
  const name = crumbsOf(to)
    .map(({ text }) => text)
    .join(" › ")
  const others = before.filter((each) => Route.print({ ...each.to, query: [] }) !== path)
  return [{ name, to }, ...others].slice(0, VISITED_MAX + 1)
}
