/** The contracts of `ProtectionStore` and `ProposalStore`. */
import { ApiKeyId, SpaceId } from "@attestry/core/Identifier"
import type { Org } from "@attestry/core/Org"
import type { Ports } from "@attestry/core/Ports"
import type { Approval, Ending, Proposal, ProposalDraft } from "@attestry/core/Proposal"
import { type ProposalQuery, ProposalStore } from "@attestry/core/ProposalStore"
import type { Protections } from "@attestry/core/Protection"
import { ProtectionStore } from "@attestry/core/ProtectionStore"
import * as Timestamp from "@attestry/core/Timestamp"
import { Transaction } from "@attestry/core/Transaction"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "../Fixture.js"
import { type SuiteIt, type SuiteOptions, suite } from "../Suite.js"

const [RETAIL, CARDS, PLATFORM] = [
  SpaceId.make("retail"),
  SpaceId.make("cards"),
  SpaceId.make("platform")
]

const SOME: Protections = [
  { kinds: ["policy", "control"], space_id: RETAIL, approvals: 2, team: null, days: 14 }
]

const protections = (it: SuiteIt): void => {
  it.effect("replaces the protections of one org", () =>
    Effect.gen(function* () {
      const store = yield* ProtectionStore
      const [org, other] = yield* Effect.all([Fixture.org, Fixture.org])
      deepStrictEqual(yield* store.find(org.id), [])
      yield* store.put(org.id, [])
      yield* store.put(org.id, SOME)
      deepStrictEqual(yield* store.find(org.id), SOME)
      deepStrictEqual(yield* store.hold(org.id, "share"), SOME)
      deepStrictEqual(yield* store.find(other.id), [])
    })
  )

  it.effect("lets nobody change protections that others hold", () =>
    Effect.gen(function* () {
      const store = yield* ProtectionStore
      const transaction = yield* Transaction
      const org = yield* Fixture.org
      const add = transaction.run(org.id, () =>
        Effect.gen(function* () {
          const found = yield* store.hold(org.id, "change")
          yield* store.put(org.id, [...found, ...SOME])
          return found.length
        })
      )
      const counts = yield* Effect.all([add, add, add, add], { concurrency: "unbounded" })
      assert.deepStrictEqual([...counts].sort(), [0, 1, 2, 3])
      const look = transaction.run(org.id, () => store.hold(org.id, "share"))
      const seen = yield* Effect.all([look, look], { concurrency: "unbounded" })
      assert.deepStrictEqual(
        seen.map((each) => each.length),
        [4, 4]
      )
    })
  )
}

const draft = (org: Org, fields: Partial<ProposalDraft> = {}): ProposalDraft => ({
  org_id: org.id,
  request: { operation: "policy.put", params: { org: org.name, name: "rules" }, body: { a: 1.5 } },
  digest: "d".repeat(64),
  changes: [
    {
      kinds: ["policy"],
      subject: { type: "policy", name: "rules" },
      spaces: [RETAIL],
      before: null,
      after: { a: [] }
    }
  ],
  state_digest: "e".repeat(64),
  kinds: ["policy"],
  spaces: [RETAIL],
  reason: "the scanner 🦉 is down",
  proposer: { kind: "user", id: "u-1", user: "anna", credential: ApiKeyId.make("key-1") },
  barred: ["u-9"],
  made_at: Fixture.AT,
  expires_at: Fixture.LATER,
  approvals: [],
  ended: null,
  ...fields
})

/** Adds a proposal in a transaction, as the port asks. */
const append = (proposal: ProposalDraft) =>
  Effect.gen(function* () {
    const store = yield* ProposalStore
    const transaction = yield* Transaction
    return yield* transaction.run(proposal.org_id, () => store.append(proposal))
  })

const APPROVAL: Approval = { user_id: "u-2", user: "tom", at: Fixture.AT, comment: "" }
const ended = (state: Ending["state"]): Ending => ({
  state,
  at: Fixture.AT,
  user_id: null,
  user: null,
  comment: ""
})

const PAGE = { page: 1, perPage: 100 }

