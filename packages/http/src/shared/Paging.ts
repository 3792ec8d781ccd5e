/** Pages on the wire: the two parameters, and the envelope with flat counters. */
import * as Page from "@attestry/core/Page"
import * as Schema from "effect/Schema"
import * as QueryParam from "./QueryParam.js"

/** A page has this many entries unless the caller says otherwise. DECISION A-34 */
export const PER_PAGE = 15
/** A page has at most this many entries. DECISION A-34 */
export const PER_PAGE_MAX = 100

/** The two parameters. */
export const pageParams = {
  page: QueryParam.optional(QueryParam.integer(1, Page.PAGE_MAX)),
  per_page: QueryParam.optional(QueryParam.integer(1, PER_PAGE_MAX))
}

/** The page that the parameters ask for. */
export const requested = ({
  page = 1,
  per_page = PER_PAGE
}: {
  readonly page?: number
  readonly per_page?: number
}): Page.PageRequest => ({ page, perPage: per_page })

const Link = Schema.Struct({ href: Schema.String })
const optionalLink = Schema.optionalWith(Link, { exact: true })

/** Flat counters and links; the list itself has a name of its own. */
export const envelope = {
  _links: Schema.Struct({
    self: Link,
    first: Link,
    last: Link,
    prev: optionalLink,
    next: optionalLink
  }),
  page: Schema.Int,
  per_page: Schema.Int,
  total_pages: Schema.Int,
  total_count: Schema.Int
}

/** The counters and links of a page; links repeat the query as it was received. */
export const envelopeOf = (base: string, url: string, page: Page.Page<unknown>) => {
  const [path = "", search = ""] = url.split("?", 2)
  const pages = Page.totalPages(page)
  const at = (number: number) => {
    const query = new URLSearchParams(search)
    query.set("page", String(number))
    return { href: `${base}${path}?${query}` }
  }
  return {
    _links: {
      self: { href: `${base}${url}` },
      first: at(1),
      last: at(Math.max(1, pages)),
      ...(page.page > 1 ? { prev: at(page.page - 1) } : {}),
      ...(page.page < pages ? { next: at(page.page + 1) } : {})
    },
    page: page.page,
    per_page: page.perPage,
    total_pages: pages,
    total_count: page.totalCount
  }
}
