/** Serves invitations, and their acceptance. */
import type { HttpError } from "@attestry/api/HttpError"
import { InvitationApi, type InvitationResponse } from "@attestry/api/InvitationApi"
import { Acceptances, type Accepted } from "@attestry/core/Acceptances"
import type { Actor } from "@attestry/core/Actor"
import { DAYS } from "@attestry/core/Invitation"
import { Invitations, type ListedInvitation } from "@attestry/core/Invitations"
import { LIFETIME_SECONDS } from "@attestry/core/Session"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as SessionCookie from "../../session/internal/SessionCookie.js"
import { created, ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import * as Links from "../../shared/internal/Links.js"
import * as Paging from "../../shared/internal/Paging.js"
import { type DomainError, toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"

const responseOf = ({
  invitation: { digest: _digest, org_id: _org, ...invitation },
  state
}: ListedInvitation): typeof InvitationResponse.Type => ({ ...invitation, state })

const joinedOf = ({ org, role, user: { login } }: Accepted) => ({ org, role, login })

/** Checks a text as a key of the request's source. */
type Authenticate = (text: Redacted.Redacted<string>) => Effect.Effect<Actor, HttpError>

/** WHY: a wrong secret counts as a failed authentication of its source, and beyond the limit the answer is 429. */
const counting =
  (authenticate: Authenticate, text: Redacted.Redacted<string>) =>
  <A, E extends DomainError | HttpError, R>(work: Effect.Effect<A, E, R>) =>
    Effect.tapError(work, (error) =>
      error._tag === "InvitationClosed"
        ? Effect.matchEffect(authenticate(text), {
            onFailure: (failed): Effect.Effect<void, HttpError> =>
              failed._tag === "Unauthorized" ? Effect.void : Effect.fail(failed),
            onSuccess: () => Effect.void
          })
        : Effect.void
    ).pipe(toWire)

/** Serves invitations, and their acceptance. */
export const InvitationHandlers = group(
  InvitationApi,
  Effect.gen(function* () {
    const invitations = yield* Invitations
    const acceptances = yield* Acceptances
    const base = yield* PublicUrl
    return {
      list: ({ path, urlParams, incoming }) => {
        const page = Paging.pageOf(urlParams)
        return invitations.list(path.org, page).pipe(
          toWire,
          Effect.map(({ items, total }) =>
            ok({
              ...Paging.counters(base, incoming, { total, page }),
              invitations: items.map(responseOf)
            })
          )
        )
      },
      create: ({ path, payload: { role, login, display_name, email, days } }) =>
        invitations
          .make(path.org, {
            role,
            login: login ?? null,
            displayName: display_name ?? null,
            email: email ?? null,
            days: days ?? DAYS.default
          })
          .pipe(
            toWire,
            Effect.map((made) => {
              const secret = Redacted.value(made.secret)
              return created({
                ...responseOf(made),
                secret,
                link: Links.invitationPage(base, secret)
              })
            })
          ),
      revoke: ({ path: { org, invitation_id: id } }) =>
        invitations.revoke(org, id).pipe(
          toWire,
          Effect.map((revoked) => ok(responseOf(revoked)))
        ),
      look: ({ payload, authenticate }) => {
        const secret = Redacted.make(payload.secret)
        return acceptances.look(secret).pipe(
          counting(authenticate, secret),
          Effect.map(({ invitation, org }) =>
            ok({
              org: org.name,
              role: invitation.role,
              created_by: invitation.created_by,
              expires_at: invitation.expires_at,
              login: invitation.login,
              display_name: invitation.display_name
            })
          )
        )
      },
      accept: ({ payload: { secret: text, login, display_name: displayName }, authenticate }) => {
        const secret = Redacted.make(text)
        return Effect.gen(function* () {
          const accepted = yield* acceptances
            .accept({ secret, login, displayName })
            .pipe(counting(authenticate, secret))
          const { csrfToken, text: cookie } = accepted.session
          return {
            ...created({
              ...joinedOf(accepted),
              api_key: Redacted.value(accepted.key),
              csrf_token: Redacted.value(csrfToken)
            }),
            headers: {
              "set-cookie": SessionCookie.print(base, Redacted.value(cookie), LIFETIME_SECONDS)
            }
          }
        }).pipe(toWire)
      },
      join: ({ payload, authenticate }) => {
        const secret = Redacted.make(payload.secret)
        return acceptances.acceptAsCaller(secret).pipe(
          counting(authenticate, secret),
          Effect.map((accepted) => ok(joinedOf(accepted)))
        )
      }
    }
  })
)
