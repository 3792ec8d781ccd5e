/** Serves the operations of deployments. */
import { Deployments } from "@attestry/core/Deployments"
import * as Effect from "effect/Effect"
import { ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import * as Paging from "../../shared/internal/Paging.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"
import { DeploymentApi } from "../DeploymentApi.js"

/** Serves the operations of deployments. */
export const DeploymentHandlers = group(
  DeploymentApi,
  Effect.gen(function* () {
    const deployments = yield* Deployments
    const base = yield* PublicUrl
    return {
      list: ({ path, urlParams, incoming }) => {
        const { page: _, per_page: __, ...filter } = urlParams
        const page = Paging.pageOf(urlParams)
        return deployments.list(path.org, filter, page).pipe(
          toWire,
          Effect.map(({ items, total }) =>
            ok({ ...Paging.counters(base, incoming, { total, page }), deployments: items })
          )
        )
      },
      get: ({ path }) => deployments.get(path.org, path.deployment_id).pipe(toWire, Effect.map(ok))
    }
  })
)
