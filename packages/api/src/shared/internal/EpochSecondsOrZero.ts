/** Optional instants in responses that write 0 for "never". */
import * as Timestamp from "@attestry/core/Timestamp"
import * as Schema from "effect/Schema"

/** An instant, or 0 for "never". */
export const EpochSecondsOrZero = Schema.transform(
  Schema.Number,
  Schema.NullOr(Schema.typeSchema(Timestamp.Timestamp)),
  {
    strict: true,
    decode: (seconds) => (seconds === 0 ? null : Timestamp.fromSeconds(seconds)),
    encode: (at) => (at === null ? 0 : Timestamp.toSeconds(at))
  }
)
