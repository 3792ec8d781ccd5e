/** Streams of Effect as iterables; loaded on demand, because callers without Effect have no streams of it. */
import * as Stream from "effect/Stream"

/** The pieces of a stream. */
export const piecesOf = (stream: Stream.Stream<Uint8Array, Error>): AsyncIterable<Uint8Array> =>
  Stream.toAsyncIterable(stream)
