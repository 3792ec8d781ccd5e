/**
 * Which checkpoint of a log is published: the newest signed one, or the newest that a quorum of witnesses has
 * cosigned. The host decides; by default there is no witness.
 */

import type { WitnessPolicy } from "@attestry/transparency-log/WitnessPolicy"
import * as Context from "effect/Context"
import * as Option from "effect/Option"

/** The rule for publishing. */
export interface Publishing {
  readonly policy: Option.Option<WitnessPolicy>
  readonly mode: "signed" | "quorum"
}

/** The rule for publishing. */
export class LogPublishing extends Context.Reference<LogPublishing>()(
  "@attestry/core/LogPublishing",
  { defaultValue: (): Publishing => ({ policy: Option.none(), mode: "signed" }) }
) {}
