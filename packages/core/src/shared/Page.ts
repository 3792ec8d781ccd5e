/** One page of a list: which part is asked for, and what is answered about the whole. */

/** Page numbers reach this far. SPEC §8 */
export const PAGE_MAX = 1_000_000

/** Which part of a list is wanted; pages count from 1. */
export interface PageRequest {
  readonly page: number
  readonly perPage: number
}

/** A part of a list, and how long the list is. */
export interface Page<A> extends PageRequest {
  readonly items: ReadonlyArray<A>
  readonly totalCount: number
}

/** How many pages a list has. */
export const totalPages = ({
  totalCount,
  perPage
}: Pick<Page<unknown>, "totalCount" | "perPage">) => Math.ceil(totalCount / perPage)

/** One page of a list that is all there; a page past the end is empty. */
export const slice = <A>(all: ReadonlyArray<A>, { page, perPage }: PageRequest): Page<A> => ({
  items: all.slice((page - 1) * perPage, page * perPage),
  page,
  perPage,
  totalCount: all.length
})
