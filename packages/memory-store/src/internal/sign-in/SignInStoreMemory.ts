/** `SignInStore` in memory. */
import type { OrgId } from "@attestry/core/Identifier"
import type { UserIdentity } from "@attestry/core/Identity"
import { asciiLower } from "@attestry/core/IdentityClaims"
import { isOfPerson } from "@attestry/core/Session"
import { RETENTION_SECONDS, type SignIn } from "@attestry/core/SignIn"
import type { SignInSettings } from "@attestry/core/SignInSettings"
import { SignInStore } from "@attestry/core/SignInStore"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { memberships, users } from "../membership/MembershipStoreMemory.js"
import { orgs } from "../org/OrgStoreMemory.js"
import { homes } from "../scim/ScimStoreMemory.js"
import { sessions } from "../session/SessionsMemory.js"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, MemoryState, table } from "../shared/MemoryState.js"

const identities = table<UserIdentity>("user_identity")
const settings = table<{ readonly org_id: OrgId; readonly settings: SignInSettings }>(
  "sign_in_setting"
)
const attempts = table<SignIn>("sign_in")

const MINUTE_MICROS = 60_000_000

/** The key of attempts that are alike. */
const placeOf = ({ provider, outcome, user_id, subject, at }: SignIn): string =>
  key(provider, outcome, user_id ?? "", subject ?? "", Math.floor(at / MINUTE_MICROS))

const byText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

const newestFirst = (left: SignIn, right: SignIn): number =>
  right.at - left.at || byText(placeOf(left), placeOf(right))

/** Identities and users, across orgs. */
const makePeople: Effect.Effect<
  Pick<
    SignInStore["Type"],
    | "findIdentity"
    | "listIdentities"
    | "insertIdentity"
    | "removeIdentity"
    | "findByAddress"
    | "findPerson"
  >,
  never,
  MemoryState
> = Effect.gen(function* () {
  const state = yield* MemoryState
  const linked = yield* MemoryRows.make(identities)
  const people = yield* MemoryRows.make(users)
  const members = yield* MemoryRows.make(memberships)
  const tenants = yield* MemoryRows.make(orgs)
  const homed = yield* MemoryRows.make(homes)
  return {
    findIdentity: ({ provider, subject }) => linked.find(key(provider, subject)),
    listIdentities: (user) =>
      Effect.map(linked.values, (all) =>
        all
          .filter(({ user_id }) => user_id === user)
          .sort((left, right) => byText(left.provider, right.provider))
      ),
    insertIdentity: (draft) =>
      state.transaction((now) =>
        state.modify(identities, (rows) => {
          const identity: UserIdentity = { ...draft, linked_at: now }
          const { provider, subject, user_id } = draft
          const isTaken =
            HashMap.has(rows, key(provider, subject)) ||
            HashMap.some(rows, (row) => row.user_id === user_id && row.provider === provider)
          return isTaken
            ? [Option.none(), rows]
            : [Option.some(identity), HashMap.set(rows, key(provider, subject), identity)]
        })
      ),
    removeIdentity: (user, provider) =>
      state.transaction(() =>
        Effect.gen(function* () {
          const found = (yield* linked.values).find(
            (row) => row.user_id === user && row.provider === provider
          )
          if (found === undefined) return false
          yield* linked.remove(key(provider, found.subject))
          yield* state.modify(sessions, (rows) => [
            undefined,
            HashMap.filter(
              rows,
              (row) => !isOfPerson(row) || row.user_id !== user || row.provider !== provider
            )
          ])
          return true
        })
      ),
    findByAddress: (email) =>
      Effect.gen(function* () {
        const wanted = asciiLower(email)
        const isLinked = new Set((yield* linked.values).map(({ user_id }) => user_id))
        const admins = new Set(
          (yield* members.values)
            .filter(({ role }) => role === "admin")
            .map(({ user_id }) => user_id)
        )
        const alike = (yield* people.values).filter(
          ({ email }) => email !== null && asciiLower(email) === wanted
        )
        const free = yield* Effect.filter(alike, ({ id }) =>
          Effect.map(homed.find(id), Option.isNone)
        )
        return free
          .sort((left, right) => byText(left.id, right.id))
          .slice(0, 2)
          .map(({ id }) => ({ user: id, isLinked: isLinked.has(id), isAdmin: admins.has(id) }))
      }),
    findPerson: (id) =>
      Effect.gen(function* () {
        const user = (yield* people.values).find((each) => each.id === id)
        if (user === undefined) return Option.none()
        const named = yield* tenants.values
        const own = (yield* members.values)
          .filter(({ user_id, suspended_at }) => user_id === id && suspended_at === null)
          .sort((one, two) => one.created_at - two.created_at || byText(one.org_id, two.org_id))
        return Option.some({
          user,
          memberships: own.flatMap(({ org_id, role }) => {
            const org = named.find((each) => each.id === org_id)
            return org === undefined ? [] : [{ org_id, org: org.name, role }]
          }),
          sessionsAfter: new Map(
            own.flatMap(({ org_id, sessions_after }) =>
              sessions_after === null ? [] : [[org_id, sessions_after] as const]
            )
          )
        })
      })
  }
})

