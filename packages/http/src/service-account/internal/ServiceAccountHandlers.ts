/** Serves the operations of service accounts. */
import { ServiceAccountApi, type ServiceAccountResponse } from "@attestry/api/ServiceAccountApi"
import type { ServiceAccount } from "@attestry/core/ServiceAccount"
import { ServiceAccounts } from "@attestry/core/ServiceAccounts"
import * as Effect from "effect/Effect"
import { created, ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import type { SpaceLabel } from "../../shared/internal/SpaceLabels.js"
import * as SpaceLabels from "../../shared/internal/SpaceLabels.js"
import { toWire } from "../../shared/internal/WireErrors.js"

/** A service account in a response. `display_name` equals the name, and the flags of chat and webhook are false. */
const responseOf = (
  account: ServiceAccount,
  label: SpaceLabel
): typeof ServiceAccountResponse.Type => ({
  name: account.name,
  display_name: account.name,
  privilege: account.privilege,
  description: account.description,
  creating_user_id: account.creating_user_id,
  created_at: account.created_at,
  for_webhook: false,
  ...label
})

/** Serves the operations of service accounts. */
export const ServiceAccountHandlers = group(
  ServiceAccountApi,
  Effect.map(Effect.all([ServiceAccounts, SpaceLabels.make]), ([accounts, labels]) => {
    const viewed = (all: ReadonlyArray<ServiceAccount>) =>
      Effect.map(
        labels(
          all[0]?.org_id,
          "service-account",
          all.map(({ id }) => id)
        ),
        (label) => all.map((account) => responseOf(account, label(account.id)))
      )
    const shown = (account: ServiceAccount) =>
      Effect.map(labels(account.org_id, "service-account", [account.id]), (label) =>
        responseOf(account, label(account.id))
      )
    return {
      create: ({ path, payload }) =>
        accounts.create(path.org, payload).pipe(Effect.flatMap(shown), toWire, Effect.map(created)),
      list: ({ path }) =>
        accounts.list(path.org).pipe(Effect.flatMap(viewed), toWire, Effect.map(ok)),
      get: ({ path }) =>
        accounts.get(path.org, path.name).pipe(Effect.flatMap(shown), toWire, Effect.map(ok)),
      update: ({ path, payload }) =>
        accounts
          .update(path.org, path.name, payload)
          .pipe(Effect.flatMap(shown), toWire, Effect.map(ok)),
      delete: ({ path }) =>
        accounts.remove(path.org, path.name).pipe(toWire, Effect.as(ok("OK" as const)))
    }
  })
)
