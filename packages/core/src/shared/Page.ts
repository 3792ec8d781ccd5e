/** One page of a list. */

/** The number of a page, from 1, and its size. */
export interface Page {
  readonly page: number
  readonly perPage: number
}

/** The items of a page, and the number of items of all pages. */
export interface Paged<A> {
  readonly items: ReadonlyArray<A>
  readonly total: number
}

/** The number of items before a page. */
export const offsetOf = ({ page, perPage }: Page): number => (page - 1) * perPage

/** The number of pages. */
export const pageCount = (total: number, perPage: number): number => Math.ceil(total / perPage)

/** The page of a list in memory. */
export const slice = <A>(items: ReadonlyArray<A>, page: Page): Paged<A> => ({
  items: items.slice(offsetOf(page), offsetOf(page) + page.perPage),
  total: items.length
})

/** The page with each item replaced. */
export const map = <A, B>(paged: Paged<A>, replace: (item: A) => B): Paged<B> => ({
  items: paged.items.map(replace),
  total: paged.total
})
