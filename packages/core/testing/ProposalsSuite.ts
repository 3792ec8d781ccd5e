/** Proposals through the use cases, on any store: no protected change alone, races, expiry, and waivers. */
import * as ErasedMembers from "@attestry/core/ErasedMembers"
import { JournalStore } from "@attestry/core/JournalStore"
import type { Ports } from "@attestry/core/Ports"
import * as ProposalEnds from "@attestry/core/ProposalEnds"
import { Proposals } from "@attestry/core/Proposals"
import { Protections } from "@attestry/core/Protections"
import * as Timestamp from "@attestry/core/Timestamp"
import { Transaction } from "@attestry/core/Transaction"
import { Waivers } from "@attestry/core/Waivers"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import type * as Layer from "effect/Layer"
import type { TimeTravel } from "./DueSuite.js"
import * as TwoPeopleModel from "./internal/model/TwoPeopleModel.js"
import { as, findings, services, tagOf, type World } from "./internal/PeopleWorld.js"
import {
  type Command,
  cast,
  commandOf,
  OPENING,
  type Person,
  perform,
  protection,
  RULES
} from "./internal/TwoPeopleCommands.js"
import { type SuiteIt, type SuiteOptions, suite } from "./Suite.js"

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
        for (const command of OPENING) yield* perform(of, command)
        for (const command of history) yield* perform(of, command)
        applied += yield* check(of, history)
      }
      assert.isAtLeast(applied, 2 * sample.length)
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
        for (const command of OPENING) yield* perform(of, command)
        yield* Effect.forEach(history, (command) => perform(of, command), { concurrency: 4 })
        applied += yield* check(of, history)
      }
      assert.isAtLeast(applied, 2 * sample.length)
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
