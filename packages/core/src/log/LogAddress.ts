/**
 * Port: the public address of the deployment, below which its logs have their origins. None if it is not configured.
 *
 * With the address, witnesses can be asked about a log of which the store has nothing left.
 */
import * as Context from "effect/Context"
import * as Option from "effect/Option"

/** Port: the public address of the deployment. */
export class LogAddress extends Context.Reference<LogAddress>()("@attestry/core/LogAddress", {
  defaultValue: (): Option.Option<string> => Option.none()
}) {}
