/** Serves the operations of the API keys of service accounts. */
import { ApiKeyApi, type ApiKeyResponse } from "@attestry/api/ApiKeyApi"
import { type ApiKey, GRACE_HOURS } from "@attestry/core/ApiKey"
import { ServiceAccountKeys } from "@attestry/core/ServiceAccountKeys"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { created, ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import { toWire } from "../../shared/internal/WireErrors.js"

const shownOf = ({ id, description, created_at, expires_at }: ApiKey) => ({
  id,
  description,
  created_at,
  expires_at
})

const responseOf = (key: ApiKey): typeof ApiKeyResponse.Type => ({
  ...shownOf(key),
  last_used_at: key.last_used_at,
  ...(key.grace_period_expires_at === null
    ? {}
    : { grace_period_expires_at: key.grace_period_expires_at })
})

const endOf = (seconds: number | null | undefined): Timestamp.Timestamp | null =>
  seconds === undefined || seconds === null || seconds === 0 ? null : Timestamp.fromSeconds(seconds)

/** Serves the operations of the API keys of service accounts. */
export const ApiKeyHandlers = group(
  ApiKeyApi,
  Effect.map(ServiceAccountKeys, (keys) => ({
    create: ({ path, payload }) =>
      keys
        .create(path, { description: payload.description, expiresAt: endOf(payload.expires_at) })
        .pipe(
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
        )
  }))
)
