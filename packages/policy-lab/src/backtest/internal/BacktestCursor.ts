/**
 * The position at which a backtest continues: the next part of an environment, the horizon, and the totals so far.
 * It is not secret and never expires, because history does not change.
 */

import * as CanonicalJson from "@attestry/core/CanonicalJson"
import { EnvironmentId } from "@attestry/core/Identifier"
import { Timestamp } from "@attestry/core/Timestamp"
import * as Base64 from "@attestry/transparency-log/Base64"
import * as Sha256 from "@attestry/transparency-log/Sha256"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** The most artifacts with flips that a cursor names; beyond them, the parts before the cursor are replayed. */
export const ARTIFACTS_MAX = 500

const Micros = Schema.Struct({ was: Schema.Int, wouldBe: Schema.Int })

const Totals = Schema.Struct({
  rows: Schema.Int,
  hidden: Schema.Int,
  flips: Schema.Int,
  nonCompliant: Micros,
  rowTime: Micros,
  unreproduced: Schema.Struct({
    rows: Schema.Int,
    other_semantics: Schema.Int,
    in_flight: Schema.Int
  })
})

/** The results of a backtest up to a cursor. */
export const BacktestSoFar = Schema.Struct({
  /** Of the environment of the cursor, and of all environments. */
  totals: Totals,
  whole: Totals,
  /** The artifacts with flips in the environment of the cursor, and those with flips in others only. */
  own: Schema.Array(Schema.String),
  others: Schema.Array(Schema.String),
  /** The number of listed flips, and of replayed snapshots. */
  listed: Schema.Int,
  played: Schema.Int
})
/** The results of a backtest up to a cursor. */
export type BacktestSoFar = typeof BacktestSoFar.Type

/** A position in a backtest. */
export const BacktestCursor = Schema.Struct({
  v: Schema.Literal(1),
  /** The digest of the request without the cursor. */
  digest: Schema.String,
  horizon: Schema.Struct({ position: Schema.Int, at: Timestamp }),
  environment: EnvironmentId,
  /** The first snapshot of the next part; after the last part, the index after its last snapshot. */
  index: Schema.Int,
  /** Absent above `ARTIFACTS_MAX`: the parts before the cursor are then replayed. */
  so_far: Schema.optionalWith(BacktestSoFar, { exact: true })
})
/** A position in a backtest. */
export type BacktestCursor = typeof BacktestCursor.Type

const decode = Schema.decodeUnknownOption(Schema.parseJson(BacktestCursor))

/** The text of a cursor. */
export const print = (cursor: BacktestCursor): string =>
  Base64.encodeUrl(Sha256.utf8(JSON.stringify(cursor)))

/** The cursor of a text; none for a text that is no cursor. */
export const parse = (text: string): Option.Option<BacktestCursor> =>
  Base64.decodeUrl(text).pipe(Option.flatMap(Base64.textOf), Option.flatMap(decode))

/** The digest of a request; a cursor of another request is refused by it. */
export const digestOf = (request: unknown): string =>
  Base64.encodeUrl(Sha256.digestText(CanonicalJson.print(request)).slice(0, 12))

/** The short name of an artifact in a cursor. */
export const artifactOf = (fingerprint: string): string =>
  Base64.encodeUrl(Sha256.digestText(fingerprint).slice(0, 9))
