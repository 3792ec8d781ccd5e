/**
 * Where a backtest goes on: after which part of which environment, by which horizon. Not secret, and without a
 * lifetime: history does not change.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Base64 from "../shared/Base64.js"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import { EnvironmentId } from "../shared/Identifier.js"
import * as Sha256 from "../shared/Sha256.js"
import { Timestamp } from "../shared/Timestamp.js"

/** A place in a backtest. */
export const BacktestCursor = Schema.Struct({
  v: Schema.Literal(1),
  /** Of the request, without the cursor. */
  digest: Schema.String,
  horizon: Schema.Struct({ known: Schema.NullOr(Schema.Int), at: Timestamp }),
  environment: EnvironmentId,
  /** The first snapshot of the part that comes next. */
  index: Schema.Int
})
/** A place in a backtest. */
export type BacktestCursor = typeof BacktestCursor.Type

const decode = Schema.decodeUnknownOption(Schema.parseJson(BacktestCursor))

/** The text of a place. */
export const print = (cursor: BacktestCursor): string =>
  Base64.encodeUrl(Sha256.utf8(JSON.stringify(cursor)))

/** The place of a text; none for another text. */
export const parse = (text: string): Option.Option<BacktestCursor> =>
  Base64.decodeUrl(text).pipe(Option.flatMap(Base64.textOf), Option.flatMap(decode))

/** The digest of a request, by which a cursor of another one is refused. */
export const digestOf = (request: unknown): string =>
  Base64.encodeUrl(Sha256.digestText(CanonicalJson.print(request)).slice(0, 12))
