/**
 * AC-5: no sequence of operations by a subject gives anybody a permission at a place that the subject did not hold.
 *
 * The subject gives grants and base roles, makes and changes service accounts, and makes keys and rules for id tokens;
 * what it has made for itself it goes on with. After each attempt everybody's access is compared with that before.
 */
import type { Actor } from "@attestry/core/Actor"
import { ApiKeys } from "@attestry/core/ApiKeys"
import { Grants } from "@attestry/core/Grants"
import type { ApiKeyId } from "@attestry/core/Identifier"
import { ServiceAccountName, type SpaceId, TeamName } from "@attestry/core/Identifier"
import type { IdentityRule } from "@attestry/core/IdentityRule"
import { IdentityRules } from "@attestry/core/IdentityRules"
import type { KeyScope } from "@attestry/core/KeyScope"
import { Memberships } from "@attestry/core/Memberships"
import { OrgMembers } from "@attestry/core/OrgMembers"
import type { Permission } from "@attestry/core/Permission"
import { PersonalKeys } from "@attestry/core/PersonalKeys"
import * as Reach from "@attestry/core/Reach"
import { Reaches } from "@attestry/core/Reaches"
import { BaseRole, Role } from "@attestry/core/Role"
import { ServiceAccountKeys } from "@attestry/core/ServiceAccountKeys"
import { ServiceAccountStore } from "@attestry/core/ServiceAccountStore"
import { ServiceAccounts } from "@attestry/core/ServiceAccounts"
import { rootOf } from "@attestry/core/Space"
import { Spaces } from "@attestry/core/Spaces"
import { Teams } from "@attestry/core/Teams"
import { WorkloadIdentityStore } from "@attestry/core/WorkloadIdentityStore"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { SuiteIt } from "../Suite.js"
import { as, by, services, type World, world } from "./PeopleWorld.js"

/** Permissions of each role, and those by which more is given. */
const ASKED: ReadonlyArray<Permission> = [
  "org.read",
  "environment.report",
  "service-account.manage",
  "flow.write",
  "grant.write",
  "identity-rule.write",
  "membership.write"
]

const PATHS = ["/", "a", "a/b", "c"] as const
const ACCOUNTS = ["robot-root", "robot-a", "robot-new"] as const
const TEAM = TeamName.make("pay")

const SCOPES: ReadonlyArray<KeyScope | undefined> = [
  undefined,
  { permissions: ["org.read", "grant.write", "service-account.manage"] },
  { permissions: ["org.read", "identity-rule.write", "service-account.manage"], spaces: ["a"] },
  { spaces: ["a"] },
  { spaces: ["a/b", "c"] },
  { permissions: ["org.read", "service-account.create", "environment.report"] }
]

const path = FastCheck.constantFrom(...PATHS)
const account = FastCheck.constantFrom(...ACCOUNTS)
const scope = FastCheck.constantFrom(...SCOPES)
const role = FastCheck.constantFrom(...Role.literals)
const baseRole = FastCheck.constantFrom(...BaseRole.literals)
const whom = FastCheck.constantFrom("pat", "sam", "team", "everyone", ...ACCOUNTS)

/** What can be tried. */
type Does =
  | { readonly grant: string; readonly path: string; readonly role: Role }
  | { readonly member: string; readonly baseRole: BaseRole }
  | { readonly create: string; readonly baseRole: BaseRole; readonly path: string }
  | { readonly update: string; readonly baseRole: BaseRole }
  | { readonly key: string; readonly scope: KeyScope | undefined }
  | { readonly rotate: string }
  | { readonly rule: string; readonly scope: KeyScope | undefined }
  | { readonly personal: KeyScope | undefined }

/** What the subject tries; `turn` chooses the credential by which, among those that it has. */
const attempt: FastCheck.Arbitrary<Attempt> = FastCheck.record({
  turn: FastCheck.nat(7),
  does: FastCheck.oneof(
    { weight: 3, arbitrary: FastCheck.record({ grant: whom, path, role }) },
    {
      weight: 1,
      arbitrary: FastCheck.record({ member: FastCheck.constantFrom("pat", "sam"), baseRole })
    },
    { weight: 2, arbitrary: FastCheck.record({ create: account, baseRole, path }) },
    { weight: 2, arbitrary: FastCheck.record({ update: account, baseRole }) },
    { weight: 3, arbitrary: FastCheck.record({ key: account, scope }) },
    { weight: 2, arbitrary: FastCheck.record({ rotate: account }) },
    { weight: 2, arbitrary: FastCheck.record({ rule: account, scope }) },
    { weight: 2, arbitrary: FastCheck.record({ personal: scope }) }
  )
})

