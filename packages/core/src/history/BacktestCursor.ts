/**
 * Where a backtest goes on: after which part of which environment, by which horizon, and what it has come to so far.
 * Not secret, and without a lifetime: history does not change. It holds the totals so far, so that a reader who goes on
 * ends with the same totals.
 */

import * as Base64 from "@attestry/transparency-log/Base64"
import * as Sha256 from "@attestry/transparency-log/Sha256"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import { EnvironmentId } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"

/** The most artifacts with flips that a cursor names; beyond them the parts before it are played again. */
export const ARTIFACTS_MAX = 500

const Micros = Schema.Struct({ was: Schema.Int, wouldBe: Schema.Int })

const Totals = Schema.Struct({
  rows: Schema.Int,
  flips: Schema.Int,
  nonCompliant: Micros,
  rowTime: Micros,
  unreproduced: Schema.Struct({
    rows: Schema.Int,
    other_semantics: Schema.Int,
    in_flight: Schema.Int
  })
})

/** What a backtest has come to before a place. */
export const BacktestSoFar = Schema.Struct({
  /** Of the environment of the place, and of all environments. */
  totals: Totals,
  whole: Totals,
  /** The artifacts with flips in the environment of the place, and those with flips in others alone. */
  own: Schema.Array(Schema.String),
  others: Schema.Array(Schema.String),
  /** Flips that were listed, and snapshots that were played. */
  listed: Schema.Int,
  played: Schema.Int
})
/** What a backtest has come to before a place. */
export type BacktestSoFar = typeof BacktestSoFar.Type

/** A place in a backtest. */
export const BacktestCursor = Schema.Struct({
  v: Schema.Literal(1),
  /** Of the request, without the cursor. */
  digest: Schema.String,
  horizon: Schema.Struct({ known: Schema.Int, at: Timestamp }),
  environment: EnvironmentId,
  /** The first snapshot of the part that comes next; after the last part, the one after its last. */
  index: Schema.Int,
  /** Absent where there is too much of it: what is before the place is played again. */
  so_far: Schema.optionalWith(BacktestSoFar, { exact: true })
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

/** The short name of an artifact in a cursor. */
export const artifactOf = (fingerprint: string): string =>
  Base64.encodeUrl(Sha256.digestText(fingerprint).slice(0, 9))
