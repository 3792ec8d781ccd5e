/** Serves the operations of trails. */
import { Trails } from "@attestry/core/Trails"
import { TrailViews } from "@attestry/core/TrailViews"
import * as Effect from "effect/Effect"
import { ok } from "../shared/Exchange.js"
import { group } from "../shared/Handlers.js"
import * as Links from "../shared/Links.js"
import * as OkBody from "../shared/OkBody.js"
import { toWire } from "../shared/WireErrors.js"
import { TrailApi } from "./TrailApi.js"
import * as TrailResponse from "./TrailResponse.js"

/** Serves the operations of trails. */
export const TrailHandlers = group(
  TrailApi,
  Effect.gen(function* () {
    const trails = yield* Trails
    const views = yield* TrailViews
    const base = yield* Links.PublicUrl
    return {
      begin: ({ path, payload: { template_file, ...draft } }) =>
        trails
          .begin(path.org, path.flow_name, {
            ...draft,
            ...(template_file === undefined ? {} : { template: template_file })
          })
          .pipe(toWire, Effect.map(OkBody.ofPut)),
      get: ({ path }) =>
        views.get(path.org, path.flow_name, path.trail_name).pipe(
          toWire,
          Effect.map((view) => ok(TrailResponse.responseOf(base, path.org, view)))
        )
    }
  })
)