const history: FastCheck.Arbitrary<History> = FastCheck.record({
  base: FastCheck.constantFrom<BaseRole>("none", "reader", "snapshotter", "member", "admin"),
  given: FastCheck.array(FastCheck.record({ path, role }), { maxLength: 2 }),
  scope,
  attempts: FastCheck.array(attempt, { minLength: 4, maxLength: 12 })
})

/** One attempt. */
interface Attempt {
  readonly turn: number
  readonly does: Does
}

/** A subject with its roles and the scope of its key, and what it tries. */
interface History {
  readonly base: BaseRole
  readonly given: ReadonlyArray<{ readonly path: string; readonly role: Role }>
  readonly scope: KeyScope | undefined
  readonly attempts: ReadonlyArray<Attempt>
}

const ruleOf = (given: KeyScope | undefined): IdentityRule => ({
  issuer: "https://issuer.example.com",
  audience: "attestry",
  subject: "repo:acme/shop",
  claims: {},
  lifetime: 900,
  single_use: false,
  ...(given === undefined ? {} : { scope: given })
})

/** A credential, by which anybody may act. */
interface Credential {
  readonly key: Redacted.Redacted
  /** What is left of it besides what its key leaves. */
  readonly scope?: KeyScope
}

/** A key that the subject has: its own, or one of an account. */
interface Own {
  readonly key: Redacted.Redacted
  readonly of: "pat" | { readonly account: string; readonly id: ApiKeyId }
}

const accountNamed = (name: string) => ServiceAccountName.make(name)

/** Two people of whom one is the subject, a team of the other, and two accounts, one with roles in two spaces alone. */
const scene = ({ base, given, scope: narrowed }: History) =>
  Effect.gen(function* () {
    const of = yield* world
    const { admin, loginOf, org, people } = of
    const everybody = new Map<string, Credential>()
    for (const short of ["pat", "sam"]) {
      const added = { org, login: loginOf(short), by, source: "script" } as const
      const role = short === "pat" ? base : "none"
      const { id } = yield* (yield* Memberships).add({ ...added, role, ...people })
      const wanted = { org: org.id, user: id, by, description: "k", lifetimeSeconds: null }
      everybody.set(short, { key: (yield* (yield* ApiKeys).issue(wanted)).key })
    }
    const spaces = new Map<string, SpaceId>([["/", rootOf(org.id)]])
    yield* Effect.gen(function* () {
      for (const each of PATHS.slice(1))
        spaces.set(each, (yield* (yield* Spaces).create(org.name, each, "")).space.id)
      yield* (yield* Teams).put({ org: org.name, team: TEAM }, "")
      yield* (yield* Teams).addMember({ org: org.name, team: TEAM, login: loginOf("sam") })
    }).pipe(as(admin))
    const all: Scene = { ...of, spaces, everybody, own: [] }
    for (const [name, baseRole, place] of [
      ["robot-root", "member", "/"],
      ["robot-a", "none", "a"]
    ] as const) {
      yield* perform(all, { create: name, baseRole, path: place }).pipe(as(admin))
      all.everybody.set(name, { key: yield* keyOf(all, name) })
    }
    const grants = ["a", "c"].map((path) => ({ grant: "robot-a", path, role: "member" as const }))
    for (const each of [...grants, ...given.map((one) => ({ grant: "pat", ...one }))])
      yield* perform(all, each).pipe(as(admin))
    const first = all.everybody.get("pat")
    if (first === undefined) throw new Error("the subject has no key")
    // A scope that names what the subject does not read is refused: the key without one acts then.
    const made = yield* perform(all, { personal: narrowed }).pipe(
      as(yield* (yield* ApiKeys).authenticate(first.key)),
      Effect.option
    )
    all.own.push(Option.getOrUndefined(made) ?? { key: first.key, of: "pat" })
    return all
  })

