/** Serves the operations of deployments. */
import { Deployments } from "@attestry/core/Deployments"
import * as Effect from "effect/Effect"
import { ok } from "../shared/Exchange.js"
import { group } from "../shared/Handlers.js"
import * as Links from "../shared/Links.js"
import * as Paging from "../shared/Paging.js"
import { toWire } from "../shared/WireErrors.js"
import { DeploymentApi } from "./DeploymentApi.js"

/** Serves the operations of deployments. */
export const DeploymentHandlers = group(
  DeploymentApi,
  Effect.gen(function* () {
    const deployments = yield* Deployments
    const base = yield* Links.PublicUrl
    return {
      list: ({ path, urlParams: { page, per_page, ...filter }, incoming }) =>
        deployments
          .list(
            path.org,
            filter,
            Paging.requested({
              ...(page === undefined ? {} : { page }),
              ...(per_page === undefined ? {} : { per_page })
            })
          )
          .pipe(
            toWire,
            Effect.map((found) =>
              ok({ ...Paging.envelopeOf(base, incoming.url, found), deployments: found.items })
            )
          ),
      get: ({ path }) => deployments.get(path.org, path.deployment_id).pipe(toWire, Effect.map(ok))
    }
  })
)
