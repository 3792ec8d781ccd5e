/** Finds the actor of a person whom the host has signed in, and makes the user at first sight. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Actor, ActorMembership } from "../access/Actor.js"
import { CredentialLife } from "../access/CredentialLife.js"
import { AccessEpoch } from "../access/internal/AccessEpoch.js"
import * as CredentialCache from "../access/internal/CredentialCache.js"
import type { LoginTaken } from "../membership/Membership.js"
import { Memberships } from "../membership/Memberships.js"
import { OrgStore } from "../org/OrgStore.js"
import { SessionId, type UserId } from "../shared/Identifier.js"
import { StoreError } from "../shared/StoreError.js"
import * as Timestamp from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import { HOST, type HostActor } from "./HostActor.js"
import { Identities } from "./Identities.js"
import type { Subject } from "./Identity.js"
import { DEFAULTS } from "./SignInSettings.js"
import { type Person, SignInStore } from "./SignInStore.js"

/** The most logins that are tried for a new user. */
const LOGINS_MAX = 1_000

/** The issuer of the identities of hosts. */
const ISSUER = "host"

interface FoundPerson extends Person {
  readonly epoch: number
}

const failed = (cause: unknown) => new StoreError({ operation: "HostActors.actorOf", cause })

/** Use case: the people whom a host has signed in. */
export class HostActors extends Effect.Service<HostActors>()("@attestry/core/HostActors", {
  effect: Effect.gen(function* () {
    const store = yield* SignInStore
    const orgs = yield* OrgStore
    const memberships = yield* Memberships
    const identities = yield* Identities
    const transaction = yield* Transaction
    const epoch = yield* AccessEpoch
    const timeToLive = yield* CredentialLife

    const link = (subject: Subject, user: UserId) =>
      identities.link(
        { provider: HOST, subject, issuer: ISSUER, user_id: user },
        { kind: "system", id: HOST, name: HOST }
      )

    /** WHY a login of the subject: it never changes, and names do. */
    const create = ({ subject, name, email }: HostActor) =>
      Effect.gen(function* () {
        const at = Timestamp.fromMillis(yield* Clock.currentTimeMillis)
        const user = yield* memberships.createNumbered(
          { name: `${HOST}:${subject}`, display_name: name, email, tries: LOGINS_MAX },
          { at }
        )
        yield* link(subject, user.id)
        return user.id
      })

    /**
     * The user of a subject, who is made where there is none. WHY within a transaction of any org: a user whose
     * identity another request has linked meanwhile is undone with it.
     */
    const userOf = (person: HostActor) =>
      Effect.gen(function* () {
        const known = yield* store.findIdentity({ provider: HOST, subject: person.subject })
        if (Option.isSome(known)) return known.value.user_id
        const [place] = yield* orgs.list
        return yield* place === undefined
          ? create(person)
          : transaction.run(place.id, () => create(person))
      }).pipe(
        Effect.retry({ times: 1, while: ({ _tag }) => _tag === "IdentityTaken" }),
        Effect.catchTags({
          IdentityTaken: failed,
          LoginTaken: (error: LoginTaken) => failed(error)
        })
      )

    const findPerson = CredentialCache.make(
      (id: UserId) =>
        Effect.gen(function* () {
          const before = epoch.current()
          const found = yield* store.findPerson(id)
          return Option.map(found, (person): FoundPerson => ({ ...person, epoch: before }))
        }),
      { timeToLive, isCurrent: (found) => found.epoch === epoch.current() }
    )

    /** The orgs that the host names; one that does not exist is passed over. */
    const named = (own: NonNullable<HostActor["orgs"]>) =>
      Effect.map(
        Effect.forEach(own, ({ org, role }) =>
          Effect.map(
            orgs.find({ name: org }),
            Option.map(({ id, name }): ActorMembership => ({ org_id: id, org: name, role }))
          )
        ),
        (found) => found.flatMap(Option.toArray)
      )

    /** The memberships of the store, without those of orgs that accept their providers alone. */
    const stored = (user: UserId) =>
      Effect.gen(function* () {
        const person = yield* findPerson(user)
        const own = Option.match(person, {
          onNone: (): ReadonlyArray<ActorMembership> => [],
          onSome: (found) => found.memberships
        })
        if (own.length === 0) return { counted: own, uncounted: own }
        const settings = yield* store.findSettings(own.map(({ org_id }) => org_id))
        const isClosed = ({ org_id }: ActorMembership) => (settings.get(org_id) ?? DEFAULTS).only
        return { counted: own.filter((each) => !isClosed(each)), uncounted: own.filter(isClosed) }
      })

    /** The actor of a person whom the host has signed in. */
    const actorOf = (person: HostActor): Effect.Effect<Actor, StoreError> =>
      Effect.gen(function* () {
        const user = yield* userOf(person)
        const { counted, uncounted } =
          person.orgs === null
            ? yield* stored(user)
            : { counted: yield* named(person.orgs), uncounted: [] }
        return {
          kind: "user",
          id: user,
          name: person.name,
          // WHY no id of a session: the host has one, and limits of requests are for each person.
          key_id: SessionId.make(`${HOST}:${user}`),
          memberships: counted,
          signed_in: { provider: HOST, auth_time: person.authTime },
          ...(uncounted.length === 0
            ? {}
            : { uncounted: uncounted.map(({ org }) => ({ org, sign_in: [] })) })
        }
      })

    return { actorOf } as const
  })
}) {}