interface Scene extends World {
  readonly spaces: ReadonlyMap<string, SpaceId>
  /** What everybody can act by. */
  readonly everybody: Map<string, Credential>
  readonly own: Array<Own>
}

/** A key with all that an account has, of an admin. */
const keyOf = ({ admin, org }: Scene, name: string) =>
  Effect.flatMap(ServiceAccountKeys, (keys) =>
    keys.create(
      { org: org.name, name: accountNamed(name) },
      { description: "full", expiresAt: null }
    )
  ).pipe(
    as(admin),
    Effect.map(({ text }) => text)
  )

const subjectOf = ({ loginOf }: Scene, name: string) => {
  if (name === "team") return { kind: "team", name: TEAM } as const
  if (name === "everyone") return { kind: "everyone", name: "" } as const
  return name.startsWith("robot")
    ? ({ kind: "service-account", name } as const)
    : ({ kind: "user", name: loginOf(name) } as const)
}

/** Tries it; a key that the caller gets by it. */
const perform = (of: Scene, does: Does) =>
  Effect.gen(function* () {
    const { name: org } = of.org
    const accounts = yield* ServiceAccounts
    const keys = yield* ServiceAccountKeys
    if ("grant" in does) {
      const { grant, path: space, role } = does
      const subject = subjectOf(of, grant)
      const given = { subject, space, role, eligible: false, expiresAt: null, reason: "" }
      yield* (yield* Grants).give(org, given)
    } else if ("member" in does)
      yield* (yield* OrgMembers).put({ org, login: of.loginOf(does.member) }, does.baseRole)
    else if ("create" in does)
      yield* accounts.create(org, {
        name: accountNamed(does.create),
        privilege: does.baseRole,
        space: does.path
      })
    else if ("update" in does)
      yield* accounts.update(org, accountNamed(does.update), { privilege: does.baseRole })
    else if ("rule" in does)
      yield* (yield* IdentityRules).replace({ org, name: accountNamed(does.rule) }, [
        ruleOf(does.scope)
      ])
    else if ("key" in does) {
      const wanted = { description: "k", expiresAt: null, scope: does.scope }
      const { key, text } = yield* keys.create({ org, name: accountNamed(does.key) }, wanted)
      return { key: text, of: { account: does.key, id: key.id } } satisfies Own
    } else if ("rotate" in does) {
      const path = { org, name: accountNamed(does.rotate) }
      const [old] = yield* keys.list(path)
      if (old === undefined) return undefined
      const wanted = { graceHours: 1, expiresAt: null }
      const { key, text } = yield* keys.rotate({ ...path, id: old.id }, wanted)
      return { key: text, of: { account: does.rotate, id: key.id } } satisfies Own
    } else {
      const wanted = { description: "own", expiresAt: null, scope: does.personal }
      const { text } = yield* (yield* PersonalKeys).create(wanted)
      return { key: text, of: "pat" } satisfies Own
    }
    return undefined
  })

/** Each permission at each place that a caller has. */
const heldBy = (of: Scene, actor: Actor) =>
  Effect.gen(function* () {
    const reaches = yield* Reaches
    const held = new Set<string>()
    for (const permission of ASKED) {
      const found = yield* Effect.option(reaches.authorize(of.org.name, permission))
      if (Option.isNone(found)) continue
      for (const [place, id] of of.spaces)
        if (Reach.holds(found.value.reach, id)) held.add(`${permission} ${place}`)
    }
    return held
  }).pipe(as(actor))

/** What a credential gives now; nothing where it has ended. */
const heldByCredential = (of: Scene, { key, scope }: Credential) =>
  Effect.gen(function* () {
    const actor = yield* Effect.option((yield* ApiKeys).authenticate(key))
    if (Option.isNone(actor)) return new Set<string>()
    return yield* heldBy(of, scope === undefined ? actor.value : { ...actor.value, scope })
  })

type Everybodys = ReadonlyMap<string, ReadonlySet<string>>

