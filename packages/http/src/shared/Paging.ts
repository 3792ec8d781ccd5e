/** Pages: which one is asked for, and the counters and links that say where it stands. */
import * as Schema from "effect/Schema"
import * as QueryParam from "./QueryParam.js"

/** Pages are numbered from 1 to this. SPEC §8 */
export const PAGE_MAX = 1_000_000

/** How many a page has unless the caller says. */
export const PER_PAGE_DEFAULT = 15

/** The page that is asked for. */
export interface Page {
  readonly page: number
  readonly perPage: number
}

/** The two parameters that ask for a page of at most so many. */
export const fields = (perPageMax: number) => ({
  page: QueryParam.optional(QueryParam.integer(1, PAGE_MAX)),
  per_page: QueryParam.optional(QueryParam.integer(1, perPageMax))
})

/** The page that parameters ask for. */
export const pageOf = (params: { readonly page?: number; readonly per_page?: number }): Page => ({
  page: params.page ?? 1,
  perPage: params.per_page ?? PER_PAGE_DEFAULT
})

/** Which part of the whole a page is. */
export const sliceOf = ({ page, perPage }: Page) => ({
  offset: (page - 1) * perPage,
  limit: perPage
})

const Link = Schema.Struct({ href: Schema.String })
const optionalLink = Schema.optionalWith(Link, { exact: true })

/** Counters and links around a named list. */
export const envelope = {
  _links: Schema.Struct({
    self: Link,
    first: Link,
    prev: optionalLink,
    next: optionalLink,
    last: Link
  }),
  page: Schema.Int,
  per_page: Schema.Int,
  total_pages: Schema.Int,
  total_count: Schema.Int
}

/** Where a list was asked for: the public address, and path and query as they were sent. */
export interface Place {
  readonly base: string
  readonly url: string
}

const linkTo = ({ base, url }: Place, page: number) => {
  const [path = "", search = ""] = url.split("?", 2)
  const params = new URLSearchParams(search)
  params.set("page", String(page))
  return { href: `${base}${path}?${params}` }
}

/** The counters and links of a page; past the end they echo what was asked for. */
export const around = (place: Place, { page, perPage }: Page, total: number) => {
  const pages = Math.ceil(total / perPage)
  return {
    _links: {
      self: { href: `${place.base}${place.url}` },
      first: linkTo(place, 1),
      ...(page > 1 ? { prev: linkTo(place, Math.min(page - 1, Math.max(1, pages))) } : {}),
      ...(page < pages ? { next: linkTo(place, page + 1) } : {}),
      last: linkTo(place, Math.max(1, pages))
    },
    page,
    per_page: perPage,
    total_pages: pages,
    total_count: total
  }
}
