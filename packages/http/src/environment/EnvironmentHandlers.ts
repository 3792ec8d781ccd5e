/** Serves the operations of environments. */
import type * as Environment from "@attestry/core/Environment"
import { Environments } from "@attestry/core/Environments"
import type { OrgName } from "@attestry/core/Identifier"
import * as Effect from "effect/Effect"
import { ok } from "../shared/Exchange.js"
import { group } from "../shared/Handlers.js"
import * as OkBody from "../shared/OkBody.js"
import { toWire } from "../shared/WireErrors.js"
import { EnvironmentApi, type EnvironmentResponse } from "./EnvironmentApi.js"

const responseOf = (
  org: OrgName,
  environment: Environment.Environment
): typeof EnvironmentResponse.Type => ({
  org,
  name: environment.name,
  type: environment.type,
  description: environment.description,
  last_modified_at: environment.last_modified_at,
  last_reported_at: environment.last_reported_at,
  last_changed_at: environment.last_changed_at,
  include_scaling: environment.include_scaling
})

/** Serves the operations of environments. */
export const EnvironmentHandlers = group(
  EnvironmentApi,
  Effect.map(Environments, (environments) => ({
    put: ({ path, payload }) =>
      environments.put(path.org, payload).pipe(toWire, Effect.map(OkBody.ofPut)),
    get: ({ path }) =>
      environments.get(path.org, path.env_name).pipe(
        toWire,
        Effect.map((environment) => ok(responseOf(path.org, environment)))
      )
  }))
)
