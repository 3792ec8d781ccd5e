/** Serves the operations of the current user. */
import { UserApi } from "@attestry/api/UserApi"
import { DefaultOrgs } from "@attestry/core/DefaultOrgs"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import { toWire } from "../../shared/internal/WireErrors.js"

/** Serves the operations of the current user. */
export const UserHandlers = group(
  UserApi,
  Effect.map(DefaultOrgs, (defaults) => ({
    getDefaultOrg: () =>
      defaults.get().pipe(
        toWire,
        Effect.map((org) => ok({ default_org_name: Option.getOrElse(org, () => "") }))
      ),
    setDefaultOrg: ({ path }) => defaults.set(path.org).pipe(toWire, Effect.as(ok("OK" as const)))
  }))
)
