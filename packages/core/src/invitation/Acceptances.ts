/**
 * Shows an invitation to the person who has its secret, and accepts it: for a new user, or for the caller.
 *
 * Every refusal of a secret is the same error, so that a prober learns nothing. The invitation is locked before it is
 * accepted, so that of several acceptances one wins.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { type Actor, CurrentActor } from "../access/Actor.js"
import * as Gifts from "../access/Gifts.js"
import { AccessEpoch } from "../access/internal/AccessEpoch.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import { InvalidCredential } from "../api-key/ApiKey.js"
import { ApiKeys } from "../api-key/ApiKeys.js"
import type { JournalActor } from "../journal/JournalEntry.js"
import { Journals } from "../journal/Journals.js"
import { displayName, type User } from "../membership/Membership.js"
import { MembershipStore } from "../membership/MembershipStore.js"
import { Memberships } from "../membership/Memberships.js"
import type { Org } from "../org/Org.js"
import { type OpenedSession, Sessions } from "../session/Sessions.js"
import { Login, UserId } from "../shared/Identifier.js"
import { Secrets } from "../shared/Secrets.js"
import type { Timestamp } from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import * as Invitation from "./Invitation.js"
import * as InvitationSecret from "./InvitationSecret.js"
import { type FoundInvitation, InvitationStore } from "./InvitationStore.js"
import * as InvitationEntry from "./internal/InvitationEntry.js"

/** A new person who accepts. */
export interface NewPerson {
  readonly secret: Redacted.Redacted<string>
  /** The login that the person has chosen; absent takes that of the invitation. */
  readonly login: Login | undefined
  /** Absent takes that of the invitation. */
  readonly displayName: string | undefined
}

/** What accepting an invitation gave. */
export interface Accepted {
  readonly org: Org["name"]
  readonly role: Invitation.Invitation["role"]
  readonly user: User
}

/** The same with the first key of a new person, which exists nowhere else, and a session that it has opened. */
export interface Welcomed extends Accepted {
  readonly key: Redacted.Redacted<string>
  readonly session: OpenedSession
}

/** A digest that no text has: the comparison takes as long for an unknown id as for a known one. */
const NO_DIGEST = "-".repeat(64)

/** The description of the first key of a new person. */
const DESCRIPTION = "made by accepting an invitation"

const actorOf = (user: User): JournalActor => ({
  kind: "user",
  id: user.id,
  name: displayName(user)
})

