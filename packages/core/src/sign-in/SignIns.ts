/**
 * Signs people in whose identity a provider has confirmed: finds or makes the user, lets the user join orgs whose rules
 * admit them, and opens the session.
 *
 * A new user gets a login that is free. An org is joined in a transaction of its own, so that one that fails keeps no
 * person out of the others; the next sign-in tries again.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { AccessEpoch } from "../access/internal/AccessEpoch.js"
import type { JournalActor } from "../journal/JournalEntry.js"
import type { User } from "../membership/Membership.js"
import { displayName } from "../membership/Membership.js"
import { MembershipStore } from "../membership/MembershipStore.js"
import { Memberships } from "../membership/Memberships.js"
import { ScimStore } from "../scim/ScimStore.js"
import { Sessions } from "../session/Sessions.js"
import type { OrgId, OrgName, UserId } from "../shared/Identifier.js"
import type { Timestamp } from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import { Identities } from "./Identities.js"
import { asciiLower, type IdentityClaims } from "./IdentityClaims.js"
import * as ClaimTeams from "./internal/ClaimTeams.js"
import * as GroupTeams from "./internal/GroupTeams.js"
import * as Joining from "./Joining.js"
import type { Provider, ProviderId } from "./Provider.js"
import { Providers } from "./Providers.js"
import { type FailureClass, SignInRefused } from "./SignIn.js"
import { accepted, DEFAULTS, type SignInSettings } from "./SignInSettings.js"
import { SignInStore } from "./SignInStore.js"

const refusedOf = ({ provider, issuer, subject }: IdentityClaims) =>
  new SignInRefused({ provider, issuer, subject })

const actorOf = (user: User): JournalActor => ({
  kind: "user",
  id: user.id,
  name: displayName(user)
})

type Described = Extract<Joining.Person, { readonly _tag: "Described" }>

/** An org of the person who signs in, with its settings. */
interface OwnOrg {
  readonly id: OrgId
  readonly name: OrgName
  readonly settings: SignInSettings
}

/** The most logins that are tried for a new user. */
const LOGINS_MAX = 1_000

