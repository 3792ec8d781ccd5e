/** Serves the operations of trails. */
import { Trails } from "@attestry/core/Trails"
import * as Effect from "effect/Effect"
import { group } from "../shared/Handlers.js"
import * as OkBody from "../shared/OkBody.js"
import { toWire } from "../shared/WireErrors.js"
import { TrailApi } from "./TrailApi.js"

/** Serves the operations of trails. */
export const TrailHandlers = group(
  TrailApi,
  Effect.map(Trails, (trails) => ({
    begin: ({ path, payload }) =>
      trails.begin(path.org, path.flow_name, payload).pipe(toWire, Effect.map(OkBody.ofPut))
  }))
)
