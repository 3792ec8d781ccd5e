/**
 * What a decision says besides its outcome: which control it is about, and which version the control had
 * when it was recorded. Kept in the body, and never changed afterwards (law C-5).
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { ControlIdentifier } from "../../shared/Identifier.js"
import type { Attestation } from "../Attestation.js"

/** Which control, and its version then; null where there was no such control. */
export const DecisionAnswer = Schema.Struct({
  control: ControlIdentifier,
  control_version: Schema.NullOr(Schema.Int)
})
/** Which control, and its version then. */
export type DecisionAnswer = typeof DecisionAnswer.Type

const read = Schema.decodeUnknownOption(DecisionAnswer)

/** What an attestation answers about; none unless it is a decision, or an override of one. */
export const of = ({
  type,
  body
}: Pick<Attestation, "type" | "body">): Option.Option<DecisionAnswer> =>
  type === "decision" ? read(body) : Option.none()
