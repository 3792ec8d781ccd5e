/** Serves the operations of protections. */
import { ProtectionApi, type PutProtections } from "@attestry/api/ProtectionApi"
import * as Protection from "@attestry/core/Protection"
import { type NamedProtection, Protections } from "@attestry/core/Protections"
import { ROOT_PATH } from "@attestry/core/Space"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import { ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import { toWire } from "../../shared/internal/WireErrors.js"

const given = ({ protections }: typeof PutProtections.Type): ReadonlyArray<NamedProtection> =>
  protections.flatMap(({ approvals, days, kinds, space, team }) =>
    // The contract has at least one kind.
    Arr.isNonEmptyReadonlyArray(kinds)
      ? [
          {
            kinds,
            space: space ?? ROOT_PATH,
            approvals: approvals ?? 1,
            team: team ?? null,
            days: days ?? Protection.DAYS_DEFAULT
          }
        ]
      : []
  )

/** Serves the operations of protections. */
export const ProtectionHandlers = group(
  ProtectionApi,
  Effect.map(Protections, (protections) => ({
    get: ({ path }) =>
      protections.get(path.org).pipe(
        toWire,
        Effect.map((found) => ok({ protections: found }))
      ),
    put: ({ path, payload }) =>
      protections.put(path.org, given(payload)).pipe(
        toWire,
        Effect.map((found) => ok({ protections: found }))
      )
  }))
)