const proposals = (it: SuiteIt): void => {
  it.effect("numbers the proposals of each org from 1, also those of concurrent transactions", () =>
    Effect.gen(function* () {
      const store = yield* ProposalStore
      const [org, other] = yield* Effect.all([Fixture.org, Fixture.org])
      const made = yield* Effect.all([append(draft(org)), append(draft(org)), append(draft(org))], {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(made.map(({ number }) => number).sort(), [1, 2, 3])
      assert.strictEqual((yield* append(draft(other))).number, 1)
      const found = yield* store.find({ org: org.id, number: 2 })
      deepStrictEqual(found, Option.some({ ...draft(org), number: 2 }))
      deepStrictEqual(yield* store.find({ org: other.id, number: 2 }), Option.none())
    })
  )

  it.effect("writes approvals and end, and no other field", () =>
    Effect.gen(function* () {
      const store = yield* ProposalStore
      const org = yield* Fixture.org
      const made = yield* append(draft(org))
      const next = { ...made, approvals: [APPROVAL], ended: ended("applied") }
      yield* store.decide({ ...next, reason: "another", digest: "f".repeat(64) })
      deepStrictEqual(yield* store.find({ org: org.id, number: 1 }), Option.some(next))
    })
  )

  it.effect("lists by state and proposer at an instant, newest first, in pages", () =>
    Effect.gen(function* () {
      const store = yield* ProposalStore
      const [org, other] = yield* Effect.all([Fixture.org, Fixture.org])
      yield* append(draft(other))
      const drafts: ReadonlyArray<Partial<ProposalDraft>> = [
        {},
        { approvals: [APPROVAL] },
        { ended: ended("applied"), approvals: [APPROVAL] },
        { ended: ended("rejected") },
        { ended: ended("expired") },
        { proposer: { ...draft(org).proposer, id: "u-7" } }
      ]
      const made = yield* Effect.forEach(drafts, (fields) => append(draft(org, fields)))
      const list = (query: object, page = PAGE, now: Timestamp.Timestamp = Fixture.AT) =>
        Effect.map(store.list(org.id, { now, ...query }, page), ({ items, total }) => [
          items.map(({ number }) => number),
          total
        ])
      deepStrictEqual(yield* list({}), [[6, 5, 4, 3, 2, 1], made.length])
      deepStrictEqual(yield* list({}, { page: 2, perPage: 4 }), [[2, 1], 6])
      deepStrictEqual(yield* list({}, { page: 9, perPage: 4 }), [[], 6])
      deepStrictEqual(yield* list({ states: ["made"] }), [[6, 1], 2])
      deepStrictEqual(yield* list({ states: ["made", "approved"] }), [[6, 2, 1], 3])
      deepStrictEqual(yield* list({ states: ["applied", "rejected"] }), [[4, 3], 2])
      deepStrictEqual(yield* list({ states: ["expired"] }), [[5], 1])
      deepStrictEqual(yield* list({ states: ["expired"] }, PAGE, Fixture.LATER), [[6, 5, 2, 1], 4])
      deepStrictEqual(yield* list({ states: ["made"] }, PAGE, Fixture.LATER), [[], 0])
      const own = { proposer: "u-7", spaces: [] }
      deepStrictEqual(yield* list({ own }), [[6], 1])
      deepStrictEqual(yield* list({ own: { ...own, spaces: [RETAIL] } }), [[6, 5, 4, 3, 2, 1], 6])
      deepStrictEqual(yield* list({ states: [] }), [[], 0])
    })
  )

  it.effect("lists those of which every space is one of some", () =>
    Effect.gen(function* () {
      const store = yield* ProposalStore
      const org = yield* Fixture.org
      const proposer = { ...draft(org).proposer, id: "u-7" }
      yield* append(draft(org))
      yield* append(draft(org, { spaces: [CARDS], proposer }))
      yield* append(draft(org, { spaces: [CARDS, PLATFORM], proposer }))
      const list = (query: Omit<ProposalQuery, "now">) =>
        Effect.map(store.list(org.id, { now: Fixture.AT, ...query }, PAGE), ({ items }) =>
          items.map(({ number }) => number)
        )
      deepStrictEqual(yield* list({ within: [] }), [])
      deepStrictEqual(yield* list({ within: [CARDS] }), [2])
      deepStrictEqual(yield* list({ within: [PLATFORM, CARDS, RETAIL] }), [3, 2, 1])
      const own = { proposer: "u-7", spaces: [RETAIL] }
      deepStrictEqual(yield* list({ own }), [3, 2, 1])
      deepStrictEqual(yield* list({ own, within: [RETAIL, CARDS] }), [2, 1])
      deepStrictEqual(yield* list({ own: { ...own, proposer: "u-1", spaces: [PLATFORM] } }), [1])
    })
  )

  it.effect("finds those that have expired, and counts those that are open", () =>
    Effect.gen(function* () {
      const store = yield* ProposalStore
      const transaction = yield* Transaction
      const org = yield* Fixture.org
      yield* append(draft(org))
      yield* append(draft(org, { ended: ended("withdrawn") }))
      yield* append(draft(org, { expires_at: Timestamp.plusSeconds(Fixture.LATER, 1) }))
      deepStrictEqual(yield* store.listExpired(org.id, Fixture.AT), [])
      deepStrictEqual(yield* store.listExpired(org.id, Fixture.LATER), [1])
      const count = (at: Timestamp.Timestamp) =>
        transaction.run(org.id, () => store.countToAdd(org.id, at))
      assert.deepStrictEqual([yield* count(Fixture.AT), yield* count(Fixture.LATER)], [2, 1])
    })
  )

  it.effect("gives the lock of a proposal to one at a time", () =>
    Effect.gen(function* () {
      const store = yield* ProposalStore
      const transaction = yield* Transaction
      const org = yield* Fixture.org
      yield* append(draft(org))
      const decide = transaction.run(org.id, () =>
        Effect.gen(function* () {
          const found: Proposal = Option.getOrThrow(
            yield* store.find({ org: org.id, number: 1 }, { lock: true })
          )
          yield* store.decide({ ...found, approvals: [...found.approvals, APPROVAL] })
          return found.approvals.length
        })
      )
      const seen = yield* Effect.all([decide, decide, decide], { concurrency: "unbounded" })
      assert.deepStrictEqual([...seen].sort(), [0, 1, 2])
    })
  )
}

/** States the contracts of `ProtectionStore` and `ProposalStore`. */
export const protectionStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`ProtectionStore and ProposalStore (${name})`, ports, options, (it) => {
    protections(it)
    proposals(it)
  })
