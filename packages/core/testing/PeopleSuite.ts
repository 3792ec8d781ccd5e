/** Members and invitations through the use cases, on any store: laws of generated histories, races, and ends. */
import { Acceptances } from "@attestry/core/Acceptances"
import * as Access from "@attestry/core/Access"
import { type Actor, CurrentActor } from "@attestry/core/Actor"
import { ApiKeys } from "@attestry/core/ApiKeys"
import { Login } from "@attestry/core/Identifier"
import { OPEN_MAX } from "@attestry/core/Invitation"
import { type InvitationDraft, Invitations } from "@attestry/core/Invitations"
import { JournalStore } from "@attestry/core/JournalStore"
import { MembershipStore } from "@attestry/core/MembershipStore"
import { Memberships } from "@attestry/core/Memberships"
import type { Org } from "@attestry/core/Org"
import { OrgMembers } from "@attestry/core/OrgMembers"
import { Orgs } from "@attestry/core/Orgs"
import type { Ports } from "@attestry/core/Ports"
import { RecordVerification } from "@attestry/core/RecordVerification"
import { Role } from "@attestry/core/Role"
import { Sessions } from "@attestry/core/Sessions"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import { assert } from "@effect/vitest"
import { Redacted } from "effect"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { TimeTravel } from "./DueSuite.js"
import * as Fixture from "./Fixture.js"
import * as MembersModel from "./internal/model/MembersModel.js"
import { type SuiteIt, type SuiteOptions, suite } from "./Suite.js"

const services = UseCases.layer.pipe(Layer.provide(SecretsWebCrypto.layer))

const by = { kind: "system", id: "s", name: "s" } as const

const WHAT = ["add", "change", "suspend", "restore", "signOut", "remove"] as const

const NAMES = ["ada", "bob", "cleo"]

const command: FastCheck.Arbitrary<MembersModel.MemberCommand> = FastCheck.record({
  what: FastCheck.constantFrom(...WHAT),
  login: FastCheck.constantFrom(...NAMES),
  role: FastCheck.constantFrom(...Role.literals)
})

/** An org of the use cases with its first admin, and logins of its own. */
const world = Effect.gen(function* () {
  const suffix = (yield* Fixture.freshId).slice(-8)
  const { name } = yield* Fixture.newOrg
  const org = yield* (yield* Orgs).create(name, by)
  const loginOf = (short: string) => Login.make(`${short}-${suffix}`)
  const people = { displayName: null, email: null }
  const ada = yield* (yield* Memberships).add({
    org,
    login: loginOf("ada"),
    role: "admin",
    by,
    source: "script",
    ...people
  })
  const admin: Actor = { ...Fixture.actor([org, "admin"]), id: ada.id, name: ada.login }
  return { org, loginOf, admin, people }
})

type World = Effect.Effect.Success<typeof world>

const as = (actor: Actor) => Effect.provideService(CurrentActor, actor)

const tagOf = <A, E extends { readonly _tag: string }, R>(work: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.either(work), (result) => (result._tag === "Left" ? result.left._tag : ""))

const change = (
  { org, loginOf, people }: World,
  { login, role, what }: MembersModel.MemberCommand
) =>
  Effect.gen(function* () {
    const members = yield* Memberships
    const member = { org, login: loginOf(login), by, source: "script" } as const
    switch (what) {
      case "add":
        return yield* tagOf(members.add({ ...member, role, ...people }))
      case "change":
        return yield* tagOf(members.changeRole({ ...member, role }))
      case "suspend":
        return yield* tagOf(members.suspend(member))
      case "restore":
        return yield* tagOf(members.restore(member))
      case "signOut":
        return yield* tagOf(members.endSessions(member))
      case "remove":
        return yield* tagOf(members.remove(member))
    }
  })

const countingAdmins = ({ org }: World) =>
  Effect.map(
    Effect.flatMap(Memberships, (members) => members.list(org.id)),
    (all) => all.filter(({ role, suspended_at }) => role === "admin" && suspended_at === null)
  )

