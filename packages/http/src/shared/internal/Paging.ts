/**
 * Pages of lists as handlers answer them: the requested page, its envelope, counters and links.
 *
 * A page past the end is an empty list, and the counters repeat the requested page.
 */
import * as Cursor from "@attestry/api/Cursor"
import { type CursorLinks, PER_PAGE_DEFAULT } from "@attestry/api/Paging"
import type { Page, Paged } from "@attestry/core/Page"
import { pageCount } from "@attestry/core/Page"
import * as Option from "effect/Option"
import type { IncomingRequest } from "../HttpMessage.js"

/** The requested page. */
export const pageOf = (
  query: { readonly page?: number; readonly per_page?: number },
  perPageDefault = PER_PAGE_DEFAULT
): Page => ({ page: query.page ?? 1, perPage: query.per_page ?? perPageDefault })

/** One page in the envelope of `dataEnvelope`. */
export const inData = <A>({ items, total }: Paged<A>, { page, perPage }: Page) => ({
  data: items,
  pagination: { total, page, per_page: perPage, page_count: pageCount(total, perPage) }
})

/** The parameter that says where the next page begins, and its value. */
export interface NextPage {
  readonly name: string
  readonly value: string
}

/** The next page of a list whose cursors are opaque. */
export const after = (place: number): NextPage => ({ name: "after", value: Cursor.print(place) })

/** The links of a page that goes on elsewhere; every filter of the request is repeated. */
export const cursorLinks = (
  base: string,
  request: IncomingRequest,
  next: Option.Option<NextPage>
): typeof CursorLinks.Type => {
  const self = { href: base + request.url }
  if (Option.isNone(next)) return { self }
  const [path = "", search = ""] = request.url.split("?", 2)
  const query = new URLSearchParams(search)
  query.delete("page")
  query.set(next.value.name, next.value.value)
  return { self, next: { href: `${base}${path}?${query}` } }
}

const withPage = (path: string, search: string, page: number): string => {
  const query = new URLSearchParams(search)
  query.set("page", String(page))
  return `${path}?${query}`
}

/**
 * The counters and links of a page as headers, for a list that is a bare array. What depends on the total is absent
 * where it is not counted.
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
