/**
 * The people whom the SCIM client of an org makes, changes and removes (SPEC §4.26).
 *
 * A person is always a new user, never an existing one by a name or an address: both change hands, and any org could
 * otherwise describe a user of another one. The user belongs to the org alone until the first sign-in.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import { AccessEpoch } from "../access/internal/AccessEpoch.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import type { Permission } from "../access/Permission.js"
import { LastAdmin } from "../membership/Membership.js"
import { MembershipStore, type Slice } from "../membership/MembershipStore.js"
import { Memberships } from "../membership/Memberships.js"
import { type OrgName, ScimId } from "../shared/Identifier.js"
import { IdGenerator } from "../shared/IdGenerator.js"
import { Transaction } from "../shared/Transaction.js"
import { DEFAULTS } from "../sign-in/SignInSettings.js"
import { SignInStore } from "../sign-in/SignInStore.js"
import { TeamStore } from "../team/TeamStore.js"
import * as ScimRefusals from "./internal/ScimRefusals.js"
import type { ScimFilter } from "./ScimFilter.js"
import * as ScimJson from "./ScimJson.js"
import * as ScimPatch from "./ScimPatch.js"
import { ScimNotFound, ScimTaken } from "./ScimProblem.js"
import { ScimStore } from "./ScimStore.js"
import * as ScimUser from "./ScimUser.js"

const WRITE: Permission = "scim.write"

const isLastAdmin = Schema.is(LastAdmin)

/** How many logins are tried for a new user. */
const LOGINS_MAX = 100

/** A person, by the names in a path. */
export interface ScimPath {
  readonly org: OrgName
  readonly id: string
}

interface NewUser {
  readonly access: Access.Granted
  readonly writer: WriteContext.WriteContext
  readonly input: ScimUser.UserInput
}

const notFound = (id: string) => new ScimNotFound({ id })

/** What a membership change needs of a write. */
const changeOf = ({ orgId, org }: Access.Granted, { actor }: WriteContext.WriteContext) => ({
  org: { id: orgId, name: org },
  by: actor,
  source: "scim" as const
})

