/**
 * A query of the driver that runs COPY … TO STDOUT, and is read piece by piece.
 *
 * While nobody reads, the connection is not read either, so that PostgreSQL waits and nothing piles up.
 */
import type * as Pg from "pg"
import * as CopiedTexts from "./CopiedTexts.js"

/** What comes next: a piece, the end, or what went wrong. */
export type Piece =
  | { readonly _tag: "Bytes"; readonly bytes: Uint8Array }
  | { readonly _tag: "End" }
  | { readonly _tag: "Failed"; readonly cause: unknown }

/** The driver calls `submit` when the connection is free, and the other methods with what it answers. */
export class CopyQuery implements Pg.Submittable {
  private readonly texts = CopiedTexts.make()
  private readonly pieces: Array<Uint8Array> = []
  private ending: Piece | undefined
  private waiting: ((piece: Piece) => void) | undefined
  private connection: Pg.Connection | undefined

  /** The query whose only column is wanted. */
  constructor(private readonly text: string) {}

  /** Called by the driver. */
  submit(connection: Pg.Connection): void {
    this.connection = connection
    const statement = `copy (${this.text}) to stdout (format binary)`
    connection.query(statement)
  }

  /** Called by the driver, with a part of a buffer that it will use again. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    for (const bytes of this.texts.take(Buffer.from(chunk))) this.pieces.push(bytes)
    if (this.pieces.length > 0) this.connection?.stream.pause()
    this.give()
  }

  /** Called by the driver; everything has been said when it is ready for the next query. */
  handleCommandComplete(): void {}

  /** Called by the driver. */
  handleReadyForQuery(): void {
    this.end(
      this.texts.isWhole()
        ? { _tag: "End" }
        : { _tag: "Failed", cause: new Error("COPY ended before its end") }
    )
  }

  /** Called by the driver. */
  handleError(cause: unknown): void {
    this.end({ _tag: "Failed", cause })
  }

  /** Asks for the next piece; one question at a time. */
  next(answer: (piece: Piece) => void): void {
    this.waiting = answer
    this.give()
  }

  /** Ends the reading from our side; the connection is of no use afterwards. */
  abandon(cause: unknown): void {
    this.pieces.length = 0
    this.end({ _tag: "Failed", cause })
  }

  private end(ending: Piece): void {
    this.ending ??= ending
    this.give()
  }

  private give(): void {
    const { waiting } = this
    if (waiting === undefined) return
    const bytes = this.pieces.shift()
    // INVARIANT: who has nothing left to give reads on, also after the end, for the next query's answer.
    if (bytes === undefined) this.connection?.stream.resume()
    const piece: Piece | undefined = bytes === undefined ? this.ending : { _tag: "Bytes", bytes }
    if (piece === undefined) return
    this.waiting = undefined
    waiting(piece)
  }
}
