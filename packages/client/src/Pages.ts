/** Paged lists as streams: the next page is requested when the stream needs it. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"

/** One page of a list with the number of pages. */
export interface CountedPage<A> {
  readonly items: ReadonlyArray<A>
  readonly total_pages: number
}

/** A list whose responses have the number of pages. */
export const counted = <A, E, R>(
  get: (page: number) => Effect.Effect<CountedPage<A>, E, R>
): Stream.Stream<A, E, R> =>
  Stream.paginateChunkEffect(1, (page) =>
    Effect.map(get(page), ({ items, total_pages }) => [
      Chunk.fromIterable(items),
      page < total_pages ? Option.some(page + 1) : Option.none()
    ])
  )

/** A list whose responses are arrays: it ends with the first page that is not full. */
export const bare = <A, E, R>(
  perPage: number,
  get: (page: number) => Effect.Effect<ReadonlyArray<A>, E, R>
): Stream.Stream<A, E, R> =>
  Stream.paginateChunkEffect(1, (page) =>
    Effect.map(get(page), (items) => [
      Chunk.fromIterable(items),
      items.length < perPage ? Option.none() : Option.some(page + 1)
    ])
  )
