/**
 * Reads the binary format of COPY, for rows of one column: gives the bytes of the columns.
 *
 * WHY that format: the others escape line breaks, quotes or backslashes. Chunks may begin and end anywhere.
 * https://www.postgresql.org/docs/current/sql-copy.html#SQL-COPY-FILE-FORMATS
 */

/** The signature, flags, and the length of an extension, which no server sends. */
const HEADER_BYTES = 19
/** The number of columns, or -1 at the end. */
const COUNT_BYTES = 2
/** The length of a column, or -1 where it is null. */
const LENGTH_BYTES = 4

/** Reads chunk by chunk. */
export interface CopiedTexts {
  /** The bytes of columns in a chunk; they are views of it, not copies. */
  readonly take: (piece: Buffer) => ReadonlyArray<Buffer>
  /** Whether the end has been seen. */
  readonly isWhole: () => boolean
}

/** A reader at the start of the data. */
export const make = (): CopiedTexts => {
  let state: "header" | "count" | "length" | "column" | "end" = "header"
  let wanted = HEADER_BYTES
  let rest: Buffer = Buffer.alloc(0)

  const become = (next: typeof state, bytes: number) => {
    state = next
    wanted = bytes
  }
  /** Moves to the state that follows a field of a fixed size. */
  const step = (field: Buffer) => {
    if (state === "header") return become("count", COUNT_BYTES)
    if (state === "length") return become("column", Math.max(0, field.readInt32BE()))
    return field.readInt16BE() < 0 ? become("end", 0) : become("length", LENGTH_BYTES)
  }
  /** The part of a column that the chunk has. */
  const column = (piece: Buffer, at: number) => {
    const part = piece.subarray(at, at + wanted)
    wanted -= part.byteLength
    if (wanted === 0) become("count", COUNT_BYTES)
    return part
  }
  /** Reads a field of a fixed size, or keeps its beginning for the next chunk. */
  const field = (piece: Buffer, at: number) => {
    const part = piece.subarray(at, at + wanted - rest.byteLength)
    const whole = rest.byteLength === 0 ? part : Buffer.concat([rest, part])
    if (whole.byteLength < wanted) rest = Buffer.from(whole)
    else {
      rest = Buffer.alloc(0)
      step(whole)
    }
    return part
  }

  return {
    take: (piece) => {
      const columns: Array<Buffer> = []
      let at = 0
      while (at < piece.byteLength && state !== "end") {
        if (state === "column") {
          const part = column(piece, at)
          columns.push(part)
          at += part.byteLength
        } else at += field(piece, at).byteLength
      }
      return columns
    },
    isWhole: () => state === "end"
  }
}
