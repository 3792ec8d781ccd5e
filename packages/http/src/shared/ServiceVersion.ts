/** The version of the deployed program, which `GET /meta` shows; a host that knows it provides it. */
import * as Context from "effect/Context"

/** The version of the deployed program. */
export class ServiceVersion extends Context.Reference<ServiceVersion>()(
  "@attestry/http/ServiceVersion",
  { defaultValue: () => "unknown" }
) {}
