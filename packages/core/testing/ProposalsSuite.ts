/** Proposals through the use cases, on any store: no protected change alone, races, expiry, and waivers. */
import type { Actor, CurrentActor } from "@attestry/core/Actor"
import * as ErasedMembers from "@attestry/core/ErasedMembers"
import { PolicyName } from "@attestry/core/Identifier"
import { JournalStore } from "@attestry/core/JournalStore"
import { Memberships } from "@attestry/core/Memberships"
import { OrgMembers } from "@attestry/core/OrgMembers"
import { Policies } from "@attestry/core/Policies"
import type { Ports } from "@attestry/core/Ports"
import type { ProposedRequest } from "@attestry/core/Proposal"
import * as ProposalEnds from "@attestry/core/ProposalEnds"
import { Proposals } from "@attestry/core/Proposals"
import { OperationRefused, ProposedOperations } from "@attestry/core/ProposedOperations"
import type { Protection, ProtectionKind } from "@attestry/core/Protection"
import { Protections } from "@attestry/core/Protections"
import type { Role } from "@attestry/core/Role"
import { StoreError } from "@attestry/core/StoreError"
import * as Timestamp from "@attestry/core/Timestamp"
import { Transaction } from "@attestry/core/Transaction"
import { Waivers } from "@attestry/core/Waivers"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import type * as Layer from "effect/Layer"
import type { TimeTravel } from "./DueSuite.js"
import * as Fixture from "./Fixture.js"
import * as TwoPeopleModel from "./internal/model/TwoPeopleModel.js"
import { as, by, findings, services, tagOf, type World, world } from "./internal/PeopleWorld.js"
import { type SuiteIt, type SuiteOptions, suite } from "./Suite.js"

const PEOPLE = ["ada", "bob", "cleo", "dan"] as const
type Person = (typeof PEOPLE)[number]

const yaml = (text: number) => `_schema: https://example.org/policy/v1
artifacts:
  provenance: {required: true}
# ${text}
`

const protection = (
  kinds: readonly [ProtectionKind, ...ProtectionKind[]],
  approvals: number
): Protection => ({
  kinds,
  space: "/",
  approvals,
  team: null,
  days: 14
})

const SETS: ReadonlyArray<ReadonlyArray<Protection>> = [
  [],
  [protection(["policy"], 1)],
  [protection(["policy", "access"], 2)],
  [protection(["sign-in"], 1), protection(["policy"], 2)],
  [protection(["access", "sign-in"], 1)]
]

/** What can be asked for, directly or by a proposal. */
type Change =
  | { readonly what: "policy"; readonly text: number }
  | { readonly what: "protections"; readonly set: number }
  | { readonly what: "role"; readonly of: Person; readonly role: Role }

interface Asking {
  readonly _tag: "Direct" | "Propose"
  readonly who: Person
  readonly change: Change
}

interface Deciding {
  readonly _tag: "approve" | "reject" | "withdraw"
  readonly who: Person
  readonly number: number
}

type Command = Asking | Deciding

const person = FastCheck.constantFrom(...PEOPLE)

const changeOf = (withRoles: boolean): FastCheck.Arbitrary<Change> =>
  FastCheck.oneof(
    FastCheck.record({ what: FastCheck.constant("policy" as const), text: FastCheck.nat(3) }),
    FastCheck.record({
      what: FastCheck.constant("protections" as const),
      set: FastCheck.nat(SETS.length - 1)
    }),
    ...(withRoles
      ? [
          FastCheck.record({
            what: FastCheck.constant("role" as const),
            of: person,
            role: FastCheck.constantFrom<Role>("admin", "member")
          })
        ]
      : [])
  )

const commandOf = (withRoles: boolean): FastCheck.Arbitrary<Command> =>
  FastCheck.oneof(
    {
      weight: 3,
      arbitrary: FastCheck.record({
        _tag: FastCheck.constantFrom("Direct" as const, "Propose" as const),
        who: person,
        change: changeOf(withRoles)
      })
    },
    {
      weight: 4,
      arbitrary: FastCheck.record({
        _tag: FastCheck.constantFrom(
          "approve" as const,
          "approve" as const,
          "approve" as const,
          "reject" as const,
          "withdraw" as const
        ),
        who: person,
        number: FastCheck.integer({ min: 1, max: 5 })
      })
    }
  )

const RULES = PolicyName.make("rules")

/** Makes a change as the current actor. */
const direct = ({ org, loginOf }: World, change: Change) =>
  Effect.gen(function* () {
    switch (change.what) {
      case "policy":
        return yield* (yield* Policies).put(org.name, {
          name: RULES,
          description: "",
          comment: "",
          policy_yaml: yaml(change.text)
        })
      case "protections":
        return yield* (yield* Protections).put(org.name, SETS[change.set] ?? [])
      case "role":
        return yield* (yield* OrgMembers).put(
          { org: org.name, login: loginOf(change.of) },
          change.role
        )
    }
  })

