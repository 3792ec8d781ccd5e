/**
 * How long credentials, roles and grants that were read may be used again without reading them.
 *
 * Zero on a process that reads from a standby: what it reads may be late already.
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"

/** How long a credential is cached: by default a second, less the time of the query. */
export class CredentialLife extends Context.Reference<CredentialLife>()(
  "@attestry/core/CredentialLife",
  { defaultValue: (): Duration.Duration => Duration.millis(800) }
) {}