const findings = ({ org }: World) =>
  Effect.flatMap(RecordVerification, (records) => records.verify(org.id, 3))

const members = (it: SuiteIt, runs: number) => {
  it.effect("KEY-6: each sequence of changes gives what the model says, and leaves an admin", () =>
    Effect.gen(function* () {
      const histories = FastCheck.sample(FastCheck.array(command, { maxLength: 14 }), runs)
      for (const history of histories) {
        const of = yield* world
        let model: MembersModel.Members = new Map([["ada", { role: "admin", suspended: false }]])
        for (const each of history) {
          const expected = MembersModel.apply(model, each)
          assert.strictEqual(yield* change(of, each), expected.error, JSON.stringify(history))
          model = expected.members
        }
        const listed = yield* (yield* Memberships).list(of.org.id)
        assert.deepStrictEqual(
          new Map(
            listed.map(({ login, role, suspended_at }) => [
              login,
              { role, suspended: suspended_at !== null }
            ])
          ),
          new Map([...model].map(([name, member]) => [of.loginOf(name), member]))
        )
        for (const short of NAMES) {
          const found = yield* (yield* Memberships).findUser(of.loginOf(short))
          const member = model.get(short)
          assert.deepStrictEqual(
            found._tag === "None" ? [] : found.value.orgs.map(({ role }) => role),
            member === undefined || member.suspended ? [] : [member.role]
          )
        }
        assert.deepStrictEqual(yield* findings(of), [])
      }
    }).pipe(Effect.provide(services))
  )

  it.effect("KEY-6: changes by several at once leave an admin who is not suspended", () =>
    Effect.gen(function* () {
      const harmful = command.filter(({ what }) => what !== "signOut")
      const histories = FastCheck.sample(FastCheck.array(harmful, { maxLength: 14 }), runs)
      for (const history of histories) {
        const of = yield* world
        const { people } = of
        const bob = { org: of.org, login: of.loginOf("bob"), by, source: "script" } as const
        yield* (yield* Memberships).add({ ...bob, role: "admin", ...people })
        yield* Effect.forEach(history, (each) => change(of, each), { concurrency: 4 })
        assert.isNotEmpty(yield* countingAdmins(of), JSON.stringify(history))
        assert.deepStrictEqual(yield* findings(of), [])
      }
    }).pipe(Effect.provide(services))
  )

  it.effect("only admins change members, whatever role they give", () =>
    Effect.gen(function* () {
      const of = yield* world
      const orgMembers = yield* OrgMembers
      const path = { org: of.org.name, login: of.loginOf("ada") }
      for (const own of Role.literals.filter((role) => role !== "admin")) {
        const caller = as(Fixture.actor([of.org, own]))
        const attempts = [
          ...Role.literals.map((given) => tagOf(orgMembers.put(path, given).pipe(caller))),
          tagOf(orgMembers.suspend(path).pipe(caller)),
          tagOf(orgMembers.restore(path).pipe(caller)),
          tagOf(orgMembers.signOut(path).pipe(caller)),
          tagOf(orgMembers.remove(path).pipe(caller))
        ]
        for (const attempt of attempts) assert.strictEqual(yield* attempt, "AccessDenied")
      }
    }).pipe(Effect.provide(services))
  )

  it.effect("P-REVOKE: what takes a membership away holds on every process within a second", () =>
    Effect.gen(function* () {
      const of = yield* world
      const others = yield* Layer.build(Layer.fresh(services))
      const elsewhere = Effect.provide(ApiKeys, others)
      for (const what of ["suspend", "remove"] as const) {
        const { people } = of
        const zoe = { org: of.org, login: of.loginOf(what), by, source: "script" } as const
        const user = yield* (yield* Memberships).add({ ...zoe, role: "member", ...people })
        const { key } = yield* (yield* ApiKeys).issue({
          org: of.org.id,
          user: user.id,
          by,
          description: "k",
          lifetimeSeconds: null
        })
        const allowed = (on: Effect.Effect<ApiKeys, never, ApiKeys>) =>
          Effect.map(
            Effect.flatMap(on, (keys) => keys.authenticate(key)),
            (actor) => Access.isAllowed(actor, of.org.name, "org.read")
          )
        assert.deepStrictEqual([yield* allowed(ApiKeys), yield* allowed(elsewhere)], [true, true])
        yield* (yield* Memberships)[what](zoe)
        const since = performance.now()
        assert.isFalse(yield* allowed(ApiKeys))
        while (yield* allowed(elsewhere)) {
          assert.isBelow(performance.now() - since, 1_000)
          yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 20)))
        }
      }
    }).pipe(Effect.scoped, Effect.provide(services))
  )

  it.effect("a sign-out ends earlier sessions in its org alone, and no later ones", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* world, yield* world]
      const login = one.loginOf("zoe")
      const memberships = yield* Memberships
      const member = { login, by, source: "script" } as const
      const join = ({ org, people }: World) =>
        memberships.add({ ...member, org, role: "member", ...people })
      const user = yield* Effect.zipRight(join(one), join(other))
      const { key } = yield* (yield* ApiKeys).issue({
        org: one.org.id,
        user: user.id,
        by,
        description: "k",
        lifetimeSeconds: null
      })
      const sessions = yield* Sessions
      const keys = yield* ApiKeys
      const open = Effect.flatMap(keys.authenticate(key), sessions.open)
      const orgsOf = (text: Redacted.Redacted<string>) =>
        Effect.map(sessions.resume(text), ({ actor }) => actor.memberships.map(({ org }) => org))
      const before = yield* open
      assert.sameMembers([...(yield* orgsOf(before.text))], [one.org.name, other.org.name])
      yield* memberships.endSessions({ ...member, org: one.org })
      assert.deepStrictEqual([...(yield* orgsOf(before.text))], [other.org.name])
      const after = yield* open
      assert.sameMembers([...(yield* orgsOf(after.text))], [one.org.name, other.org.name])
      const { memberships: byKey } = yield* keys.authenticate(key)
      assert.lengthOf(byKey, 2)
    }).pipe(Effect.provide(services))
  )
}