/** Use case: signing in with a provider. */
export class SignIns extends Effect.Service<SignIns>()("@attestry/core/SignIns", {
  effect: Effect.gen(function* () {
    const store = yield* SignInStore
    const members = yield* MembershipStore
    const memberships = yield* Memberships
    const sessions = yield* Sessions
    const identities = yield* Identities
    const transaction = yield* Transaction
    const scim = yield* ScimStore
    const providers = yield* Providers
    const claimTeams = yield* ClaimTeams.make
    const epoch = yield* AccessEpoch

    /** A new user with the first login that is free. */
    const createUser = (claims: IdentityClaims, at: Timestamp) =>
      memberships
        .createNumbered(
          {
            name: Joining.loginOf(claims),
            display_name: claims.name,
            email: claims.email,
            tries: LOGINS_MAX
          },
          { at }
        )
        .pipe(Effect.catchTag("LoginTaken", () => refusedOf(claims)))

    /** The users whom SCIM clients have made for an identity, with the settings of their orgs. */
    const describedOf = ({ subject }: IdentityClaims) =>
      Effect.gen(function* () {
        const described = yield* scim.listDescribed(subject)
        const settings = yield* store.findSettings(described.map(({ org }) => org.id))
        return described.map((each) => ({
          ...each,
          settings: settings.get(each.org.id) ?? DEFAULTS
        }))
      })

    const link = ({ provider, subject, issuer }: IdentityClaims, user: User) =>
      identities.link({ provider, subject, issuer, user_id: user.id }, actorOf(user))

    const join = (user: User, { org, role, teams }: Joining.Admission) =>
      transaction.run(org.id, (scope) =>
        Effect.gen(function* () {
          const by = actorOf(user)
          yield* memberships.join({ org, user, role, by, source: "app" })
          yield* claimTeams.enter({ org: org.id, actor: by, at: yield* scope.now }, user.id, teams)
        })
      )

    /** Makes the user a member, or leaves one who is a member, or whom another org alone has, as they are. */
    const joinOrPass = (user: User, admission: Joining.Admission) =>
      join(user, admission).pipe(
        Effect.asVoid,
        Effect.catchTags({ AlreadyMember: () => Effect.void, UserNotFound: () => Effect.void })
      )

    /** Makes the user of an unknown identity as a member of the first org that admits it. */
    const create = (claims: IdentityClaims, first: Joining.Admission) =>
      transaction.run(first.org.id, (scope) =>
        Effect.gen(function* () {
          const user = yield* createUser(claims, yield* scope.now)
          // WHY: a user who was made just now is no member yet, and belongs to no other org.
          yield* join(user, first).pipe(
            Effect.catchTags({
              AlreadyMember: () => refusedOf(claims),
              UserNotFound: () => refusedOf(claims)
            })
          )
          yield* link(claims, user)
          return user
        })
      )

    const userOf = (id: UserId, claims: IdentityClaims) =>
      Effect.flatMap(
        store.findPerson(id),
        Option.match({
          onNone: () => refusedOf(claims),
          onSome: ({ user }) => Effect.succeed(user)
        })
      )

    /** Links an identity to the user whom a SCIM client has made for it; from then on other orgs may add the user. */
    const bind = (claims: IdentityClaims, { org, user: id }: Described) =>
      transaction.run(org.id, () =>
        Effect.gen(function* () {
          const user = yield* userOf(id, claims)
          yield* link(claims, user)
          yield* scim.setHome(id, null)
          return user
        })
      )

    const findPerson = (
      provider: Provider,
      claims: IdentityClaims,
      admitted: ReadonlyArray<Joining.Admission>
    ) =>
      Effect.gen(function* () {
        const person = Joining.decide(provider, claims, {
          identity: yield* store.findIdentity(claims),
          sameAddress:
            Joining.mayLink(provider, claims) && claims.email !== null
              ? yield* store.findByAddress(asciiLower(claims.email))
              : [],
          described: yield* describedOf(claims),
          offered: providers,
          admissions: admitted
        })
        const [first] = admitted
        switch (person._tag) {
          case "Known":
            return yield* userOf(person.user, claims)
          case "Described":
            return yield* bind(claims, person)
          case "Linked":
            return yield* Effect.tap(userOf(person.user, claims), (user) => link(claims, user))
          case "New":
            return first === undefined ? yield* refusedOf(claims) : yield* create(claims, first)
          case "Refused":
            return yield* refusedOf(claims)
        }
      })

    /** The orgs of a user with their settings. */
    const orgsOf = (user: UserId) =>
      Effect.gen(function* () {
        const own = yield* members.listOrgs(user)
        const settings = yield* store.findSettings(own.map(({ org_id }) => org_id))
        return own.map(
          ({ org: name, org_id: id }): OwnOrg => ({
            id,
            name,
            settings: settings.get(id) ?? DEFAULTS
          })
        )
      })

    /** Sets the teams that follow groups to what the token says, in one org after another. */
    const followGroups = (
      user: User,
      { claims, provider }: { readonly claims: IdentityClaims; readonly provider: Provider },
      orgs: ReadonlyArray<OwnOrg>
    ) =>
      Effect.gen(function* () {
        for (const { id, name, settings } of orgs) {
          const claimed = GroupTeams.claimed(settings, claims)
          if (claimed.kept.size === 0 || accepted(settings, [provider], name).length === 0) continue
          yield* transaction.run(id, (scope) =>
            Effect.flatMap(scope.now, (at) =>
              claimTeams.follow({ org: id, actor: actorOf(user), at }, user.id, claimed)
            )
          )
          yield* epoch.advance
        }
      })

    /** How long a session can count in any of these orgs. */
    const lifetimeIn = (orgs: ReadonlyArray<OwnOrg>): number => {
      const hours = orgs.map(({ settings }) => settings.session_hours)
      return Math.max(...(hours.length === 0 ? [DEFAULTS.session_hours] : hours)) * 3_600
    }

    /** Records an attempt that failed; a failure of the store is logged, and the page stays. */
    const fail = (
      provider: ProviderId,
      outcome: FailureClass,
      subject: IdentityClaims["subject"] | null = null
    ): Effect.Effect<void> =>
      store.insertSignIn({ provider, outcome, user_id: null, subject }).pipe(
        Effect.asVoid,
        Effect.catchTag("StoreError", (error) =>
          Effect.logWarning("a failed sign-in was not kept", error)
        )
      )

    /** Opens a session for a confirmed identity; refuses one that is no user. */
    const complete = Effect.fn("SignIns.complete")(
      function* (provider: Provider, claims: IdentityClaims) {
        const admitted = Joining.admissions(yield* store.listJoining(provider.id), claims, provider)
        const user = yield* findPerson(provider, claims, admitted).pipe(
          // WHY once more: of two sign-ins of a new person at once, one made the user that the other finds.
          Effect.retry({ times: 1, while: ({ _tag }) => _tag === "IdentityTaken" }),
          Effect.catchTag("IdentityTaken", () => refusedOf(claims))
        )
        yield* Effect.forEach(admitted, (admission) => joinOrPass(user, admission), {
          discard: true
        })
        const orgs = yield* orgsOf(user.id)
        yield* followGroups(user, { claims, provider }, orgs)
        const lifetimeSeconds = lifetimeIn(orgs)
        const opened = yield* sessions.openForPerson({
          user: user.id,
          provider: provider.id,
          authTime: claims.authTime,
          acr: claims.acr,
          lifetimeSeconds
        })
        const { subject } = claims
        yield* store.insertSignIn({
          provider: provider.id,
          outcome: "signed-in",
          user_id: user.id,
          subject
        })
        return { ...opened, user, lifetimeSeconds }
      },
      (effect, provider, claims) =>
        Effect.tapErrorTag(effect, "SignInRefused", () =>
          fail(provider.id, "refused", claims.subject)
        )
    )

    /** Links a confirmed identity to the user who asked for it. */
    const linkTo = Effect.fn("SignIns.linkTo")(function* (id: UserId, claims: IdentityClaims) {
      const user = yield* userOf(id, claims)
      yield* link(claims, user)
      return user
    })

    return { complete, linkTo, fail } as const
  })
}) {}
