/**
 * The control of a decision, and the control's version at the report. Stored in the body and never changed (law
 * CONTROL-5).
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { ControlIdentifier } from "../../shared/Identifier.js"
import type { Attestation } from "../Attestation.js"

/** The control and its version; null when there was no such control. */
export const DecidedControl = Schema.Struct({
  control: ControlIdentifier,
  control_version: Schema.NullOr(Schema.Int)
})
/** The control and its version. */
export type DecidedControl = typeof DecidedControl.Type

const read = Schema.decodeUnknownOption(DecidedControl)

/** The control of an attestation; none unless it is a decision, or an override of one. */
export const of = ({
  type,
  body
}: Pick<Attestation, "type" | "body">): Option.Option<DecidedControl> =>
  type === "decision" ? read(body) : Option.none()
