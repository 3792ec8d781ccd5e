/** Serves the operations of service accounts. */
import { ServiceAccountApi, type ServiceAccountResponse } from "@attestry/api/ServiceAccountApi"
import type { ServiceAccount } from "@attestry/core/ServiceAccount"
import { ServiceAccounts } from "@attestry/core/ServiceAccounts"
import * as Effect from "effect/Effect"
import { created, ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import { toWire } from "../../shared/internal/WireErrors.js"

/** A service account in a response. `display_name` equals the name, and the flags of chat and webhook are false. */
const responseOf = (account: ServiceAccount): typeof ServiceAccountResponse.Type => ({
  name: account.name,
  display_name: account.name,
  privilege: account.privilege,
  description: account.description,
  creating_user_id: account.creating_user_id,
  created_at: account.created_at,
  for_webhook: false
})

/** Serves the operations of service accounts. */
export const ServiceAccountHandlers = group(
  ServiceAccountApi,
  Effect.map(ServiceAccounts, (accounts) => ({
    create: ({ path, payload }) =>
      accounts.create(path.org, payload).pipe(
        toWire,
        Effect.map((account) => created(responseOf(account)))
      ),
    list: ({ path }) =>
      accounts.list(path.org).pipe(
        toWire,
        Effect.map((all) => ok(all.map(responseOf)))
      ),
    get: ({ path }) =>
      accounts.get(path.org, path.name).pipe(
        toWire,
        Effect.map((account) => ok(responseOf(account)))
      ),
    update: ({ path, payload }) =>
      accounts.update(path.org, path.name, payload).pipe(
        toWire,
        Effect.map((account) => ok(responseOf(account)))
      ),
    delete: ({ path }) =>
      accounts.remove(path.org, path.name).pipe(toWire, Effect.as(ok("OK" as const)))
  }))
)
