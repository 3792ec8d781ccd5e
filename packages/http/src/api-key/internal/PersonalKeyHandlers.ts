/** Serves the operations of the API keys of the caller. */
import { PersonalKeyApi } from "@attestry/api/PersonalKeyApi"
import { PersonalKeys } from "@attestry/core/PersonalKeys"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { created, ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import * as ApiKeyBody from "./ApiKeyBody.js"

/** Serves the operations of the API keys of the caller. */
export const PersonalKeyHandlers = group(
  PersonalKeyApi,
  Effect.gen(function* () {
    const keys = yield* PersonalKeys
    return {
      list: () =>
        keys.list().pipe(
          toWire,
          Effect.map((all) =>
            ok({
              api_keys: all.map((key) => ({
                ...ApiKeyBody.responseOf(key),
                ...ApiKeyBody.markOf(key)
              }))
            })
          )
        ),
      create: ({ payload: { expires_at, ...payload } }) =>
        keys.create({ ...payload, expiresAt: ApiKeyBody.endOf(expires_at) }).pipe(
          toWire,
          Effect.map(({ key, text }) =>
            created({
              ...ApiKeyBody.shownOf(key),
              ...ApiKeyBody.markOf(key),
              key: Redacted.value(text)
            })
          )
        ),
      revoke: ({ path }) => keys.revoke(path.key_id).pipe(toWire, Effect.as(ok("revoked" as const)))
    }
  })
)
