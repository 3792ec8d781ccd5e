/** Serves the operations of agent accounts. */
import { AgentAccountApi } from "@attestry/api/AgentAccountApi"
import { AgentSettings } from "@attestry/core/AgentSettings"
import * as Effect from "effect/Effect"
import { ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import { toWire } from "../../shared/internal/WireErrors.js"

/** Serves the operations of agent accounts. */
export const AgentAccountHandlers = group(
  AgentAccountApi,
  Effect.map(AgentSettings, (settings) => ({
    list: ({ path }) => settings.get(path.org).pipe(toWire, Effect.map(ok)),
    put: ({ path, payload }) => settings.put(path.org, payload).pipe(toWire, Effect.map(ok))
  }))
)
