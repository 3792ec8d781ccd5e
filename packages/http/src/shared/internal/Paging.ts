/**
 * Pages of lists: their query parameters, and the two envelopes of responses.
 *
 * A page past the end is an empty list, and the counters repeat the requested page. DECISION A-34
 */
import type { Page, Paged } from "@attestry/core/Page"
import { pageCount } from "@attestry/core/Page"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { IncomingRequest } from "../HttpMessage.js"
import * as Cursor from "./Cursor.js"
import * as QueryParam from "./QueryParam.js"

/** The default number of items on a page. DECISION A-34 */
export const PER_PAGE_DEFAULT = 15

/** The largest number of items on a page, unless a list has its own. DECISION A-34 */
export const PER_PAGE_MAX = 100

/** The largest page number. SPEC §8 */
export const PAGE_MAX = 1_000_000

/** `page` and `per_page`, each with its bounds; `pageOf` has the defaults. */
export const pageFields = (perPageMax = PER_PAGE_MAX) => ({
  page: QueryParam.optional(
    QueryParam.integer(1, PAGE_MAX),
    "The number of the page, from 1; a page past the end is empty."
  ),
  per_page: QueryParam.optional(
    QueryParam.integer(1, perPageMax),
    `How many items a page has, at most ${perPageMax}.`
  )
})

/** The requested page. */
export const pageOf = (
  query: { readonly page?: number; readonly per_page?: number },
  perPageDefault = PER_PAGE_DEFAULT
): Page => ({ page: query.page ?? 1, perPage: query.per_page ?? perPageDefault })

/** `data` and `pagination`: trails, flows with `per_page`, attestations. */
export const dataEnvelope = <A, I>(item: Schema.Schema<A, I>) =>
  Schema.Struct({
    data: Schema.Array(item),
    pagination: Schema.Struct({
      total: Schema.Int,
      page: Schema.Int,
      per_page: Schema.Int,
      page_count: Schema.Int
    })
  })

/** One page in the envelope of `dataEnvelope`. */
export const inData = <A>({ items, total }: Paged<A>, { page, perPage }: Page) => ({
  data: items,
  pagination: { total, page, per_page: perPage, page_count: pageCount(total, perPage) }
})

const Link = Schema.Struct({ href: Schema.String })

/** Links to this page and its neighbours. */
export const PageLinks = Schema.Struct({
  self: Link,
  first: Link,
  last: Link,
  prev: Schema.optionalWith(Link, { exact: true }),
  next: Schema.optionalWith(Link, { exact: true })
}).annotations({ identifier: "PageLinks" })

/** The counters and links beside a named list: `{ ...counters, repos: [] }`. */
export const counterFields = {
  _links: PageLinks,
  page: Schema.Int,
  per_page: Schema.Int,
  total_pages: Schema.Int,
  total_count: Schema.Int
}

/** The number of items on a page of a list that calls it `page_size`. */
export const PAGE_SIZE_DEFAULT = 50

/** `page` and `page_size`, for lists that name it so. */
export const pageSizeFields = {
  page: pageFields().page,
  page_size: QueryParam.optional(
    QueryParam.integer(1, PER_PAGE_MAX),
    `How many items a page has, at most ${PER_PAGE_MAX}; ${PAGE_SIZE_DEFAULT} unless asked.`
  )
}

const { per_page: _perPage, ...otherCounters } = counterFields

/** The counters beside a list that names its page size so. */
export const pageSizeCounterFields = { ...otherCounters, page_size: Schema.Int }

/** Links to this page and to where the list goes on. */
export const CursorLinks = Schema.Struct({
  self: Link,
  next: Schema.optionalWith(Link, { exact: true })
}).annotations({ identifier: "CursorLinks" })

/** The links of a page that goes on after a place; every filter of the request is repeated. */
export const cursorLinks = (
  base: string,
  request: IncomingRequest,
  next: Option.Option<number>
): typeof CursorLinks.Type => {
  const self = { href: base + request.url }
  if (Option.isNone(next)) return { self }
  const [path = "", search = ""] = request.url.split("?", 2)
  const query = new URLSearchParams(search)
  query.delete("page")
  query.set("after", Cursor.print(next.value))
  return { self, next: { href: `${base}${path}?${query}` } }
}

const withPage = (path: string, search: string, page: number): string => {
  const query = new URLSearchParams(search)
  query.set("page", String(page))
  return `${path}?${query}`
}

/**
 * The counters and links of a page as headers, for a list that is a bare array. What depends on the total is absent
 * where it is not counted. DECISION B-196
 */
export const pageHeaders = (
  base: string,
  request: IncomingRequest,
  of: { readonly total: Option.Option<number>; readonly page: Page; readonly isMore: boolean }
): { readonly [name: string]: string } => {
  const { page, perPage } = of.page
  const [path = "", search = ""] = request.url.split("?", 2)
  const pages = Option.map(of.total, (total) => pageCount(total, perPage))
  const last = Option.getOrUndefined(pages)
  const link = (rel: string, to: number) => `<${base}${withPage(path, search, to)}>; rel="${rel}"`
  const links = [
    link("first", 1),
    ...(page > 1 ? [link("prev", Math.min(page - 1, Math.max(1, last ?? page - 1)))] : []),
    ...(of.isMore ? [link("next", page + 1)] : []),
    ...(last === undefined ? [] : [link("last", Math.max(1, last))])
  ]
  return {
    "x-per-page": String(perPage),
    "x-current-page": String(page),
    ...(last === undefined
      ? {}
      : {
          "x-total-count": String(Option.getOrElse(of.total, () => 0)),
          "x-total-pages": String(last)
        }),
    ...(page > 1 || of.isMore || (last ?? 0) > 1 ? { link: links.join(", ") } : {})
  }
}

/** The counters and links of one page; `self` repeats the URL of the request. */
export const counters = (
  base: string,
  request: IncomingRequest,
  of: { readonly total: number; readonly page: Page }
) => {
  const { page, perPage } = of.page
  const [path = "", search = ""] = request.url.split("?", 2)
  const pages = pageCount(of.total, perPage)
  const link = (to: number) => ({ href: base + withPage(path, search, to) })
  return {
    _links: {
      self: { href: base + request.url },
      first: link(1),
      last: link(Math.max(1, pages)),
      ...(page > 1 ? { prev: link(Math.min(page - 1, Math.max(1, pages))) } : {}),
      ...(page < pages ? { next: link(page + 1) } : {})
    },
    page,
    per_page: perPage,
    total_pages: pages,
    total_count: of.total
  }
}
