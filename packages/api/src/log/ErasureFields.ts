/** The request and the answer of an erasure. SPEC §4.22 */
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as Schema from "effect/Schema"

/** The most entries of one erasure. */
export const ERASED_MAX = 100

/** Members of an entry, by JSON Pointers. */
const ErasedMembers = Schema.Struct({
  entry: Schema.String.annotations({ examples: ["9f02c4e1d6a83b57"] }),
  pointers: Schema.Array(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(4_096))).pipe(
    Schema.minItems(1),
    Schema.maxItems(1_000)
  )
}).annotations({ identifier: "ErasedMembers" })

/** The members to erase: members that are named, or all that are equal to a text. */
export const ErasureRequest = Schema.Struct({
  entries: Schema.optionalWith(
    Schema.Array(ErasedMembers).pipe(Schema.minItems(1), Schema.maxItems(ERASED_MAX)),
    { exact: true }
  ),
  value: Schema.optionalWith(Schema.String.pipe(Schema.minLength(1)), { exact: true }),
  files: Schema.optionalWith(Schema.Boolean, { exact: true }),
  reason: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(1_024)),
  preview: Schema.optionalWith(Schema.Boolean, { exact: true })
})
  .annotations({
    examples: [{ value: "jane.doe@example.org", reason: "She has asked for it.", preview: true }]
  })
  .pipe(
    Schema.filter(({ entries, value }) =>
      (entries === undefined) === (value === undefined)
        ? { path: ["entries"], message: "Either `entries` or `value` is required" }
        : undefined
    )
  )
  .annotations({ identifier: "ErasureRequest" })

/** The places that were searched for a text. */
const SearchedText = Schema.Struct({
  entries: Schema.Int.annotations({ description: "How many entries of the log were read." }),
  files: Schema.Int.annotations({
    description: "How many attached files of these entries were read."
  }),
  complete: Schema.Boolean.annotations({
    description: "Whether these are all entries; otherwise ask again after erasing."
  }),
  members: Schema.Array(Schema.String).annotations({
    description: "The names of members that can be erased, beside the name of an actor."
  })
}).annotations({ identifier: "SearchedText" })

/** The members that were erased, or would be. */
export const ErasureResponse = Schema.Struct({
  erased: Schema.Array(ErasedMembers),
  kept: Schema.Array(ErasedMembers).annotations({
    description: "Where the text of `value` stays, in the first 100 entries that have it there."
  }),
  searched: Schema.NullOr(SearchedText).annotations({
    description:
      "The places that were searched for the text of `value`; null if entries were named."
  }),
  preview: Schema.Boolean
}).annotations({ identifier: "Erasure" })

/** Erasures that were made. */
export const MadeErasures = Schema.Array(
  Schema.Struct({
    at: EpochSeconds,
    by: Schema.String,
    reason: Schema.String,
    entries: Schema.Array(ErasedMembers)
  })
).annotations({ identifier: "MadeErasures" })
