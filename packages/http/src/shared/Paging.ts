/**
 * Pages on the wire: how they are asked for, and the two envelopes in which lists are answered.
 *
 * A page past the end is an empty list, and the counters echo what was asked. DECISION A-34
 */
import type { Page, Paged } from "@attestry/core/Page"
import { pageCount } from "@attestry/core/Page"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type { IncomingRequest } from "./Exchange.js"

/** The largest page number. SPEC §8 */
export const PAGE_MAX = 1_000_000

/** A whole number within bounds, as a query carries it. */
export const queryInteger = (minimum: number, maximum: number): Schema.Schema<number, string> =>
  Schema.transformOrFail(Schema.String, Schema.Int.pipe(Schema.between(minimum, maximum)), {
    strict: true,
    decode: (text, _, ast) =>
      /^[+-]?\d{1,15}$/.test(text)
        ? ParseResult.succeed(Number(text))
        : ParseResult.fail(
            new ParseResult.Type(
              ast,
              text,
              "Input should be a valid integer, unable to parse string as an integer"
            )
          ),
    encode: (value) => ParseResult.succeed(String(value))
  })

const TRUE = ["true", "1", "yes", "on"]
const FALSE = ["false", "0", "no", "off"]

/** A boolean, as a query carries it. */
export const queryBoolean: Schema.Schema<boolean, string> = Schema.transformOrFail(
  Schema.String,
  Schema.Boolean,
  {
    strict: true,
    decode: (text, _, ast) => {
      const word = text.toLowerCase()
      if (TRUE.includes(word)) return ParseResult.succeed(true)
      return FALSE.includes(word)
        ? ParseResult.succeed(false)
        : ParseResult.fail(
            new ParseResult.Type(
              ast,
              text,
              "Input should be a valid boolean, unable to interpret input"
            )
          )
    },
    encode: (value) => ParseResult.succeed(String(value))
  }
)

/** `page` and `per_page`, each with its bounds; what is left out has its default in `pageOf`. */
export const pageFields = (perPageMax: number) => ({
  page: Schema.optionalWith(queryInteger(1, PAGE_MAX), { exact: true }),
  per_page: Schema.optionalWith(queryInteger(1, perPageMax), { exact: true })
})

/** The page that was asked for. */
export const pageOf = (
  query: { readonly page?: number; readonly per_page?: number },
  perPageDefault: number
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

/** The counters and links that stand beside a named list: `{ ...counters, repos: [] }`. */
export const counterFields = {
  _links: PageLinks,
  page: Schema.Int,
  per_page: Schema.Int,
  total_pages: Schema.Int,
  total_count: Schema.Int
}

const withPage = (path: string, search: string, page: number): string => {
  const query = new URLSearchParams(search)
  query.set("page", String(page))
  return `${path}?${query}`
}

/** The counters and links of one page; `self` repeats the request as it was received. */
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
      ...(page > 1 ? { prev: link(page - 1) } : {}),
      ...(page < pages ? { next: link(page + 1) } : {})
    },
    page,
    per_page: perPage,
    total_pages: pages,
    total_count: of.total
  }
}
