/** Leads through the pages of a list; the page is in the address. */
import * as Route from "@attestry/web/Route"
import * as Navigation from "./Navigation.js"
import * as Shorten from "./Shorten.js"

/** The number of the page that the address asks for. */
export const pageOf = (route: Pick<Route.Route, "query">): number => {
  const text = Route.parameter(route, "page") ?? ""
  return /^[1-9][0-9]{0,5}$/.test(text) ? Number(text) : 1
}

const rangeText = (
  first: number,
  last: number,
  total: number | undefined,
  what: string
): string => {
  const of = total === undefined ? "" : ` of ${Shorten.count(total)}`
  if (last < first) return total === undefined ? `no more ${what}` : `no more${of} ${what}`
  return `${Shorten.count(first)}–${Shorten.count(last)}${of} ${what}`
}

/** Which items are shown, with links to the pages before and after; newest items are on the first page. */
export const Pager = ({
  route,
  perPage,
  total,
  count,
  what
}: {
  readonly route: Route.Route
  readonly perPage: number
  /** The number of items on all pages, where the answer has it. */
  readonly total?: number
  /** The number of items on this page, where the answer has no total. */
  readonly count?: number
  readonly what: string
}) => {
  const page = pageOf(route)
  const before = (page - 1) * perPage
  const last = total === undefined ? before + (count ?? 0) : Math.min(page * perPage, total)
  const isMore = total === undefined ? count === perPage : last < total
  const to = (number: number) =>
    Navigation.hrefOf(Route.withQuery(route, { page: number === 1 ? undefined : String(number) }))
  if (page === 1 && !isMore) return null
  return (
    <nav class="pager" aria-label={`Pages of ${what}`}>
      {page > 1 ? <a href={to(page - 1)}>‹ Previous</a> : null}
      <span class="quiet">{rangeText(before + 1, last, total, what)}</span>
      {isMore ? <a href={to(page + 1)}>Next ›</a> : null}
    </nav>
  )
}