/** Use cases of invited people. */
export class Acceptances extends Effect.Service<Acceptances>()("@attestry/core/Acceptances", {
  effect: Effect.gen(function* () {
    const store = yield* InvitationStore
    const members = yield* MembershipStore
    const memberships = yield* Memberships
    const keys = yield* ApiKeys
    const sessions = yield* Sessions
    const transaction = yield* Transaction
    const journals = yield* Journals
    const secrets = yield* Secrets
    const epoch = yield* AccessEpoch

    /** The open invitation of a secret. */
    const find = (text: Redacted.Redacted<string>) =>
      Effect.gen(function* () {
        const id = InvitationSecret.parse(Redacted.value(text))
        const found = Option.isNone(id) ? Option.none() : yield* store.findAnywhere(id.value)
        const digest = Option.match(found, {
          onNone: () => NO_DIGEST,
          onSome: ({ invitation }) => invitation.digest
        })
        const isSame = yield* secrets.equals(yield* secrets.digest(Redacted.value(text)), digest)
        if (Option.isNone(found) || !isSame) return yield* new Invitation.InvitationClosed()
        const { invitation, now } = found.value
        if (Invitation.stateAt(invitation, now) !== "open") {
          return yield* new Invitation.InvitationClosed()
        }
        return found.value
      })

    /** What the secret gives: the org, the role, who invited, until when, and what the person may choose. */
    const look = Effect.fn("Acceptances.look")((secret: Redacted.Redacted<string>) => find(secret))

    /** The invitation, locked; it may have ended while the lock was waited for. */
    const lock = ({ invitation: { id }, org }: FoundInvitation, now: Timestamp) =>
      Effect.gen(function* () {
        const locked = yield* store.lock({ org: org.id, id })
        if (Option.isNone(locked) || Invitation.stateAt(locked.value, now) !== "open") {
          return yield* new Invitation.InvitationClosed()
        }
        return locked.value
      })

    /** Makes a user a member and ends the invitation. */
    const join = (
      org: FoundInvitation["org"],
      invitation: Invitation.Invitation,
      { user, by, at }: { readonly user: User; readonly by: JournalActor; readonly at: Timestamp }
    ) =>
      Effect.gen(function* () {
        const { role } = invitation
        yield* memberships.join({ org, by, source: "invitation", user, role })
        const accepted = { ...invitation, accepted_by: user.login, accepted_at: at }
        yield* store.end(accepted)
        const writer = { org: org.id, actor: by, at }
        yield* journals.record(InvitationEntry.of(writer, "invitation_accepted", accepted))
        return { org: org.name, role, user } satisfies Accepted
      })

    /** The login of a new person: the fixed one, or the chosen one. */
    const loginOf = (
      { login: fixed }: Invitation.Invitation,
      chosen: Login | undefined
    ): Either.Either<Login, Invitation.InvitationForAnother | Invitation.LoginMissing> => {
      if (fixed === null) {
        return chosen === undefined
          ? Either.left(new Invitation.LoginMissing())
          : Either.right(chosen)
      }
      return chosen === undefined || chosen === fixed
        ? Either.right(Login.make(fixed))
        : Either.left(new Invitation.InvitationForAnother({ login: fixed }))
    }

    const writing = <A, E, R>(
      found: FoundInvitation,
      work: (invitation: Invitation.Invitation, at: Timestamp) => Effect.Effect<A, E, R>
    ) =>
      transaction
        .run(found.org.id, (scope) =>
          Effect.gen(function* () {
            const now = yield* scope.now
            return yield* work(yield* lock(found, now), now)
          })
        )
        .pipe(Effect.zipLeft(epoch.advance))

    /** Accepts for a new person, never an existing user: makes the user, the membership, a key and a session. */
    const accept = Effect.fn("Acceptances.accept")(function* (person: NewPerson) {
      const found = yield* find(person.secret)
      return yield* writing(found, (invitation, at) =>
        Effect.gen(function* () {
          const login = yield* loginOf(invitation, person.login)
          const { display_name } = invitation
          // WHY without the address of the invitation: an org's word must not give a person an address by which a
          // sign-in could be taken for theirs.
          const names = { login, display_name: person.displayName ?? display_name, email: null }
          const user = yield* memberships.createUser(names, { at })
          const by = actorOf(user)
          const accepted = yield* join(found.org, invitation, { user, by, at })
          const { id, key } = yield* keys.issue({
            org: found.org.id,
            user: user.id,
            by,
            description: DESCRIPTION,
            lifetimeSeconds: null
          })
          // WHY here: an answer without the key would leave a person who cannot sign in.
          const session = yield* sessions.open({
            kind: "user",
            id: user.id,
            name: by.name,
            key_id: id,
            memberships: []
          })
          return { ...accepted, key, session } satisfies Welcomed
        })
      )
    })

    const userOf = (actor: Actor) =>
      Effect.gen(function* () {
        if (actor.kind !== "user") return yield* new Invitation.InvitationForPerson()
        return yield* Effect.flatMap(
          members.findUserById(UserId.make(actor.id)),
          Either.fromOption(() => new InvalidCredential())
        )
      })

    /** Accepts for the caller: adds the membership, and makes no key. */
    const acceptAsCaller = Effect.fn("Acceptances.acceptAsCaller")(function* (
      secret: Redacted.Redacted<string>
    ) {
      const actor = yield* CurrentActor
      yield* Gifts.checkOwnChange(actor, "accepting an invitation")
      const found = yield* find(secret)
      const user = yield* userOf(actor)
      return yield* writing(found, (invitation, at) =>
        Effect.gen(function* () {
          if (invitation.login !== null && invitation.login !== user.login) {
            return yield* new Invitation.InvitationForAnother({ login: invitation.login })
          }
          return yield* join(found.org, invitation, { user, by: WriteContext.actorOf(actor), at })
        })
      )
    })

    return { look, accept, acceptAsCaller } as const
  })
}) {}
