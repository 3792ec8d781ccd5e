/**
 * Configures which checkpoint of a log is published: the newest signed one (the default), or the newest that a quorum
 * of witnesses has cosigned.
 */

import type { WitnessPolicy } from "@attestry/transparency-log/WitnessPolicy"
import * as Context from "effect/Context"
import * as Option from "effect/Option"

/** The publishing mode, and the witnesses with their quorum. */
export interface Publishing {
  readonly policy: Option.Option<WitnessPolicy>
  readonly mode: "signed" | "quorum"
}

/** The publishing configuration of the host; the default has no witnesses. */
export class LogPublishing extends Context.Reference<LogPublishing>()(
  "@attestry/core/LogPublishing",
  { defaultValue: (): Publishing => ({ policy: Option.none(), mode: "signed" }) }
) {}
