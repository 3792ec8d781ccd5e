/** An environment as a row of PostgreSQL: one JSON value, with the digests of its last report. */
import { Environment } from "@attestry/core/Environment"
import type { MarkedEnvironment } from "@attestry/core/EnvironmentStore"
import * as PlainGuard from "@attestry/core/PlainGuard"
import { Timestamp } from "@attestry/core/Timestamp"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Heartbeats } from "./Heartbeats.js"

const { id: _, ...fields } = Environment.fields

const Row = Schema.Struct({
  ...fields,
  environment_id: Environment.fields.id,
  body_digest: Schema.NullOr(Schema.String),
  rows_digest: Schema.NullOr(Schema.String)
})

/** A row with the clock; nulls where there is none. */
export const Found = Schema.Struct({
  document: Schema.NullOr(Row),
  now: Schema.NullOr(Timestamp)
})
/** A row with the clock. */
export type Found = typeof Found.Type

const decode = Schema.decodeUnknown(Schema.Array(Found))
const arePlain = PlainGuard.make(Schema.Array(Found))

/** WHY the guard: every report begins with this row, and a row of ours is right as it stands. */
export const read = (rows: ReadonlyArray<unknown>) =>
  arePlain(rows) ? Effect.succeed(rows) : decode(rows)

/** What a row says, with what this process knows about its last report. */
export const toMarked =
  (heartbeats: Heartbeats) =>
  ({ document, now }: Found): Option.Option<MarkedEnvironment> => {
    if (document === null || now === null) return Option.none()
    const { environment_id: id, body_digest, rows_digest, ...row } = document
    const reported = heartbeats.latest({ org: row.org_id, environment: id }, row.last_reported_at)
    return Option.some({
      environment: { ...row, id, last_reported_at: reported },
      mark:
        body_digest === null || rows_digest === null
          ? Option.none()
          : Option.some({ bodyDigest: body_digest, rowsDigest: rows_digest }),
      now
    })
  }
