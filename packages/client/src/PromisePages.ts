/** Lists that come in pages, for callers without Effect: `for await` over one page after the other. */
import type { CountedPage } from "./Pages.js"

/** A list whose answers say how many pages there are; the next one is asked for when the loop gets there. */
export async function* counted<A>(
  get: (page: number) => Promise<CountedPage<A>>
): AsyncGenerator<A, void, undefined> {
  for (let page = 1; ; page++) {
    const { items, total_pages } = await get(page)
    yield* items
    if (page >= total_pages) return
  }
}

/** A list whose answers are bare arrays: it ends with the first page that is not full. */
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