/** What everybody has, by the name of the credential. */
const everybodysOf = (of: Scene) =>
  Effect.gen(function* () {
    const found = new Map<string, ReadonlySet<string>>()
    for (const [name, credential] of of.everybody)
      found.set(name, yield* heldByCredential(of, credential))
    for (const [index, credential] of of.own.entries())
      found.set(`own ${index}`, yield* heldByCredential(of, credential))
    for (const name of ACCOUNTS) {
      const full = of.everybody.get(name)
      const account = yield* (yield* ServiceAccountStore).findByName({
        org: of.org.id,
        name: accountNamed(name)
      })
      if (full === undefined || Option.isNone(account)) continue
      for (const { scope } of yield* (yield* WorkloadIdentityStore).listRules(account.value))
        found.set(
          `rule of ${name} ${JSON.stringify(scope)}`,
          yield* heldByCredential(of, scope === undefined ? full : { ...full, scope })
        )
    }
    return found
  })

/** What an attempt has brought. */
interface Gained {
  readonly isDone: boolean
  /** What anybody has gained beyond what the caller had. */
  readonly beyond: ReadonlyArray<string>
  readonly gains: number
  readonly after: Everybodys
}

/** Performs an attempt, and what anybody has gained by it beyond what the caller had. */
const gainedBy = (of: Scene, { does, turn }: Attempt, before: Everybodys) =>
  Effect.gen(function* () {
    const chosen = of.own[turn % of.own.length]
    const none: Gained = { isDone: false, beyond: [], gains: 0, after: before }
    if (chosen === undefined) return none
    const actor = yield* Effect.option((yield* ApiKeys).authenticate(chosen.key))
    if (Option.isNone(actor)) return none
    const own = yield* heldBy(of, actor.value)
    const done = yield* Effect.either(perform(of, does).pipe(as(actor.value)))
    if (done._tag === "Right" && done.right !== undefined) of.own.push(done.right)
    if (done._tag === "Right" && "create" in does)
      of.everybody.set(does.create, { key: yield* keyOf(of, does.create) })
    const beyond: Array<string> = []
    let gains = 0
    const after = yield* everybodysOf(of)
    for (const [name, held] of after)
      for (const pair of held)
        if (before.get(name)?.has(pair) !== true) {
          gains += 1
          if (!own.has(pair)) beyond.push(`${name}: ${pair}`)
        }
    return { isDone: done._tag === "Right", beyond, gains, after } satisfies Gained
  })

/** What an admin of a space tries, and whether it is done. */
const KNOWN_ATTEMPTS: ReadonlyArray<readonly [does: Does, isDone: boolean]> = [
  [{ grant: "sam", path: "a/b", role: "member" }, true],
  [{ grant: "sam", path: "/", role: "reader" }, false],
  [{ create: "robot-new", baseRole: "reader", path: "a" }, false],
  [{ create: "robot-new", baseRole: "none", path: "a" }, true],
  [{ update: "robot-new", baseRole: "reader" }, false],
  [{ grant: "robot-new", path: "a", role: "member" }, true],
  [{ key: "robot-new", scope: undefined }, true],
  [{ rule: "robot-new", scope: undefined }, true],
  // It is in the space, and has a role in another one.
  [{ key: "robot-a", scope: undefined }, false],
  [{ rule: "robot-a", scope: undefined }, false],
  [{ rotate: "robot-a" }, false],
  [{ key: "robot-root", scope: undefined }, false]
]

const KNOWN: History = {
  base: "none",
  given: [{ path: "a", role: "admin" }],
  scope: undefined,
  attempts: KNOWN_ATTEMPTS.map(([does]) => ({ turn: 0, does }))
}

/** The law of what a subject can give. */
export const accessGainLaws = (it: SuiteIt, runs: number) => {
  it.effect("AC-5: no sequence of operations gives anybody more than their subject has", () =>
    Effect.gen(function* () {
      for (const each of [KNOWN, ...FastCheck.sample(history, runs)]) {
        const of = yield* scene(each)
        let everybodys: Everybodys = yield* everybodysOf(of)
        const done: Array<boolean> = []
        let gained = 0
        for (const one of each.attempts) {
          const { after, beyond, gains, isDone } = yield* gainedBy(of, one, everybodys)
          everybodys = after
          assert.deepStrictEqual(beyond, [], `${JSON.stringify(one)} of ${JSON.stringify(each)}`)
          done.push(isDone)
          gained += gains
        }
        if (each !== KNOWN) continue
        assert.deepStrictEqual(
          done,
          KNOWN_ATTEMPTS.map(([, isDone]) => isDone)
        )
        assert.isAbove(gained, 0)
      }
    }).pipe(Effect.provide(services))
  )
}
