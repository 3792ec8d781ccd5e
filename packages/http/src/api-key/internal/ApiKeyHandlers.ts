/** Serves the operations of the API keys of service accounts. */
import { ApiKeyApi, type OrgApiKey } from "@attestry/api/ApiKeyApi"
import { GRACE_HOURS } from "@attestry/core/ApiKey"
import type { OrgKey } from "@attestry/core/CredentialStore"
import { OrgKeys } from "@attestry/core/OrgKeys"
import { ServiceAccountKeys } from "@attestry/core/ServiceAccountKeys"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { created, ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import * as Paging from "../../shared/internal/Paging.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"
import { endOf, markOf, responseOf, shownOf } from "./ApiKeyBody.js"

const orgKeyOf = ({ key, ownerName }: OrgKey): typeof OrgApiKey.Type => {
  const { id, owner, created_at, last_used_at, expires_at, grace_period_expires_at } = key
  return {
    id,
    owner: { type: owner.kind, name: ownerName },
    description: owner.kind === "user" ? null : key.description,
    scope: key.scope ?? null,
    ...markOf(key),
    created_at,
    last_used_at,
    expires_at,
    grace_period_expires_at
  }
}

/** Serves the operations of the API keys of service accounts. */
export const ApiKeyHandlers = group(
  ApiKeyApi,
  Effect.gen(function* () {
    const keys = yield* ServiceAccountKeys
    const orgKeys = yield* OrgKeys
    const base = yield* PublicUrl
    return {
      create: ({ path, payload: { description, expires_at, scope } }) =>
        keys.create(path, { description, expiresAt: endOf(expires_at), scope }).pipe(
          toWire,
          Effect.map(({ key, text }) => created({ ...shownOf(key), key: Redacted.value(text) }))
        ),
      list: ({ path }) =>
        keys.list(path).pipe(
          toWire,
          Effect.map((all) => ok(all.map(responseOf)))
        ),
      get: ({ path: { key_id: id, ...path } }) =>
        keys.get({ ...path, id }).pipe(
          toWire,
          Effect.map((key) => ok(responseOf(key)))
        ),
      revoke: ({ path: { key_id: id, ...path } }) =>
        keys.revoke({ ...path, id }).pipe(toWire, Effect.as(ok("revoked" as const))),
      rotate: ({ path: { key_id: id, ...path }, payload }) =>
        keys
          .rotate(
            { ...path, id },
            {
              graceHours: payload.grace_period_hours ?? GRACE_HOURS.default,
              expiresAt: endOf(payload.expires_at)
            }
          )
          .pipe(
            toWire,
            Effect.map(({ key, text, graceEndsAt }) =>
              created({
                ...shownOf(key),
                key: Redacted.value(text),
                grace_period_expires_at: graceEndsAt
              })
            )
          ),
      listOrg: ({ path, urlParams, incoming }) => {
        const page = Paging.pageOf(urlParams)
        const { unused_days: unusedDays, ends_within_days: endsWithinDays, unscoped } = urlParams
        return orgKeys
          .list(path.org, { unusedDays, endsWithinDays, isUnscoped: unscoped }, page)
          .pipe(
            toWire,
            Effect.map(({ items, total }) =>
              ok({
                ...Paging.counters(base, incoming, { total, page }),
                api_keys: items.map(orgKeyOf)
              })
            )
          )
      }
    }
  })
)
