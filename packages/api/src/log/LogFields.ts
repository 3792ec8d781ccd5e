/** The state of a log, and its settings that can be changed. SPEC §4.22 */
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as Schema from "effect/Schema"

/** Who may read the log without a credential of the org: its members alone, or all callers. */
const Visibility = Schema.Literal("members", "public")

/** A change of a log. */
export const PatchLog = Schema.Struct({ visibility: Visibility }).annotations({
  identifier: "PatchLog",
  examples: [{ visibility: "public" }]
})

/** The state of a log. */
export const LogResponse = Schema.Struct({
  origin: Schema.String,
  epoch: Schema.Int,
  size: Schema.Int,
  root: Schema.String,
  checkpoint: Schema.NullOr(
    Schema.Struct({
      size: Schema.Int,
      signed_at: EpochSeconds,
      witnesses: Schema.Array(Schema.String),
      quorum: Schema.NullOr(Schema.Boolean)
    })
  ),
  keys: Schema.Array(
    Schema.Struct({
      generation: Schema.Int,
      vkey: Schema.String,
      first_size: Schema.Int,
      retired_at: Schema.NullOr(EpochSeconds)
    })
  ),
  visibility: Visibility,
  state: Schema.Literal("current", "catching_up", "unsigned", "stopped"),
  pending: Schema.Int,
  scrub: Schema.Struct({
    through: Schema.NullOr(Schema.Int),
    finished_at: Schema.NullOr(EpochSeconds),
    findings: Schema.Int
  }),
  message: Schema.NullOr(Schema.String),
  rollback_detection: Schema.Literal("witness", "state_file", "both", "none"),
  epochs: Schema.Array(
    Schema.Struct({
      epoch: Schema.Int,
      origin: Schema.String,
      size: Schema.Int,
      ended_at: Schema.NullOr(EpochSeconds)
    })
  )
}).annotations({ identifier: "Log" })
