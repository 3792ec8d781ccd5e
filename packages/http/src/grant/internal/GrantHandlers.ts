/** Serves grants. */
import {
  GrantApi,
  type GrantResponse,
  type ListGrants,
  type PutGrant
} from "@attestry/api/GrantApi"
import { type GivenGrant, type GrantFilter, Grants, type GrantView } from "@attestry/core/Grants"
import * as Effect from "effect/Effect"
import { created, ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import { counters, pageOf } from "../../shared/internal/Paging.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"

const responseOf = ({ grant, space, subject }: GrantView): typeof GrantResponse.Type => ({
  number: grant.number,
  subject,
  space,
  role: grant.role,
  eligible: grant.eligible,
  expires_at: grant.expires_at,
  reason: grant.reason,
  given_at: grant.from_at,
  ended_at: grant.to_at
})

const filterOf = (query: typeof ListGrants.Type): GrantFilter => ({
  ...(query.subject_kind === undefined
    ? {}
    : { subject: { kind: query.subject_kind, name: query.subject_name ?? "" } }),
  space: query.space,
  role: query.role,
  eligible: query.eligible,
  ended: query.ended ?? false
})

const givenOf = (payload: typeof PutGrant.Type): GivenGrant => ({
  subject: { kind: payload.subject.kind, name: payload.subject.name ?? "" },
  space: payload.space,
  role: payload.role,
  eligible: payload.eligible ?? false,
  expiresAt: payload.expires_at ?? null,
  reason: payload.reason ?? ""
})

/** Serves the operations of grants. */
export const GrantHandlers = group(
  GrantApi,
  Effect.gen(function* () {
    const grants = yield* Grants
    const base = yield* PublicUrl
    return {
      list: ({ incoming, path, urlParams }) => {
        const page = pageOf(urlParams)
        return grants.list(path.org, filterOf(urlParams), page).pipe(
          toWire,
          Effect.map(({ items, total }) =>
            ok({ ...counters(base, incoming, { total, page }), grants: items.map(responseOf) })
          )
        )
      },
      put: ({ path, payload }) =>
        grants.give(path.org, givenOf(payload)).pipe(
          toWire,
          Effect.map(({ result, view }) =>
            result === "created" ? created(responseOf(view)) : ok(responseOf(view))
          )
        ),
      end: ({ path }) =>
        grants.end(path.org, path.number).pipe(toWire, Effect.as(ok("OK" as const)))
    }
  })
)
