/** Serves rules for id tokens, and their exchange. */
import type { HttpError } from "@attestry/api/HttpError"
import {
  ACCESS_TOKEN,
  type IdentityRuleInput,
  WorkloadIdentityApi
} from "@attestry/api/WorkloadIdentityApi"
import { type IdentityRule, LIFETIME_SECONDS } from "@attestry/core/IdentityRule"
import { IdentityRules } from "@attestry/core/IdentityRules"
import { TokenExchanges } from "@attestry/core/TokenExchanges"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"

/** A rule with its defaults. */
const ruleOf = (input: typeof IdentityRuleInput.Type, audience: string): IdentityRule => ({
  issuer: input.issuer,
  audience: input.audience ?? audience,
  subject: input.subject,
  claims: input.claims ?? {},
  lifetime: input.lifetime ?? LIFETIME_SECONDS.default,
  single_use: input.single_use ?? false,
  ...(input.scope === undefined ? {} : { scope: input.scope })
})

/** Serves rules for id tokens, and their exchange. */
export const WorkloadIdentityHandlers = group(
  WorkloadIdentityApi,
  Effect.gen(function* () {
    const rules = yield* IdentityRules
    const exchanges = yield* TokenExchanges
    const audience = (yield* PublicUrl).replace(/\/+$/, "")
    return {
      getRules: ({ path }) =>
        rules.list(path).pipe(
          toWire,
          Effect.map((found) => ok({ rules: found }))
        ),
      putRules: ({ path, payload }) =>
        rules
          .replace(
            path,
            payload.rules.map((input) => ruleOf(input, audience))
          )
          .pipe(
            toWire,
            Effect.map((saved) => ok({ rules: saved }))
          ),
      exchange: ({ path, payload, authenticate }) => {
        const token = Redacted.make(payload.subject_token)
        return exchanges.exchange({ org: path.org, token, account: payload.service_account }).pipe(
          toWire,
          Effect.map(({ text, account, lifetimeSeconds }) =>
            ok({
              access_token: Redacted.value(text),
              issued_token_type: ACCESS_TOKEN,
              token_type: "Bearer" as const,
              expires_in: lifetimeSeconds,
              service_account: account
            })
          ),
          Effect.catchTag("Unauthorized", (error) =>
            // WHY: a token that is refused counts as a failed authentication of its source.
            Effect.matchEffect(authenticate(token), {
              onFailure: (failed): Effect.Effect<never, HttpError> =>
                Effect.fail(failed._tag === "Unauthorized" ? error : failed),
              onSuccess: () => Effect.fail(error)
            })
          )
        )
      }
    }
  })
)
