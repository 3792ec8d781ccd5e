/** Laws of invitations: what they give, to whom, how often, and until when. */
import { Acceptances } from "@attestry/core/Acceptances"
import type { Actor } from "@attestry/core/Actor"
import { ApiKeys } from "@attestry/core/ApiKeys"
import type { Login } from "@attestry/core/Identifier"
import { OPEN_MAX } from "@attestry/core/Invitation"
import { type InvitationDraft, Invitations } from "@attestry/core/Invitations"
import { JournalStore } from "@attestry/core/JournalStore"
import { MembershipStore } from "@attestry/core/MembershipStore"
import { Memberships } from "@attestry/core/Memberships"
import type { Org } from "@attestry/core/Org"
import { BaseRole } from "@attestry/core/Role"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { TimeTravel } from "../DueSuite.js"
import type { SuiteIt } from "../Suite.js"
import { as, by, findings, services, tagOf, type World, world } from "./PeopleWorld.js"

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

/** The laws of invitations. */
export const invitationLaws = (it: SuiteIt, runs: number) => {
  it.effect("KEY-8: an invitation gives its role in its org, once, to one person", () =>
    Effect.gen(function* () {
      const draft = FastCheck.record({
        role: FastCheck.constantFrom(...BaseRole.literals),
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

/** The end of an invitation. */
export const invitationEnds = (it: SuiteIt, { wait }: TimeTravel) =>
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
