/** Serves the operation that tags resources: each sort of resource has a use case of its own. */
import { EnvironmentNotFound } from "@attestry/core/EnvironmentFailure"
import { Environments } from "@attestry/core/Environments"
import { EnvironmentName } from "@attestry/core/Identifier"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { ok } from "../shared/Exchange.js"
import { group } from "../shared/Handlers.js"
import { toWire } from "../shared/WireErrors.js"
import { TagApi } from "./TagApi.js"

const nameOf = Schema.decodeOption(EnvironmentName)

/** Serves the operation that tags resources. */
export const TagHandlers = group(
  TagApi,
  Effect.map(Environments, (environments) => ({
    patch: ({ path: { org, resource_id }, payload }) =>
      Option.match(nameOf(resource_id), {
        onNone: () => new EnvironmentNotFound({ org, environment: resource_id }),
        onSome: (name) =>
          environments.tag(org, name, {
            set: payload.set_tags ?? {},
            remove: payload.remove_tags ?? []
          })
      }).pipe(toWire, Effect.as(ok("OK" as const)))
  }))
)
