/**
 * Keys that people make, list and revoke themselves.
 *
 * A key has no more than the credential that made it: it lies within its scope, and counts in no org in which it does
 * not count. The journal of the first org in which a key counts records it. DECISIONS.md, "Keys that narrow"
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Access from "../access/Access.js"
import { type Actor, type ActorMembership, CurrentActor } from "../access/Actor.js"
import * as Gifts from "../access/Gifts.js"
import { AccessEpoch } from "../access/internal/AccessEpoch.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import * as KeyScope from "../access/KeyScope.js"
import * as Reach from "../access/Reach.js"
import { Reaches } from "../access/Reaches.js"
import { MembershipStore } from "../membership/MembershipStore.js"
import * as CurrentOutcome from "../shared/CurrentOutcome.js"
import { withInput } from "../shared/FieldErrors.js"
import { type ApiKeyId, type OrgName, UserId } from "../shared/Identifier.js"
import * as Timestamp from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import { SignInStore } from "../sign-in/SignInStore.js"
import * as ApiKey from "./ApiKey.js"
import { ApiKeys } from "./ApiKeys.js"
import { CredentialStore } from "./CredentialStore.js"
import * as KeyMinting from "./internal/KeyMinting.js"
import * as ScopePlaces from "./internal/ScopePlaces.js"

const DAY_SECONDS = 86_400

/** A key that a person makes. */
export interface CreatePersonalKey {
  readonly description: string
  /** `null` is never. */
  readonly expiresAt: Timestamp.Timestamp | null
  /** Absent leaves all that the credential of the caller has. */
  readonly scope?: KeyScope.KeyScope | undefined
  /** The org for whose emergencies the key is, in which alone it counts. */
  readonly emergency?: OrgName | undefined
}

type Memberships = ReadonlyArray<ActorMembership>

/** Refuses orgs in which the caller's credential does not count. */
const checkOrgs = ({ memberships }: Actor, scope: KeyScope.KeyScope | undefined) => {
  const unknown = (scope?.orgs ?? []).flatMap((name, index) =>
    memberships.some(({ org }) => org === name)
      ? []
      : [[`scope.orgs[${index}]`, withInput("You have no access to this org here", name)] as const]
  )
  return unknown.length === 0
    ? Effect.void
    : new KeyScope.InvalidKeyScope({ problems: Object.fromEntries(unknown) })
}

/**
 * The scope of a key of the caller: where the credential of the caller does not count in all orgs of the person,
 * the key counts in those alone in which it does.
 */
const within = (
  actor: Actor,
  scope: KeyScope.KeyScope | undefined,
  all: Memberships
): KeyScope.KeyScope | undefined => {
  const counted = actor.memberships.map(({ org }) => org)
  const isWhole = actor.scope?.orgs === undefined && all.every(({ org }) => counted.includes(org))
  return isWhole || scope?.orgs !== undefined ? scope : { ...scope, orgs: counted }
}

/** The scope of a key for the emergencies of an org, which counts in that org alone. */
const withinOrg = (
  scope: KeyScope.KeyScope | undefined,
  org: OrgName
): Either.Either<KeyScope.KeyScope, KeyScope.InvalidKeyScope> =>
  scope?.orgs === undefined
    ? Either.right({ ...scope, orgs: [org] })
    : Either.left(
        new KeyScope.InvalidKeyScope({
          problems: { "scope.orgs": "A key for emergencies counts in that org alone: leave it out" }
        })
      )

/** The one org in which a key that names places counts. */
const orgOfPlaces = (
  scope: KeyScope.KeyScope,
  orgs: Memberships
): Either.Either<ActorMembership, KeyScope.InvalidKeyScope> => {
  const counted = orgs.filter(({ org }) => KeyScope.countsIn(scope, org))
  const [first] = counted
  return first !== undefined && counted.length === 1
    ? Either.right(first)
    : Either.left(
        new KeyScope.InvalidKeyScope({
          problems: { "scope.orgs": "A key that names places counts in one org: name it" }
        })
      )
}

