/** Paged lists as async iterables, for callers without Effect. */
import type { CountedPage } from "./Pages.js"

/** A list whose responses have the number of pages; the next page is requested when the loop needs it. */
export async function* counted<A>(
  get: (page: number) => Promise<CountedPage<A>>
): AsyncGenerator<A, void, undefined> {
  for (let page = 1; ; page++) {
    const { items, total_pages } = await get(page)
    yield* items
    if (page >= total_pages) return
  }
}

/** A list whose responses are arrays: it ends with the first page that is not full. */
export async function* bare<A>(
  perPage: number,
  get: (page: number) => Promise<ReadonlyArray<A>>
): AsyncGenerator<A, void, undefined> {
  for (let page = 1; ; page++) {
    const items = await get(page)
    yield* items
    if (items.length < perPage) return
  }
}
