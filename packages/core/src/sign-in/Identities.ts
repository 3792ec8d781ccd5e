/**
 * Links identities to existing users and unlinks them. The journal of the first org of the user records it.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { CurrentActor, toJournal } from "../access/Actor.js"
import * as Gifts from "../access/Gifts.js"
import { AccessEpoch } from "../access/internal/AccessEpoch.js"
import type { JournalActor } from "../journal/JournalEntry.js"
import { Journals } from "../journal/Journals.js"
import { MembershipStore } from "../membership/MembershipStore.js"
import type { ResumedSession } from "../session/Sessions.js"
import { type OrgId, UserId } from "../shared/Identifier.js"
import * as Timestamp from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import {
  type Identity,
  IdentityNotFound,
  IdentityTaken,
  KeyNotFresh,
  type UserIdentity
} from "./Identity.js"
import type { ProviderId } from "./Provider.js"
import { type IdentityDraft, SignInStore } from "./SignInStore.js"

/** An identity can be linked for this long after a key has opened the session. */
export const LINK_SECONDS = 300

interface Change {
  readonly kind: "identity_linked" | "identity_unlinked"
  readonly identity: Identity
  readonly user: UserId
  readonly by: JournalActor
}

/** Use cases of identities. */
export class Identities extends Effect.Service<Identities>()("@attestry/core/Identities", {
  effect: Effect.gen(function* () {
    const store = yield* SignInStore
    const members = yield* MembershipStore
    const transaction = yield* Transaction
    const journals = yield* Journals
    const epoch = yield* AccessEpoch

    const record = (org: OrgId, { kind, identity, user, by }: Change) =>
      transaction.run(org, (scope) =>
        Effect.flatMap(scope.now, (at) =>
          journals.record({
            org,
            actor: by,
            at,
            kind,
            subject: { type: "user", id: user },
            content: { user_id: user, provider: identity.provider, subject: identity.subject }
          })
        )
      )

    /** Runs a change in the transaction of the user's first org; a user of no org has no journal. */
    const write = <A, E, R>(user: UserId, work: (org: OrgId | null) => Effect.Effect<A, E, R>) =>
      Effect.gen(function* () {
        const [first] = yield* members.listOrgs(user)
        return yield* first === undefined
          ? work(null)
          : transaction.run(first.org_id, () => work(first.org_id))
      }).pipe(Effect.zipLeft(epoch.advance))

    /** Links an identity to a user; the same link again changes nothing. */
    const link = Effect.fn("Identities.link")((draft: IdentityDraft, by: JournalActor) =>
      write(draft.user_id, (org) =>
        Effect.gen(function* () {
          const current = yield* store.findIdentity(draft)
          if (Option.isSome(current) && isSame(current.value, draft)) return current.value
          const linked = yield* store.insertIdentity(draft)
          if (Option.isNone(linked)) return yield* new IdentityTaken(draft)
          if (org !== null) {
            const change = { identity: draft, user: draft.user_id, by }
            yield* record(org, { kind: "identity_linked", ...change })
          }
          return linked.value
        })
      )
    )

    /** Unlinks the identity of a user at a provider, which ends the sessions that it opened. */
    const unlink = Effect.fn("Identities.unlink")(
      (user: UserId, provider: ProviderId, by: JournalActor) =>
        write(user, (org) =>
          Effect.gen(function* () {
            const all = yield* store.listIdentities(user)
            const identity = all.find((each) => each.provider === provider)
            if (identity === undefined || !(yield* store.removeIdentity(user, provider)))
              return yield* new IdentityNotFound({ provider })
            if (org !== null) yield* record(org, { kind: "identity_unlinked", identity, user, by })
          })
        )
    )

    /**
     * Whether the session may link an identity to its user: a key of the user opened it a few minutes ago.
     */
    const checkMayLink = Effect.fn("Identities.checkMayLink")(function* ({
      actor,
      openedAt
    }: Pick<ResumedSession, "actor" | "openedAt">) {
      const now = Timestamp.fromMillis(yield* Clock.currentTimeMillis)
      const isRecent = now <= Timestamp.plusSeconds(openedAt, LINK_SECONDS)
      if (actor.kind !== "user" || actor.signed_in !== undefined || !isRecent)
        return yield* new KeyNotFresh()
      yield* Gifts.checkOwnChange(actor, "linking an identity")
      return UserId.make(actor.id)
    })

    /** The identities of a user, by provider. */
    const list = Effect.fn("Identities.list")((user: UserId) => store.listIdentities(user))

    /** The identities of the caller; a service account has none. */
    const own = Effect.fn("Identities.own")(function* () {
      const { kind, id } = yield* CurrentActor
      return kind === "user" ? yield* store.listIdentities(UserId.make(id)) : []
    })

    /** Unlinks the identity of the caller at a provider. */
    const unlinkOwn = Effect.fn("Identities.unlinkOwn")(function* (provider: ProviderId) {
      const actor = yield* CurrentActor
      if (actor.kind !== "user") return yield* new IdentityNotFound({ provider })
      yield* Gifts.checkOwnChange(actor, "unlinking an identity")
      yield* unlink(UserId.make(actor.id), provider, toJournal(actor))
    })

    return { link, unlink, list, own, unlinkOwn, checkMayLink } as const
  })
}) {}

const isSame = (current: UserIdentity, draft: IdentityDraft): boolean =>
  current.user_id === draft.user_id && current.issuer === draft.issuer