/** Use cases of the people that a SCIM client describes. */
export class ScimUsers extends Effect.Service<ScimUsers>()("@attestry/core/ScimUsers", {
  effect: Effect.gen(function* () {
    const store = yield* ScimStore
    const memberships = yield* Memberships
    const members = yield* MembershipStore
    const teams = yield* TeamStore
    const transaction = yield* Transaction
    const ids = yield* IdGenerator
    const epoch = yield* AccessEpoch
    const signIn = yield* SignInStore
    const tell = yield* ScimRefusals.make

    const granted = (org: OrgName) =>
      Effect.flatMap(CurrentActor, (actor) => Access.authorize(actor, org, WRITE))

    /** One slice of the people whom a filter lets pass. */
    const list = Effect.fn("ScimUsers.list")(function* (
      org: OrgName,
      filter: ScimFilter,
      slice: Slice
    ) {
      const { orgId } = yield* granted(org)
      return yield* store.list(orgId, filter, slice)
    })

    /** A person. */
    const get = Effect.fn("ScimUsers.get")(function* ({ id, org }: ScimPath) {
      const { orgId } = yield* granted(org)
      return yield* Effect.flatMap(
        store.find({ org: orgId, id: ScimId.make(id) }),
        Either.fromOption(() => notFound(id))
      )
    })

    /** A new user with the first login that is free; the org alone has it. */
    const createUser = ({ access, input, writer }: NewUser) =>
      memberships
        .createNumbered(
          {
            name: ScimUser.loginOf(access.org, input.userName),
            display_name: ScimUser.displayNameOf(input.attributes),
            email: ScimUser.emailOf(input.attributes),
            tries: LOGINS_MAX
          },
          writer
        )
        .pipe(Effect.tap(({ id }) => store.setHome(id, access.orgId)))

    /** Which attribute another person has, of those that must be unique. */
    const takenBy = (user: ScimUser.ScimUser) =>
      Effect.map(
        store.list(user.org_id, [{ attribute: "userName", value: ScimJson.fold(user.user_name) }], {
          offset: 0,
          limit: 1
        }),
        ({ items }) =>
          items.some(({ id }) => id !== user.id)
            ? new ScimTaken({ attribute: "userName", value: user.user_name })
            : new ScimTaken({ attribute: "externalId", value: user.external_id ?? "" })
      )

    const write = <A, E, R>(
      org: OrgName,
      work: (access: Access.Granted, writer: WriteContext.WriteContext) => Effect.Effect<A, E, R>
    ) =>
      Effect.gen(function* () {
        const access = yield* granted(org)
        return yield* transaction
          .run(access.orgId, (scope) =>
            Effect.flatMap(scope.now, (now) => work(access, WriteContext.make(access, now)))
          )
          .pipe(
            Effect.tapError((error) => (isLastAdmin(error) ? tell(access, error) : Effect.void))
          )
      })

    const loginOf = (user: ScimUser.ScimUser) =>
      Effect.map(teams.listAmong(user.org_id, [user.user_id]), ([member]) =>
        Option.fromNullable(member?.login)
      )

    /**
     * Makes a person and the membership; one who is not active is suspended at once. Ends no cached credential, for a
     * new user has none: a first synchronization of thousands would end those of all others again and again.
     */
    const create = Effect.fn("ScimUsers.create")(function* (org: OrgName, body: unknown) {
      const input = yield* Either.flatMap(ScimJson.bodyOf(body), ScimUser.read)
      return yield* write(org, (access, writer) =>
        Effect.gen(function* () {
          const user = yield* createUser({ access, input, writer })
          const made: ScimUser.ScimUser = {
            org_id: access.orgId,
            id: ScimId.make(yield* ids.next),
            user_id: user.id,
            external_id: input.externalId,
            user_name: input.userName,
            active: input.active ?? true,
            attributes: input.attributes,
            created_at: writer.at,
            updated_at: writer.at
          }
          if (!(yield* store.insert(made))) return yield* yield* takenBy(made)
          const change = changeOf(access, writer)
          yield* memberships.joinNew({ ...change, user, role: yield* roleOf(access) }, writer)
          if (!made.active) yield* memberships.suspend({ ...change, login: user.login })
          return made
        })
      )
    })

    /** The base role of people whom the client makes members. */
    const roleOf = ({ orgId }: Access.Granted) =>
      Effect.map(
        signIn.findSettings([orgId]),
        (found) => (found.get(orgId) ?? DEFAULTS).provision_role
      )

    /** Makes the membership of a person what the client wants: active, or suspended. */
    const follow = (
      access: Access.Granted,
      writer: WriteContext.WriteContext,
      { active, ...user }: ScimUser.ScimUser
    ) =>
      Effect.gen(function* () {
        const change = changeOf(access, writer)
        const login = yield* loginOf({ ...user, active })
        if (Option.isSome(login)) {
          const member = { ...change, login: login.value }
          yield* active ? memberships.restore(member) : memberships.suspend(member)
          return
        }
        const person = yield* members.findUserById(user.user_id)
        if (Option.isNone(person)) return
        const role = yield* roleOf(access)
        yield* memberships.join({ ...change, user: person.value, role })
        if (!active) yield* memberships.suspend({ ...change, login: person.value.login })
      })

    /** Changes a person; suspends or restores the membership only where `active` changes. */
    const change = (
      { id, org }: ScimPath,
      revise: (current: ScimUser.ScimUser) => ScimJson.Read<ScimUser.UserInput>
    ) =>
      write(org, (access, writer) =>
        Effect.gen(function* () {
          const key = { org: access.orgId, id: ScimId.make(id) }
          const current = yield* Effect.flatMap(
            store.find(key, { lock: true }),
            Either.fromOption(() => notFound(id))
          )
          const next = ScimUser.revised(current, yield* revise(current), writer.at)
          if (next === current) return { next, isAccess: false }
          if (!(yield* store.update(next))) return yield* yield* takenBy(next)
          const isAccess = next.active !== current.active
          if (isAccess) yield* follow(access, writer, next)
          return { next, isAccess }
        })
      ).pipe(
        Effect.tap(({ isAccess }) => (isAccess ? epoch.advance : Effect.void)),
        Effect.map(({ next }) => next)
      )

    /** Replaces what the client says about a person. */
    const replace = Effect.fn("ScimUsers.replace")((path: ScimPath, body: unknown) =>
      change(path, () => Either.flatMap(ScimJson.bodyOf(body), ScimUser.read))
    )

    /** Applies a patch to what the client says about a person. */
    const patch = Effect.fn("ScimUsers.patch")((path: ScimPath, body: unknown) =>
      Effect.flatMap(ScimPatch.parse(body), (operations) =>
        change(path, (current) =>
          Either.flatMap(ScimPatch.apply(ScimUser.bodyOf(current), operations), ScimUser.read)
        )
      )
    )

    /** Removes a person from the org and from all teams; the user stays, without access to the org. */
    const remove = Effect.fn("ScimUsers.remove")(({ id, org }: ScimPath) =>
      write(org, (access, writer) =>
        Effect.gen(function* () {
          const key = { org: access.orgId, id: ScimId.make(id) }
          const user = yield* Effect.flatMap(
            store.find(key, { lock: true }),
            Either.fromOption(() => notFound(id))
          )
          const login = yield* loginOf(user)
          if (Option.isSome(login))
            yield* memberships.remove({ ...changeOf(access, writer), login: login.value })
          yield* store.remove(key)
        })
      ).pipe(Effect.zipLeft(epoch.advance))
    )

    return { list, get, create, replace, patch, remove } as const
  })
}) {}
