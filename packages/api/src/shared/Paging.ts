/**
 * Pages of lists: their query parameters, and the two envelopes of responses.
 *
 * A page past the end is an empty list, and the counters repeat the requested page.
 */
import * as Schema from "effect/Schema"
import * as QueryParam from "./QueryParam.js"

/** The default number of items on a page. */
export const PER_PAGE_DEFAULT = 15

/** The largest number of items on a page, unless a list has its own. */
export const PER_PAGE_MAX = 100

/** The largest page number. SPEC §8 */
export const PAGE_MAX = 1_000_000

/** `page` and `per_page`, each with its bounds. */
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
    `How many items a page has, at most ${PER_PAGE_MAX}; ${PAGE_SIZE_DEFAULT} by default.`
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