/** `SignInStore` in memory. */
export const layer: Layer.Layer<SignInStore, never, MemoryState> = Layer.effect(
  SignInStore,
  Effect.gen(function* () {
    const state = yield* MemoryState
    const set = yield* MemoryRows.make(settings)
    const tenants = yield* MemoryRows.make(orgs)
    const members = yield* MemoryRows.make(memberships)
    const people = yield* MemoryRows.make(users)
    const tried = yield* MemoryRows.make(attempts)
    return SignInStore.of({
      ...(yield* makePeople),
      findSettings: (wanted) =>
        Effect.map(
          set.values,
          (all) =>
            new Map(
              all
                .filter(({ org_id }) => wanted.includes(org_id))
                .map((row) => [row.org_id, row.settings])
            )
        ),
      putSettings: (org, next) => set.set(org, { org_id: org, settings: next }),
      listJoining: (provider) =>
        Effect.zipWith(set.values, tenants.values, (all, named) =>
          all
            .filter((row) => row.settings.join.some((rule) => rule.provider === provider))
            .flatMap((row) => {
              const org = named.find(({ id }) => id === row.org_id)
              return org === undefined ? [] : [{ org, settings: row.settings }]
            })
            .sort((left, right) => byText(left.org.name, right.org.name))
        ),
      insertSignIn: (draft) =>
        state.transaction((now) => {
          const attempt: SignIn = { ...draft, at: now }
          const oldest = Timestamp.plusSeconds(now, -RETENTION_SECONDS)
          return state.modify(attempts, (rows) => {
            const left = HashMap.filter(rows, ({ at }) => at >= oldest)
            return HashMap.has(left, placeOf(attempt))
              ? [false, left]
              : [true, HashMap.set(left, placeOf(attempt), attempt)]
          })
        }),
      listSignIns: (org, { providers }, { offset, limit }) =>
        Effect.gen(function* () {
          const logins = new Map((yield* people.values).map(({ id, login }) => [id, login]))
          const own = new Set(
            (yield* members.values)
              .filter(({ org_id }) => org_id === org)
              .map(({ user_id }) => user_id)
          )
          const found = (yield* tried.values)
            .filter(({ user_id, provider }) =>
              user_id === null ? providers.includes(provider) : own.has(user_id)
            )
            .sort(newestFirst)
          const items = found.slice(offset, offset + limit).map((attempt) => ({
            ...attempt,
            login: attempt.user_id === null ? null : (logins.get(attempt.user_id) ?? null)
          }))
          return { items, total: found.length }
        })
    })
  })
)