const OPERATIONS = { policy: "policy.put", protections: "protection.put", role: "membership.put" }

const requestOf = (change: Change): ProposedRequest => ({
  operation: OPERATIONS[change.what],
  params: {},
  body: change
})

/** The port over use cases, as a server has it over operations. */
const operations = (of: World) =>
  Effect.map(
    Effect.context<Exclude<Effect.Effect.Context<ReturnType<typeof direct>>, CurrentActor>>(),
    (context) =>
      ProposedOperations.of({
        fresh: () => Effect.void,
        run: ({ body }, actor) =>
          // The body is that of `requestOf`, read back from the store.
          direct(of, body as Change).pipe(
            Effect.provide(context),
            as(actor),
            Effect.asVoid,
            Effect.mapError((error) =>
              error instanceof StoreError
                ? error
                : new OperationRefused({ message: error.message, error })
            )
          )
      })
  )

interface Cast extends World {
  readonly actors: { readonly [person in Person]: Actor }
}

const cast = Effect.gen(function* () {
  const of = yield* world
  const actors = new Map<Person, Actor>([["ada", of.admin]])
  for (const name of ["bob", "cleo", "dan"] as const) {
    const user = yield* (yield* Memberships).add({
      org: of.org,
      login: of.loginOf(name),
      role: "admin",
      by,
      source: "script",
      ...of.people
    })
    actors.set(name, {
      ...Fixture.actor([of.org, "admin"]),
      id: user.id,
      name: user.login
    })
  }
  return { ...of, actors: Object.fromEntries(actors) as Cast["actors"] } satisfies Cast
})

/** The actor with the role that it has now, as a request would find it. */
const current = ({ actors, org }: Cast, who: Person) =>
  Effect.map(
    Effect.flatMap(Memberships, (members) => members.list(org.id)),
    (all): Actor => ({
      ...actors[who],
      memberships: all
        .filter(({ user_id }) => user_id === actors[who].id)
        .map(({ role }) => ({ org_id: org.id, org: org.name, role }))
    })
  )

/** Runs a command; the tag of its failure. */
const perform = (of: Cast, command: Command) =>
  Effect.gen(function* () {
    const proposals = yield* Proposals
    const port = yield* operations(of)
    const actor = yield* current(of, command.who)
    const work = Effect.gen(function* () {
      if ("change" in command)
        return command._tag === "Direct"
          ? yield* direct(of, command.change)
          : yield* proposals.make(of.org.name, {
              request: requestOf(command.change),
              reason: "it is time"
            })
      const path = { org: of.org.name, number: command.number }
      if (command._tag === "withdraw") return yield* proposals.withdraw(path)
      if (command._tag === "reject") return yield* proposals.reject(path, "")
      const { proposal } = yield* proposals.get(path)
      return yield* proposals.approve(path, { digest: proposal.digest, comment: "" })
    })
    return yield* tagOf(Effect.provideService(work, ProposedOperations, port).pipe(as(actor)))
  })

const journalOf = ({ org }: World) =>
  Effect.flatMap(JournalStore, (journal) =>
    journal.listAfter({ org: org.id, after: 0, limit: 10_000 })
  )

/** That the journal has no change without enough people, and that records follow from it. */
const check = (of: World, history: ReadonlyArray<Command>) =>
  Effect.gen(function* () {
    const entries = yield* journalOf(of)
    const found = TwoPeopleModel.violations(entries, ErasedMembers.contentOf)
    assert.deepStrictEqual(found, [], JSON.stringify(history))
    assert.deepStrictEqual(yield* findings(of), [], JSON.stringify(history))
    const made = entries.flatMap((entry) => {
      const content = ErasedMembers.contentOf(entry) as { readonly proposal?: { number: number } }
      return content.proposal === undefined ? [] : [content.proposal.number]
    })
    assert.strictEqual(new Set(made).size, made.length, "a proposal was applied twice")
    assert.strictEqual(
      made.length,
      entries.filter(({ kind }) => kind === "proposal_applied").length
    )
    return made.length
  })

