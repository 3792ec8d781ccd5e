/**
 * Optional fields of request bodies: null counts as not sent. SPEC §1.2. Generated clients send null for fields that
 * they do not set.
 *
 * Generated clients send null for what they do not set. A field whose operation gives null a meaning of its own, such
 * as one that null clears, is declared with `Schema.NullOr` instead.
 */
import * as Schema from "effect/Schema"

/** A field that may be left out, or null; its value is then absent. */
export const optional = <A, I, R>(schema: Schema.Schema<A, I, R>) =>
  Schema.optionalWith(schema, { exact: true, nullable: true })
