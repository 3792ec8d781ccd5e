/** One page of a list, and what came of it. */

/** Which page: `page` counts from 1. */
export interface Page {
  readonly page: number
  readonly perPage: number
}

/** The items of a page, and how many items all pages have together. */
export interface Paged<A> {
  readonly items: ReadonlyArray<A>
  readonly total: number
}

/** How many items come before a page. */
export const offsetOf = ({ page, perPage }: Page): number => (page - 1) * perPage

/** How many pages there are. */
export const pageCount = (total: number, perPage: number): number => Math.ceil(total / perPage)

/** The page of a list that is at hand. */
export const slice = <A>(items: ReadonlyArray<A>, page: Page): Paged<A> => ({
  items: items.slice(offsetOf(page), offsetOf(page) + page.perPage),
  total: items.length
})

/** The page with each item replaced. */
export const map = <A, B>(paged: Paged<A>, replace: (item: A) => B): Paged<B> => ({
  items: paged.items.map(replace),
  total: paged.total
})
