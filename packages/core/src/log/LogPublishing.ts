/**
 * Which checkpoint of a log is published: the newest that is signed, or the newest that a quorum of witnesses has
 * cosigned. The host says so; the default knows no witness.
 */

import type { WitnessPolicy } from "@attestry/transparency-log/WitnessPolicy"
import * as Context from "effect/Context"
import * as Option from "effect/Option"

/** What is published. */
export interface Publishing {
  readonly policy: Option.Option<WitnessPolicy>
  readonly mode: "signed" | "quorum"
}

/** What is published. */
export class LogPublishing extends Context.Reference<LogPublishing>()(
  "@attestry/core/LogPublishing",
  { defaultValue: (): Publishing => ({ policy: Option.none(), mode: "signed" }) }
) {}
