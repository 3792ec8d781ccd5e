/**
 * API keys of `CredentialStore` in memory. The last use of a key is outside of the state: it is not part of a
 * transaction.
 */
import type { Actor, ActorMembership } from "@attestry/core/Actor"
import { type ApiKey, type ApiKeyOwner, isValidAt } from "@attestry/core/ApiKey"
import type {
  Credential,
  CredentialStore,
  OrgKeyFilter,
  OwnedKey
} from "@attestry/core/CredentialStore"
import type { OrgId } from "@attestry/core/Identifier"
import { countsIn } from "@attestry/core/KeyScope"
import { displayName } from "@attestry/core/Membership"
import * as Page from "@attestry/core/Page"
import type { Timestamp } from "@attestry/core/Timestamp"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { memberships, users } from "../membership/MembershipStoreMemory.js"
import { orgs } from "../org/OrgStoreMemory.js"
import { accounts } from "../service-account/ServiceAccountStoreMemory.js"
import * as MemoryRows from "../shared/MemoryRows.js"
import { MemoryState } from "../shared/MemoryState.js"
import { isOwner, keys } from "./ApiKeyTable.js"

type Memberships = ReadonlyArray<Omit<ActorMembership, "org">>

/** The actor of a key. */
const makeActorOf = Effect.gen(function* () {
  const people = yield* MemoryRows.make(users)
  const members = yield* MemoryRows.make(memberships)
  const tenants = yield* MemoryRows.make(orgs)
  const services = yield* MemoryRows.make(accounts)

  const named = (of: Memberships): Effect.Effect<ReadonlyArray<ActorMembership>> =>
    Effect.map(tenants.values, (all) =>
      of.flatMap(({ org_id, role }) => {
        const org = all.find(({ id }) => id === org_id)
        return org === undefined ? [] : [{ org_id, org: org.name, role }]
      })
    )

  const userOf = (id: string): Effect.Effect<Option.Option<Omit<Actor, "key_id">>> =>
    Effect.gen(function* () {
      const person = (yield* people.values).find((user) => user.id === id)
      if (person === undefined) return Option.none()
      const own = (yield* members.values).filter(
        ({ user_id, suspended_at }) => user_id === id && suspended_at === null
      )
      const name = displayName(person)
      return Option.some({ kind: "user", id, name, memberships: yield* named(own) })
    })

  const accountOf = (id: string): Effect.Effect<Option.Option<Omit<Actor, "key_id">>> =>
    Effect.gen(function* () {
      const account = (yield* services.values).find((service) => service.id === id)
      if (account === undefined) return Option.none()
      const own = yield* named([{ org_id: account.org_id, role: account.privilege }])
      return Option.some({ kind: "service-account", id, name: account.name, memberships: own })
    })

  return ({ id, owner }: ApiKey): Effect.Effect<Option.Option<Actor>> =>
    Effect.map(
      owner.kind === "user" ? userOf(owner.user_id) : accountOf(owner.service_account_id),
      Option.map((actor) => ({ ...actor, key_id: id }))
    )
})

const oldestFirst = (left: ApiKey, right: ApiKey) =>
  left.created_at - right.created_at || (left.id < right.id ? -1 : 1)

/** Whether a key passes the conditions of a list. */
const passes = (
  key: ApiKey,
  { accounts, at, unusedSince, endsUntil, isScoped, isEmergency }: OrgKeyFilter
): boolean => {
  const { expires_at, grace_period_expires_at, last_used_at, created_at, owner, scope } = key
  const end = Math.min(expires_at ?? Infinity, grace_period_expires_at ?? Infinity)
  return (
    isValidAt(key, at) &&
    (unusedSince === undefined || (last_used_at ?? created_at) <= unusedSince) &&
    (endsUntil === undefined || end <= endsUntil) &&
    (isScoped === undefined || (scope !== undefined) === isScoped) &&
    (isEmergency === undefined || key.emergency === true) &&
    (accounts === undefined ||
      (owner.kind === "service-account" && accounts.includes(owner.service_account_id)))
  )
}

/** API keys of `CredentialStore` in memory. */
export const make: Effect.Effect<
  Pick<
    CredentialStore["Type"],
    | "findCredential"
    | "insertKey"
    | "listKeys"
    | "listOrgKeys"
    | "findKey"
    | "updateKey"
    | "removeKey"
    | "markKeyUsed"
  >,
  never,
  MemoryState