const laws = (it: SuiteIt, runs: number): void => {
  it.effect("AC-18: no sequence makes a protected change without enough distinct people", () =>
    Effect.gen(function* () {
      const sample = FastCheck.sample(
        FastCheck.array(commandOf(true), { minLength: 5, maxLength: 30 }),
        runs
      )
      let applied = 0
      for (const history of sample) {
        const of = yield* cast
        yield* perform(of, { _tag: "Direct", who: "ada", change: { what: "protections", set: 1 } })
        for (const command of history) yield* perform(of, command)
        applied += yield* check(of, history)
      }
      assert.isAbove(applied, 0)
    }).pipe(Effect.provide(services))
  )

  it.effect("AC-18: commands at once make none either", () =>
    Effect.gen(function* () {
      const sample = FastCheck.sample(
        FastCheck.array(commandOf(false), { minLength: 8, maxLength: 16 }),
        runs
      )
      let applied = 0
      for (const history of sample) {
        const of = yield* cast
        yield* perform(of, { _tag: "Direct", who: "ada", change: { what: "protections", set: 1 } })
        yield* Effect.forEach(history, (command) => perform(of, command), { concurrency: 4 })
        applied += yield* check(of, history)
      }
      assert.isAbove(applied, 0)
    }).pipe(Effect.provide(services))
  )

  it.effect("AC-18: racing approvals make the change once", () =>
    Effect.gen(function* () {
      const of = yield* cast
      yield* perform(of, { _tag: "Direct", who: "ada", change: { what: "protections", set: 2 } })
      const change = { what: "policy", text: 1 } as const
      assert.strictEqual(yield* perform(of, { _tag: "Propose", who: "ada", change }), "")
      const tags = yield* Effect.forEach(
        ["bob", "cleo", "dan", "ada"] as const,
        (who) => perform(of, { _tag: "approve", who, number: 1 }),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual([...tags].sort(), ["", "", "ProposalDecided", "ProposalForbidden"])
      assert.strictEqual(yield* check(of, []), 1)
    }).pipe(Effect.provide(services))
  )
}

const ends = (it: SuiteIt, { wait }: TimeTravel): void => {
  it.effect("expires after the days of its protection, once", () =>
    Effect.gen(function* () {
      const of = yield* cast
      yield* perform(of, { _tag: "Direct", who: "ada", change: { what: "protections", set: 1 } })
      const change = { what: "policy", text: 1 } as const
      yield* perform(of, { _tag: "Propose", who: "ada", change })
      yield* wait(13 * 24 * 60)
      yield* ProposalEnds.expireAll
      const path = { org: of.org.name, number: 1 }
      const stateOf = Effect.map((yield* Proposals).get(path), ({ state }) => state).pipe(
        as(of.admin)
      )
      assert.strictEqual(yield* stateOf, "made")
      yield* wait(2 * 24 * 60)
      assert.strictEqual(yield* stateOf, "expired")
      const approving = { _tag: "approve", who: "bob", number: 1 } as const
      assert.strictEqual(yield* perform(of, approving), "ProposalDecided")
      yield* ProposalEnds.expireAll
      yield* ProposalEnds.expireAll
      const kinds = (yield* journalOf(of)).map(({ kind }) => kind)
      assert.strictEqual(kinds.filter((kind) => kind === "proposal_expired").length, 1)
    }).pipe(Effect.provide(services))
  )
}

const waivers = (it: SuiteIt): void => {
  it.effect("a protection of waivers asks for its approvals, and for other people", () =>
    Effect.gen(function* () {
      const of = yield* cast
      yield* perform(of, { _tag: "Direct", who: "ada", change: { what: "policy", text: 1 } })
      const use = yield* Waivers
      const settings = {
        max_days: 90,
        approvals_required: 0,
        approver_role: "member",
        self_approval: true
      } as const
      yield* use.putSettings(of.org.name, settings).pipe(as(of.actors.ada))
      const request = Effect.gen(function* () {
        const now = yield* (yield* Transaction).run(of.org.id, (scope) => scope.now)
        return yield* use.request(of.org.name, {
          policy_name: RULES,
          rule: null,
          environment: null,
          if: null,
          artifact_fingerprint: null,
          reason: "down",
          owner: of.loginOf("ada"),
          ticket_url: null,
          starts_at: null,
          expires_at: Timestamp.plusSeconds(now, 3_600),
          extends: null
        })
      }).pipe(as(of.actors.ada))
      assert.strictEqual((yield* request).state, "active")
      yield* (yield* Protections)
        .put(of.org.name, [protection(["waiver"], 2)])
        .pipe(as(of.actors.ada))
      const { state, waiver } = yield* request
      assert.deepStrictEqual([state, waiver.approvals_required], ["requested", 2])
      const path = { org: of.org.name, number: waiver.number }
      const approve = (who: Person) => use.approve(path, "").pipe(as(of.actors[who]))
      assert.strictEqual(yield* tagOf(approve("ada")), "WaiverForbidden")
      assert.strictEqual((yield* approve("bob")).state, "requested")
      assert.strictEqual((yield* approve("cleo")).state, "active")
      assert.deepStrictEqual(yield* findings(of), [])
    }).pipe(Effect.provide(services))
  )
}

/** Runs the suite on one store. */
export const proposalsSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  {
    travel,
    runs,
    ...options
  }: SuiteOptions & { readonly travel: TimeTravel; readonly runs: number }
): void =>
  suite(`Proposals (${name})`, ports, options, (it) => {
    laws(it, runs)
    ends(it, travel)
    waivers(it)
  })
