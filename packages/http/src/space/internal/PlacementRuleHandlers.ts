/** Serves placement rules. */
import { PlacementRuleApi, type PlacementRulesResponse } from "@attestry/api/PlacementRuleApi"
import { type NamedRule, PlacementRules } from "@attestry/core/PlacementRules"
import * as Effect from "effect/Effect"
import { ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import { toWire } from "../../shared/internal/WireErrors.js"

const responseOf = (rules: ReadonlyArray<NamedRule>): typeof PlacementRulesResponse.Type => ({
  rules: rules.map(({ kind, name, space }) => ({ type: kind, name, space }))
})

/** Serves the operations of placement rules. */
export const PlacementRuleHandlers = group(
  PlacementRuleApi,
  Effect.gen(function* () {
    const rules = yield* PlacementRules
    return {
      get: ({ path }) =>
        rules.get(path.org).pipe(
          toWire,
          Effect.map((found) => ok(responseOf(found)))
        ),
      put: ({ path, payload }) =>
        rules
          .put(
            path.org,
            payload.rules.map(({ name, space, type }) => ({ kind: type, name, space }))
          )
          .pipe(
            toWire,
            Effect.map((found) => ok(responseOf(found)))
          )
    }
  })
)
