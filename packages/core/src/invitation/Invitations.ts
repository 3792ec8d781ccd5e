/** Lets the admins of an org invite people, and list and revoke invitations. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import type { BaseRole } from "../access/Role.js"
import { Journals } from "../journal/Journals.js"
import { HeldChanges } from "../protection/internal/HeldChanges.js"
import * as CurrentOutcome from "../shared/CurrentOutcome.js"
import { InvitationId, type Login, type OrgName } from "../shared/Identifier.js"
import { IdGenerator } from "../shared/IdGenerator.js"
import type { Page } from "../shared/Page.js"
import { Secrets } from "../shared/Secrets.js"
import * as Timestamp from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import type { WriteOutcome } from "../shared/WriteOutcome.js"
import * as Invitation from "./Invitation.js"
import * as InvitationSecret from "./InvitationSecret.js"
import { InvitationStore } from "./InvitationStore.js"
import * as InvitationEntry from "./internal/InvitationEntry.js"

/** An invitation to make. */
export interface InvitationDraft {
  readonly role: BaseRole
  /** The login of the person; `null` lets the person choose. */
  readonly login: Login | null
  readonly displayName: string | null
  readonly email: string | null
  readonly days: number
}

/** An invitation with its state. */
export interface ListedInvitation {
  readonly invitation: Invitation.Invitation
  readonly state: Invitation.InvitationState
}

/** A new invitation; its secret exists nowhere else. */
export interface MadeInvitation extends ListedInvitation {
  readonly secret: Redacted.Redacted<string>
}

const DAY_SECONDS = 86_400

/** Use cases of admins: invitations to their org. */
export class Invitations extends Effect.Service<Invitations>()("@attestry/core/Invitations", {
  effect: Effect.gen(function* () {
    const store = yield* InvitationStore
    const transaction = yield* Transaction
    const journals = yield* Journals
    const secrets = yield* Secrets
    const ids = yield* IdGenerator
    const held = yield* HeldChanges

    const granted = (org: OrgName, permission: "membership.read" | "membership.write") =>
      Effect.flatMap(CurrentActor, (actor) => Access.authorize(actor, org, permission))

    const tell = ({ id }: Invitation.Invitation, result: WriteOutcome["result"]) =>
      CurrentOutcome.setOutcome({ type: "invitation", id, name: null, result })

    const secretOf = (id: InvitationId): Effect.Effect<Redacted.Redacted<string>> =>
      Effect.flatMap(secrets.randomBytes(InvitationSecret.RANDOM_BYTES), (bytes) =>
        Option.match(InvitationSecret.make(id, bytes), {
          onNone: () => secretOf(id),
          onSome: Effect.succeed
        })
      )

    const newInvitation = (draft: InvitationDraft, writer: WriteContext.WriteContext) =>
      Effect.gen(function* () {
        const id = InvitationId.make(yield* ids.next)
        const secret = yield* secretOf(id)
        const invitation: Invitation.Invitation = {
          org_id: writer.org,
          id,
          role: draft.role,
          login: draft.login,
          display_name: draft.displayName,
          email: draft.email,
          digest: yield* secrets.digest(Redacted.value(secret)),
          created_by: writer.actor.name,
          created_at: writer.at,
          expires_at: Timestamp.plusSeconds(writer.at, draft.days * DAY_SECONDS),
          accepted_by: null,
          accepted_at: null,
          revoked_by: null,
          revoked_at: null
        }
        return { invitation, secret, state: "open" } as const satisfies MadeInvitation
      })

    /** Makes an invitation. Its secret is in the result and is not stored. */
    const make = Effect.fn("Invitations.make")(function* (org: OrgName, draft: InvitationDraft) {
      const grant = yield* granted(org, "membership.write")
      yield* Access.checkGift(grant.actor, org, draft.role)
      return yield* transaction.run(grant.orgId, (scope) =>
        Effect.gen(function* () {
          const writer = WriteContext.make(grant, yield* scope.now)
          if ((yield* store.lockOpen(grant.orgId, writer.at)) >= Invitation.OPEN_MAX) {
            return yield* new Invitation.TooManyInvitations({ most: Invitation.OPEN_MAX })
          }
          const made = yield* newInvitation(draft, writer)
          const { id, login, role } = made.invitation
          yield* held.check(writer, {
            kinds: ["access"],
            subject: { type: "invitation", name: login ?? id },
            before: null,
            after: { login, role }
          })
          yield* store.insert(made.invitation)
          yield* journals.record(InvitationEntry.of(writer, "invitation_made", made.invitation))
          yield* tell(made.invitation, "created")
          return made
        })
      )
    })

    /** A page of all invitations of the org, newest first. */
    const list = Effect.fn("Invitations.list")(function* (org: OrgName, page: Page) {
      const { orgId } = yield* granted(org, "membership.read")
      return yield* transaction.run(orgId, (scope) =>
        Effect.gen(function* () {
          const now = yield* scope.now
          const { items, total } = yield* store.list(orgId, page)
          return {
            items: items.map(
              (invitation): ListedInvitation => ({
                invitation,
                state: Invitation.stateAt(invitation, now)
              })
            ),
            total
          }
        })
      )
    })

    /** Ends an open invitation; one that was revoked already changes and records nothing. */
    const revoke = Effect.fn("Invitations.revoke")(function* (org: OrgName, id: InvitationId) {
      const grant = yield* granted(org, "membership.write")
      return yield* transaction.run(grant.orgId, (scope) =>
        Effect.gen(function* () {
          const writer = WriteContext.make(grant, yield* scope.now)
          const found = yield* Effect.flatMap(
            store.lock({ org: grant.orgId, id }),
            Either.fromOption(() => new Invitation.InvitationNotFound({ org, id }))
          )
          const state = Invitation.stateAt(found, writer.at)
          if (state === "revoked") {
            yield* tell(found, "unchanged")
            return { invitation: found, state } satisfies ListedInvitation
          }
          if (state !== "open") return yield* new Invitation.InvitationEnded({ id, state })
          const revoked = { ...found, revoked_by: writer.actor.name, revoked_at: writer.at }
          yield* store.end(revoked)
          yield* journals.record(InvitationEntry.of(writer, "invitation_revoked", revoked))
          yield* tell(revoked, "updated")
          return { invitation: revoked, state: "revoked" } satisfies ListedInvitation
        })
      )
    })

    return { make, list, revoke } as const
  })
}) {}