const DRAFT: InvitationDraft = {
  role: "member",
  login: null,
  displayName: "Zoë",
  email: "zoe@example.org",
  days: 1
}

const invite = ({ org, admin }: World, fields: Partial<InvitationDraft> = {}) =>
  Effect.flatMap(Invitations, (invitations) =>
    invitations.make(org.name, { ...DRAFT, ...fields })
  ).pipe(as(admin))

const accept = (secret: Redacted.Redacted<string>, login: Login | undefined) =>
  Effect.flatMap(Acceptances, (acceptances) =>
    acceptances.accept({ secret, login, displayName: undefined })
  )

const kindsOf = (org: Org, id: string) =>
  Effect.map(
    Effect.flatMap(JournalStore, (journal) =>
      journal.listBySubject(org.id, { type: "invitation", id })
    ),
    (entries) => entries.map(({ kind }) => kind)
  )

const invitations = (it: SuiteIt, runs: number) => {
  it.effect("KEY-8: an invitation gives its role in its org, once, to one person", () =>
    Effect.gen(function* () {
      const draft = FastCheck.record({
        role: FastCheck.constantFrom(...Role.literals),
        isFixed: FastCheck.boolean(),
        people: FastCheck.integer({ min: 1, max: 4 })
      })
      for (const { role, isFixed, people } of FastCheck.sample(draft, runs)) {
        const [of, bystander] = [yield* world, yield* world]
        const fixed = of.loginOf("zoe")
        const made = yield* invite(of, { role, login: isFixed ? fixed : null })
        const attempts = Array.from({ length: people }, (_, at) =>
          accept(made.secret, isFixed ? undefined : of.loginOf(`zoe${at}`))
        )
        const results = yield* Effect.all(attempts.map(Effect.either), { concurrency: "unbounded" })
        const won = results.flatMap((result) => (result._tag === "Right" ? [result.right] : []))
        assert.lengthOf(won, 1)
        for (const result of results)
          if (result._tag === "Left") assert.strictEqual(result.left._tag, "InvitationClosed")
        const [first] = won
        if (first === undefined) continue
        const actor = yield* (yield* ApiKeys).authenticate(first.key)
        assert.deepStrictEqual(actor.memberships, [{ org_id: of.org.id, org: of.org.name, role }])
        assert.strictEqual(actor.name, "Zoë")
        const store = yield* MembershipStore
        for (const { org } of [of, bystander]) {
          const { total } = yield* store.listMembers(org.id, { offset: 0, limit: 9 })
          assert.strictEqual(total, org.id === of.org.id ? 2 : 1)
        }
        assert.strictEqual(yield* tagOf(accept(made.secret, fixed)), "InvitationClosed")
        assert.deepStrictEqual(yield* kindsOf(of.org, made.invitation.id), [
          "invitation_made",
          "invitation_accepted"
        ])
        const events = yield* store.listEvents(
          of.org.id,
          { sort: "when", direction: "asc", sources: ["invitation"] },
          { offset: 0, limit: 9 }
        )
        assert.deepStrictEqual(
          events.events.map((event) => [event.role, event.changed_by]),
          [[role, "Zoë"]]
        )
        assert.deepStrictEqual(yield* findings(of), [])
      }
    }).pipe(Effect.provide(services))
  )

  it.effect("a person who is signed in joins as themselves, and stays one", () =>
    Effect.gen(function* () {
      const [of, home] = [yield* world, yield* world]
      const acceptances = yield* Acceptances
      const join = (secret: Redacted.Redacted<string>) =>
        acceptances.acceptAsCaller(secret).pipe(as(home.admin))
      const forAnother = yield* invite(of, { login: of.loginOf("zoe") })
      assert.strictEqual(yield* tagOf(join(forAnother.secret)), "InvitationForAnother")
      const made = yield* invite(of, { role: "reader" })
      const { user } = yield* join(made.secret)
      assert.deepStrictEqual([user.id, user.login], [home.admin.id, home.loginOf("ada")])
      assert.strictEqual(yield* tagOf(join(made.secret)), "InvitationClosed")
      const again = yield* invite(of, { role: "admin" })
      assert.strictEqual(yield* tagOf(join(again.secret)), "AlreadyMember")
      const zoe = { org: of.org, login: user.login, by, source: "script" } as const
      yield* (yield* Memberships).suspend(zoe)
      assert.strictEqual(yield* tagOf(join(again.secret)), "AlreadyMember")
      const account: Actor = { ...home.admin, kind: "service-account" }
      assert.strictEqual(
        yield* tagOf(acceptances.acceptAsCaller(again.secret).pipe(as(account))),
        "InvitationForPerson"
      )
      const looked = yield* acceptances.look(again.secret)
      assert.strictEqual(looked.org.name, of.org.name)
    }).pipe(Effect.provide(services))
  )

  it.effect("a new person becomes no existing user, and a refusal uses nothing", () =>
    Effect.gen(function* () {
      const of = yield* world
      const taken = of.loginOf("ada")
      const free = yield* invite(of)
      assert.strictEqual(yield* tagOf(accept(free.secret, taken)), "LoginTaken")
      assert.strictEqual(yield* tagOf(accept(free.secret, undefined)), "LoginMissing")
      const fixed = yield* invite(of, { login: of.loginOf("zoe") })
      assert.strictEqual(
        yield* tagOf(accept(fixed.secret, of.loginOf("eve"))),
        "InvitationForAnother"
      )
      const { user } = yield* accept(free.secret, of.loginOf("bob"))
      // WHY null: an org's word must not give a person an address.
      assert.strictEqual(user.email, null)
      yield* accept(fixed.secret, of.loginOf("zoe"))
      assert.deepStrictEqual(yield* findings(of), [])
    }).pipe(Effect.provide(services))
  )

  it.effect("KEY-8: a wrong or revoked secret gives nothing, and looks like any other", () =>
    Effect.gen(function* () {
      const of = yield* world
      const { secret, invitation } = yield* invite(of)
      const other = yield* invite(yield* world)
      const text = Redacted.value(secret)
      // WHY both ends: the id of one invitation with the secret of another has no valid checksum.
      const mixed = text.slice(0, 50) + Redacted.value(other.secret).slice(50)
      const all = yield* Invitations
      const revoke = all.revoke(of.org.name, invitation.id).pipe(as(of.admin))
      yield* (yield* Acceptances).look(secret)
      const first = yield* revoke
      assert.strictEqual(first.state, "revoked")
      assert.deepStrictEqual(yield* revoke, first)
      for (const wrong of [text, mixed, text.slice(0, -1), "", "attestry_user_x"]) {
        const given = Redacted.make(wrong)
        const looked = (yield* Acceptances).look(given)
        assert.strictEqual(yield* tagOf(looked), "InvitationClosed", wrong)
        assert.strictEqual(yield* tagOf(accept(given, of.loginOf("zoe"))), "InvitationClosed")
      }
      assert.deepStrictEqual(yield* kindsOf(of.org, invitation.id), [
        "invitation_made",
        "invitation_revoked"
      ])
      const foreign = all.revoke(of.org.name, other.invitation.id).pipe(as(of.admin))
      assert.strictEqual(yield* tagOf(foreign), "InvitationNotFound")
      assert.deepStrictEqual(yield* findings(of), [])
    }).pipe(Effect.provide(services))
  )

  it.effect("an org has at most 200 open invitations", () =>
    Effect.gen(function* () {
      const of = yield* world
      yield* Effect.forEach(Array.from({ length: OPEN_MAX - 2 }), () => invite(of), {
        concurrency: 4
      })
      const last = yield* Effect.all(
        Array.from({ length: 4 }, () => tagOf(invite(of))),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual([...last].sort(), ["", "", "TooManyInvitations", "TooManyInvitations"])
      const { items } = yield* (yield* Invitations)
        .list(of.org.name, { page: 1, perPage: 1 })
        .pipe(as(of.admin))
      const [one] = items
      if (one === undefined) return assert.fail("there is an invitation")
      yield* (yield* Invitations).revoke(of.org.name, one.invitation.id).pipe(as(of.admin))
      assert.strictEqual(yield* tagOf(invite(of)), "")
      assert.strictEqual(yield* tagOf(invite(of)), "TooManyInvitations")
    }).pipe(Effect.provide(services))
  )
}

const Instants = Schema.Struct({ created_at: Schema.Number, expires_at: Schema.Number })

const ends = (it: SuiteIt, { wait }: TimeTravel) =>
  it.effect("KEY-8: an invitation ends at its instant and cannot be revoked afterwards", () =>
    Effect.gen(function* () {
      const of = yield* world
      const { secret, invitation } = yield* invite(of, { days: 1 })
      const { created_at, expires_at } = Schema.decodeUnknownSync(Instants)(invitation)
      assert.strictEqual(expires_at - created_at, 86_400_000_000)
      yield* wait(24 * 60 - 5)
      yield* (yield* Acceptances).look(secret)
      yield* wait(6)
      assert.strictEqual(yield* tagOf(accept(secret, of.loginOf("zoe"))), "InvitationClosed")
      const all = yield* Invitations
      const { items } = yield* all.list(of.org.name, { page: 1, perPage: 9 }).pipe(as(of.admin))
      assert.deepStrictEqual(
        items.map(({ state }) => state),
        ["expired"]
      )
      assert.strictEqual(
        yield* tagOf(all.revoke(of.org.name, invitation.id).pipe(as(of.admin))),
        "InvitationEnded"
      )
      yield* invite(of)
    }).pipe(Effect.provide(services))
  )

/** Runs the suite on one store. */
export const peopleSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  {
    travel,
    runs,
    ...options
  }: SuiteOptions & { readonly travel: TimeTravel; readonly runs: number }
): void =>
  suite(`People (${name})`, ports, options, (it) => {
    members(it, runs)
    invitations(it, runs)
    ends(it, travel)
  })
