/**
 * Port: the public URL of the deployment, from which the origins of its logs are derived. None if it is not
 * configured.
 *
 * With the URL, witnesses can be asked about a log that the store has lost entirely.
 */
import * as Context from "effect/Context"
import * as Option from "effect/Option"

/** Port: the public URL of the deployment. */
export class LogAddress extends Context.Reference<LogAddress>()("@attestry/core/LogAddress", {
  defaultValue: (): Option.Option<string> => Option.none()
}) {}
