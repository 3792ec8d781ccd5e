/** Links between the pages of a list; the page number is in the URL. */
import * as Route from "@attestry/web/Route"
import * as Navigation from "./Navigation.js"
import * as Shorten from "./Shorten.js"

/** The page number in the URL. */
export const pageOf = (route: Pick<Route.Route, "query">, parameter = "page"): number => {
  const text = Route.parameter(route, parameter) ?? ""
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

/** The range of the shown items, with links to the previous and next page. */
export const Pager = ({
  route,
  perPage,
  total,
  count,
  what,
  parameter = "page"
}: {
  readonly route: Route.Route
  readonly perPage: number
  /** The number of items on all pages, if the answer has it. */
  readonly total?: number
  /** The number of items on this page, if the answer has no total. */
  readonly count?: number
  readonly what: string
  /** The name of the page number in the URL. */
  readonly parameter?: string
}) => {
  const page = pageOf(route, parameter)
  const before = (page - 1) * perPage
  const last = total === undefined ? before + (count ?? 0) : Math.min(page * perPage, total)
  const isMore = total === undefined ? count === perPage : last < total
  const to = (number: number) =>
    Navigation.hrefOf(
      Route.withQuery(route, { [parameter]: number === 1 ? undefined : String(number) })
    )
  if (page === 1 && !isMore) return null
  return (
    <nav class="pager" aria-label={`Pages of ${what}`}>
      {page > 1 ? <a href={to(page - 1)}>‹ Previous</a> : null}
      <span class="quiet">{rangeText(before + 1, last, total, what)}</span>
      {isMore ? <a href={to(page + 1)}>Next ›</a> : null}
    </nav>
  )
}