> = Effect.gen(function* () {
  const state = yield* MemoryState
  const rows = yield* MemoryRows.make(keys)
  const actorOf = yield* makeActorOf
  const used = new Map<string, Timestamp>()

  const members = yield* MemoryRows.make(memberships)
  const people = yield* MemoryRows.make(users)
  const services = yield* MemoryRows.make(accounts)
  const tenants = yield* MemoryRows.make(orgs)

  /** The name of a key's owner in an org; none where the key does not count there. */
  const ownerNameIn = (org: OrgId) =>
    Effect.gen(function* () {
      const joined = (yield* members.values).filter(({ org_id }) => org_id === org)
      const logins = new Map((yield* people.values).map(({ id, login }) => [id, login]))
      const own = (yield* services.values).filter(({ org_id }) => org_id === org)
      const place = (yield* tenants.values).find(({ id }) => id === org)?.name
      const names = new Map<string, string>([
        ...joined.map(({ user_id }) => [user_id, logins.get(user_id) ?? ""] as const),
        ...own.map(({ id, name }) => [id, name] as const)
      ])
      return ({ owner, scope }: ApiKey): Option.Option<string> =>
        place !== undefined && countsIn(scope, place)
          ? Option.fromNullable(
              names.get(owner.kind === "user" ? owner.user_id : owner.service_account_id)
            )
          : Option.none()
    })
  const sessionsAfter = ({ id, kind }: Actor): Effect.Effect<Credential["sessionsAfter"]> =>
    Effect.map(
      members.values,
      (all) =>
        new Map(
          all.flatMap(({ org_id, user_id, suspended_at, sessions_after }) =>
            kind === "user" && user_id === id && suspended_at === null && sessions_after !== null
              ? [[org_id, sessions_after] as const]
              : []
          )
        )
    )
  const belongsTo = (org: OrgId, owner: ApiKeyOwner): Effect.Effect<boolean> =>
    owner.kind === "user"
      ? Effect.map(members.values, (all) =>
          all.some(({ org_id, user_id }) => org_id === org && user_id === owner.user_id)
        )
      : Effect.succeed(owner.org_id === org)

  const withUse = (apiKey: ApiKey): ApiKey => ({
    ...apiKey,
    last_used_at: used.get(apiKey.id) ?? apiKey.last_used_at
  })
  const find = ({ owner, id }: OwnedKey) =>
    Effect.map(rows.find(id), (found) =>
      Option.map(
        Option.filter(found, (apiKey) => isOwner(owner, apiKey)),
        withUse
      )
    )

  return {
    findCredential: (id) =>
      state.transaction((now) =>
        Effect.gen(function* () {
          const apiKey = yield* rows.find(id)
          if (Option.isNone(apiKey)) return Option.none()
          const found = yield* actorOf(apiKey.value)
          if (Option.isNone(found)) return Option.none()
          const actor = found.value
          return Option.some({
            key: withUse(apiKey.value),
            actor,
            now,
            sessionsAfter: yield* sessionsAfter(actor)
          })
        })
      ),
    insertKey: (apiKey) => rows.set(apiKey.id, apiKey),
    listKeys: (org, owner, at) =>
      Effect.gen(function* () {
        if (!(yield* belongsTo(org, owner))) return []
        return (yield* rows.values)
          .filter((apiKey) => isOwner(owner, apiKey) && isValidAt(apiKey, at))
          .sort(oldestFirst)
          .map(withUse)
      }),
    listOrgKeys: (org, filter, page) =>
      Effect.gen(function* () {
        const nameOf = yield* ownerNameIn(org)
        const found = (yield* rows.values)
          .map(withUse)
          .filter((apiKey) => passes(apiKey, filter))
          .sort(oldestFirst)
          .flatMap((key) =>
            Option.toArray(Option.map(nameOf(key), (ownerName) => ({ key, ownerName })))
          )
        return Page.slice(found, page)
      }),
    findKey: find,
    updateKey: ({ id, revoked_at, grace_period_expires_at }) =>
      Effect.flatMap(
        rows.find(id),
        Option.match({
          onNone: () => Effect.void,
          onSome: (apiKey) => rows.set(id, { ...apiKey, revoked_at, grace_period_expires_at })
        })
      ),
    removeKey: (owned) =>
      Effect.flatMap(
        find(owned),
        Option.match({ onNone: () => Effect.void, onSome: ({ id }) => rows.remove(id) })
      ),
    markKeyUsed: (id, at) =>
      Effect.sync(() => {
        used.set(id, at)
      })
  }
})