/** Use cases of the keys of the caller. */
export class PersonalKeys extends Effect.Service<PersonalKeys>()("@attestry/core/PersonalKeys", {
  effect: Effect.gen(function* () {
    const store = yield* CredentialStore
    const signIns = yield* SignInStore
    const members = yield* MembershipStore
    const keys = yield* ApiKeys
    const transaction = yield* Transaction
    const epoch = yield* AccessEpoch
    const { mint, record } = yield* KeyMinting.make
    const { named, resolve } = yield* ScopePlaces.make
    const reaches = yield* Reaches

    const membershipsOf = (user: UserId) =>
      Effect.map(
        signIns.findPerson(user),
        Option.match({ onNone: (): Memberships => [], onSome: ({ memberships }) => memberships })
      )

    /** Refuses an end after what the orgs of a key allow. */
    const checkEnd = (
      orgs: Memberships,
      expiresAt: Timestamp.Timestamp | null,
      now: Timestamp.Timestamp
    ) =>
      Effect.gen(function* () {
        const settings = yield* signIns.findSettings(orgs.map(({ org_id }) => org_id))
        for (const { org, org_id } of orgs) {
          const days = settings.get(org_id)?.key_max_days ?? null
          if (days === null) continue
          const latest = Timestamp.plusSeconds(now, days * DAY_SECONDS)
          if (expiresAt === null || expiresAt > latest)
            return yield* new ApiKey.ExpiryTooLate({ org, days })
        }
      })

    /** Refuses one more key for emergencies where as many work as there may be. The admins stay locked. */
    const checkEmergency = ({ org, org_id }: ActorMembership, at: Timestamp.Timestamp) =>
      Effect.gen(function* () {
        yield* members.lockAdmins(org_id)
        const page = { page: 1, perPage: 1 }
        const { total } = yield* store.listOrgKeys(org_id, { at, isEmergency: true }, page)
        if (total >= ApiKey.EMERGENCY_KEYS_MAX)
          return yield* new ApiKey.TooManyEmergencyKeys({ org })
      })

    /** The scope of the new key. A key for emergencies is of those who may set how people sign in. */
    const scopeOf = (
      actor: Actor,
      { scope: given, emergency }: Pick<CreatePersonalKey, "scope" | "emergency">,
      all: Memberships
    ) =>
      Effect.gen(function* () {
        const asked = yield* KeyScope.read(given)
        if (emergency !== undefined) {
          yield* Access.authorize(actor, emergency, "sign-in.write")
          return yield* withinOrg(asked, emergency)
        }
        yield* checkOrgs(actor, asked)
        return within(actor, asked, all)
      })

    /** The scope with the ids of the places that it names, and with the one org in which they are. */
    const placed = (actor: Actor, scope: KeyScope.KeyScope | undefined) =>
      Effect.gen(function* () {
        if (scope === undefined || !KeyScope.namesPlaces(scope)) return scope
        const { org, org_id: orgId } = yield* orgOfPlaces(scope, actor.memberships)
        const unread = { orgId, readable: Reach.nothing }
        const granted = yield* reaches
          .authorize(org, "org.read")
          .pipe(Effect.catchTag("AccessDenied", () => Effect.succeed(unread)))
        const asked = { scope: { ...scope, orgs: [org] }, at: "scope" }
        const now = Timestamp.fromMillis(yield* Clock.currentTimeMillis)
        return yield* resolve(granted, asked, { now })
      })

    /** The keys with the names of the places of their scopes. */
    const shown = (all: Memberships, made: ReadonlyArray<ApiKey.ApiKey>) =>
      Effect.forEach(made, (key) => {
        const place = all.find(({ org }) => KeyScope.countsIn(key.scope, org))
        return place === undefined || !KeyScope.namesPlaces(key.scope)
          ? Effect.succeed(key)
          : Effect.map(named(place.org_id, [key]), ([found]) => found ?? key)
      })

    /** The caller with the key of its credential, as `ApiKeys.whoami`, with the names of the places of its scope. */
    const whoami = Effect.fn("PersonalKeys.whoami")(function* () {
      const { actor, key } = yield* keys.whoami()
      if (key === null) return { actor, key }
      const [named = key] = yield* shown(actor.memberships, [key])
      return { actor, key: named }
    })

    /** Creates a key of the caller. Its text is in the result and is not stored. */
    const create = Effect.fn("PersonalKeys.create")(function* ({
      description,
      expiresAt,
      ...given
    }: CreatePersonalKey) {
      const actor = yield* CurrentActor
      if (actor.kind !== "user")
        return yield* new ApiKey.PersonalKeyRefused({ reason: "not-a-person" })
      const user = UserId.make(actor.id)
      const all = yield* membershipsOf(user)
      const scope = yield* placed(actor, yield* scopeOf(actor, given, all))
      yield* Gifts.checkScope(actor, scope)
      // WHY also of the store: a key opens no membership that the host of an embedded Attestry says alone.
      const orgs = actor.memberships.filter(
        ({ org, org_id }) =>
          KeyScope.countsIn(scope, org) && all.some((each) => each.org_id === org_id)
      )
      const [first] = orgs
      if (first === undefined) return yield* new ApiKey.PersonalKeyRefused({ reason: "no-org" })
      return yield* transaction
        .run(first.org_id, (tx) =>
          Effect.gen(function* () {
            const at = yield* tx.now
            yield* checkEnd(orgs, expiresAt, at)
            const isEmergency = given.emergency !== undefined
            if (isEmergency) yield* checkEmergency(first, at)
            const owner = { kind: "user", user_id: user } as const
            const made = yield* mint({ owner, description, expiresAt, scope, isEmergency }, at)
            const by = WriteContext.actorOf(actor)
            yield* record({ org: first.org_id, actor: by, at }, "api_key_issued", made.key)
            const [key = made.key] = yield* shown(orgs, [made.key])
            return { ...made, key }
          })
        )
        .pipe(Effect.zipLeft(epoch.advance))
    })

    /** The keys of the caller that are valid now, oldest first; a service account has none of its own. */
    const list = Effect.fn("PersonalKeys.list")(function* () {
      const { kind, id } = yield* CurrentActor
      if (kind !== "user") return []
      const user = UserId.make(id)
      const all = yield* membershipsOf(user)
      const [first] = all
      return first === undefined
        ? []
        : yield* shown(all, yield* keys.listPersonal(first.org_id, user))
    })

    /** Revokes a key of the caller at once. A key that has a scope revokes itself alone. */
    const revoke = Effect.fn("PersonalKeys.revoke")(function* (id: ApiKeyId) {
      const actor = yield* CurrentActor
      if (actor.kind !== "user") return yield* new ApiKey.ApiKeyNotFound({ id })
      if (actor.key_id !== id) yield* Gifts.checkOwnChange(actor, "revoking another key")
      const user = UserId.make(actor.id)
      const owned = { owner: { kind: "user", user_id: user }, id } as const
      const found = yield* store.findKey(owned)
      if (Option.isNone(found)) return yield* new ApiKey.ApiKeyNotFound({ id })
      const all = yield* membershipsOf(user)
      const place = all.find(({ org }) => KeyScope.countsIn(found.value.scope, org)) ?? all[0]
      const org = place?.org_id ?? null
      yield* keys.revoke({ ...owned, org, by: WriteContext.actorOf(actor) })
      yield* CurrentOutcome.setOutcome({ type: "api-key", id, name: null, result: "deleted" })
    })

    return { create, list, revoke, whoami } as const
  })
}) {}
