/** The contract of `EnvironmentStore`. */
import { archive, contentOf, type Environment, ref } from "@attestry/core/Environment"
import * as EnvironmentList from "@attestry/core/EnvironmentList"
import { EnvironmentStore, type ReportedEnvironment } from "@attestry/core/EnvironmentStore"
import { EnvironmentId } from "@attestry/core/Identifier"
import * as Page from "@attestry/core/Page"
import type { Ports } from "@attestry/core/Ports"
import { Timestamp } from "@attestry/core/Timestamp"
import { Transaction } from "@attestry/core/Transaction"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { environmentContent, reportMark } from "../arbitrary/Environment.js"
import * as Fixture from "../Fixture.js"
import { type SuiteOptions, suite } from "../Suite.js"

const keyOf = ({ org_id, name }: Environment) => ({ org: org_id, name })

const MARK = { bodyDigest: "1".repeat(64), rowsDigest: "2".repeat(64) }

const EARLIER = { at: Fixture.AT, verdict: "Unknown" } as const
const LATER = { at: Fixture.LATER, verdict: "Compliant" } as const

/** Every filter and every order of a list. */
const QUERIES: ReadonlyArray<EnvironmentList.EnvironmentQuery> = [
  {},
  { descending: true },
  { name: "PROD" },
  { name: "." },
  { name: "_" },
  { name: "" },
  { types: [] },
  { types: ["K8S", "logical"] as const },
  { types: ["server"] as const },
  { tags: [] },
  { tags: ["tier:1"] },
  { tags: ["tier"] },
  { tags: ["a.b:x:y", ""] },
  { tags: ["tier:2"], name: "a" },
  ...(["Compliant", "NonCompliant", "Unknown"] as const).map((verdict) => ({ verdict })),
  { silent: true },
  { silent: false },
  ...EnvironmentList.SORTS.flatMap((sort) => [{ sort }, { sort, descending: true }])
]

const stored = Effect.flatMap(Fixture.org, (org) => Fixture.environment(org))

/** The results of both lookups, without their clocks. */
const look = (environment: Environment) =>
  Effect.gen(function* () {
    const store = yield* EnvironmentStore
    const withoutClock = Option.map(({ now, ...found }: ReportedEnvironment) => {
      assert.strictEqual(Schema.is(Timestamp)(now), true)
      return found
    })
    const found = withoutClock(yield* store.findByName(keyOf(environment)))
    deepStrictEqual(withoutClock(yield* store.lock(keyOf(environment))), found)
    return found
  })

const unmarked = (environment: Environment) =>
  Option.some({ environment, reportDigests: Option.none(), isPending: false, isOrgDue: false })

/** States the contract of `EnvironmentStore`. */
export const environmentStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void => {
  suite(`EnvironmentStore (${name})`, ports, options, (it) => {
    it.effect.prop(
      "returns every environment unchanged",
      { content: environmentContent },
      ({ content }) =>
        Effect.gen(function* () {
          const store = yield* EnvironmentStore
          const org = yield* Fixture.org
          const id = EnvironmentId.make(yield* Fixture.freshId)
          const environment: Environment = { org_id: org.id, id, ...content }
          deepStrictEqual(yield* look(environment), Option.none())
          assert.strictEqual(yield* store.insert(environment), true)
          deepStrictEqual(yield* look(environment), unmarked(environment))
        }),
      { fastCheck: { numRuns: 20 } }
    )

    it.effect("adds nothing under a name that is taken", () =>
      Effect.gen(function* () {
        const store = yield* EnvironmentStore
        const environment = yield* stored
        const id = EnvironmentId.make(yield* Fixture.freshId)
        assert.strictEqual(yield* store.insert({ ...environment, id, type: "docker" }), false)
        deepStrictEqual(yield* look(environment), unmarked(environment))
      })
    )

    it.effect("separates orgs, also with equal names", () =>
      Effect.gen(function* () {
        const environment = yield* stored
        const other = yield* Fixture.org
        const theirs = yield* Fixture.newEnvironment(other)
        deepStrictEqual(yield* look(theirs), Option.none())
        yield* (yield* EnvironmentStore).insert(theirs)
        deepStrictEqual(yield* look(theirs), unmarked(theirs))
        deepStrictEqual(yield* look(environment), unmarked(environment))
      })
    )

    it.effect("holds members and leaves them as they are; others are left out", () =>
      Effect.gen(function* () {
        const environment = yield* stored
        const { org_id: org, id } = environment
        const { holdMembers } = yield* EnvironmentStore
        const missing = EnvironmentId.make(yield* Fixture.freshId)
        const held = Effect.zipRight(holdMembers(org, []), holdMembers(org, [missing, id, id]))
        yield* (yield* Transaction).run(org, () => held)
        deepStrictEqual(yield* look(environment), unmarked(environment))
      })
    )

    it.effect("returns current names, also of archived environments, and none of other orgs", () =>
      Effect.gen(function* () {
        const store = yield* EnvironmentStore
        const org = yield* Fixture.org
        const [one, two] = [yield* Fixture.environment(org), yield* Fixture.environment(org, "old")]
        const gone = archive(two, Fixture.LATER)
        yield* store.rename(gone, two.name)
        yield* Fixture.environment(org, "old")
        const foreign = yield* stored
        const missing = EnvironmentId.make(yield* Fixture.freshId)
        const found = yield* store.names(org.id, [one.id, gone.id, foreign.id, missing])
        deepStrictEqual(
          [...found].sort(([left], [right]) => (left < right ? -1 : 1)),
          [[one.id, one.name] as const, [gone.id, gone.name] as const].sort(([left], [right]) =>
            left < right ? -1 : 1
          )
        )
        deepStrictEqual([...(yield* store.names(org.id, []))], [])
      })
    )

    it.effect("adds one of many concurrent environments of one name", () =>
      Effect.gen(function* () {
        const store = yield* EnvironmentStore
        const transaction = yield* Transaction
        const org = yield* Fixture.org
        const answers = yield* Effect.forEach(
          Array.from({ length: 8 }, () => Fixture.newEnvironment(org)),
          Effect.flatMap((environment) =>
            transaction.run(org.id, () =>
              Effect.zip(store.insert(environment), store.lock(keyOf(environment)))
            )
          ),
          { concurrency: "unbounded" }
        )
        const found = answers.flatMap(([, it]) => Option.toArray(it).map((one) => one.environment))
        assert.strictEqual(answers.filter(([added]) => added).length, 1)
        assert.strictEqual(new Set(found.map(({ id }) => id)).size, 1)
        assert.strictEqual(found.length, 8)
      })
    )
  })
  reportSuite(name, ports, options)
}

const reportSuite = <E>(name: string, ports: Layer.Layer<Ports, E>, options: SuiteOptions) =>
  suite(`EnvironmentStore: reports (${name})`, ports, options, (it) => {
    it.effect.prop(
      "stores the digests of the last report, and the time of the last change",
      { reportDigests: reportMark, next: reportMark },
      ({ reportDigests, next }) =>
        Effect.gen(function* () {
          const store = yield* EnvironmentStore
          const environment = yield* stored
          yield* store.setReportDigests(ref(environment), reportDigests, Option.some(LATER))
          const changed = {
            ...environment,
            last_changed_at: Fixture.LATER,
            last_modified_at: Fixture.LATER,
            verdict: LATER.verdict
          }
          deepStrictEqual(
            yield* look(environment),
            Option.some({
              environment: changed,
              reportDigests: Option.some(reportDigests),
              isPending: false,
              isOrgDue: false
            })
          )
          yield* store.setReportDigests(ref(environment), next, Option.none())
          deepStrictEqual(
            yield* look(environment),
            Option.some({
              environment: changed,
              reportDigests: Option.some(next),
              isPending: false,
              isOrgDue: false
            })
          )
        }),
      { fastCheck: { numRuns: 5 } }
    )

    it.effect.prop(
      "replaces the content, clears the digests, and keeps the rest",
      { next: environmentContent },
      ({ next }) =>
        Effect.gen(function* () {
          const store = yield* EnvironmentStore
          const environment = yield* stored
          yield* store.setReportDigests(ref(environment), MARK, Option.some(EARLIER))
          const updated = { ...next, org_id: environment.org_id, id: environment.id }
          yield* store.update(updated)
          deepStrictEqual(
            yield* look(environment),
            unmarked({
              ...environment,
              last_changed_at: Fixture.AT,
              verdict: EARLIER.verdict,
              ...contentOf(updated)
            })
          )
        }),
      { fastCheck: { numRuns: 20 } }
    )

    it.effect("returns the time of the last report at once, and never an earlier one", () =>
      Effect.gen(function* () {
        const store = yield* EnvironmentStore
        const environment = yield* stored
        for (const at of [Fixture.AT, Fixture.LATER, Fixture.AT]) {
          yield* store.heartbeat(ref(environment), at)
        }
        const reported = { ...environment, last_reported_at: Fixture.LATER }
        deepStrictEqual(yield* look(environment), unmarked(reported))
      })
    )

    it.effect("changes only the given environment", () =>
      Effect.gen(function* () {
        const store = yield* EnvironmentStore
        const org = yield* Fixture.org
        const [one, other] = [
          yield* Fixture.environment(org),
          yield* Fixture.environment(org, "staging")
        ]
        yield* store.setReportDigests(ref(one), MARK, Option.some(LATER))
        yield* store.heartbeat(ref(one), Fixture.LATER)
        yield* store.update({ ...one, description: "one" })
        deepStrictEqual(yield* look(other), unmarked(other))
      })
    )

    it.effect("lists active environments whose next report must be evaluated", () =>
      Effect.gen(function* () {
        const store = yield* EnvironmentStore
        const org = yield* Fixture.org
        const fresh = yield* Fixture.environment(org)
        const marked = yield* Fixture.environment(org, "staging")
        const other = yield* stored
        const stale = Effect.map(store.listStale(org.id), (found) => [...found].sort())
        yield* store.setReportDigests(ref(marked), MARK, Option.none())
        deepStrictEqual(yield* stale, [fresh.id])
        yield* store.update({ ...marked, description: "changed" })
        deepStrictEqual(yield* stale, [fresh.id, marked.id].sort())
        yield* store.rename(archive(fresh, Fixture.LATER), fresh.name)
        deepStrictEqual(yield* stale, [marked.id])
        for (const ids of [[], [fresh.id, other.id], [fresh.id, marked.id]])
          deepStrictEqual(
            [...(yield* store.listStale(org.id, ids))],
            ids.filter((id) => id === marked.id)
          )
        deepStrictEqual([...(yield* store.listStale(other.org_id))], [other.id])
      })
    )

    it.effect("reads pages of active environments by every query", () =>
      Effect.gen(function* () {
        const store = yield* EnvironmentStore
        const org = yield* Fixture.org
        yield* stored
        const names = ["prod", "Prod-eu", "staging", "a_b", "a.b", "gone"]
        for (const [at, given] of names.entries()) {
          const made = yield* Fixture.environment(org, given)
          const tags = at % 2 === 0 ? { tier: "1" } : { tier: "2", "a.b": "x:y" }
          yield* store.update({
            ...made,
            tags,
            last_modified_at: at < 3 ? Fixture.AT : Fixture.LATER
          })
          if (at > 2) yield* store.change(ref(made), at === 3 ? EARLIER : LATER)
          if (at === 1) yield* store.openSilence(ref(made), Fixture.AT)
          if (at > 1) yield* store.setDue(ref(made), at === 2 ? Fixture.LATER : Fixture.AT)
          if (given === "gone") yield* store.rename(archive(made, Fixture.LATER), made.name)
        }
        const all = yield* store.list(org.id)
        deepStrictEqual(all.length, 5)
        for (const query of QUERIES) {
          const meant = EnvironmentList.select(all, query)
          for (const asked of [1, 2, 9].map((page) => ({ page, perPage: 2 }))) {
            const found = yield* store.page(org.id, query, asked)
            deepStrictEqual(
              { query, asked, ...found },
              { query, asked, ...Page.slice(meant, asked) }
            )
          }
        }
      })
    )

    it.effect("names environments, and those that are active", () =>
      Effect.gen(function* () {
        const store = yield* EnvironmentStore
        const org = yield* Fixture.org
        const [active, archived, other] = [
          yield* Fixture.environment(org),
          yield* Fixture.environment(org, "old"),
          yield* stored
        ]
        const gone = archive(archived, Fixture.LATER)
        yield* store.rename(gone, archived.name)
        const ids = [active.id, gone.id, other.id, EnvironmentId.make("unknown")]
        const named = [active, gone].map(({ id, name: current }) => [id, current] as const)
        deepStrictEqual(new Map(yield* store.names(org.id, ids)), new Map(named))
        deepStrictEqual(
          new Map(yield* store.names(org.id, ids, { active: true })),
          new Map(named.slice(0, 1))
        )
        const found = yield* store.list(org.id, ids)
        deepStrictEqual(
          new Map(found.map(({ archived_at, id }) => [id, archived_at])),
          new Map([active, gone].map(({ archived_at, id }) => [id, archived_at]))
        )
      })
    )

    it.effect("rolls the digests back with the transaction", () =>
      Effect.gen(function* () {
        const store = yield* EnvironmentStore
        const transaction = yield* Transaction
        const environment = yield* stored
        const marked = store.setReportDigests(ref(environment), MARK, Option.some(LATER))
        yield* Effect.flip(
          transaction.run(environment.org_id, () => Effect.zipRight(marked, Effect.fail("no")))
        )
        deepStrictEqual(yield* look(environment), unmarked(environment))
      })
    )

    it.effect("finds what is due, in the org and across orgs, until it is moved on", () =>
      Effect.gen(function* () {
        const store = yield* EnvironmentStore
        const org = yield* Fixture.org
        const [one, two, gone, other] = [
          yield* Fixture.environment(org),
          yield* Fixture.environment(org, "two"),
          yield* Fixture.environment(org, "gone"),
          yield* stored
        ]
        const passed = Timestamp.make(1_000_000)
        const later = Timestamp.make(8_000_000_000_000_000)
        const dueIn = Effect.map(store.listDueOrgs, ({ orgs }) =>
          orgs.filter(({ id }) => id === org.id || id === other.org_id).map(({ id }) => id)
        )
        const isDue = (environment: Environment) =>
          Effect.gen(function* () {
            const found = Option.getOrThrow(yield* store.findByName(keyOf(environment)))
            const locked = Option.getOrThrow(yield* store.lock(ref(environment)))
            deepStrictEqual(locked.isOrgDue, found.isOrgDue)
            return found.isOrgDue
          })
        yield* store.setDue(ref(one), later)
        yield* store.setDue(ref(gone), passed)
        yield* store.rename(archive(gone, Fixture.LATER), gone.name)
        deepStrictEqual([yield* isDue(one), yield* dueIn], [false, []])
        deepStrictEqual(yield* store.listPending(org.id), [])
        const { nextInMillis } = yield* store.listDueOrgs
        assert.isNumber(nextInMillis)
        yield* store.setDue(ref(two), passed)
        deepStrictEqual(
          [yield* isDue(one), yield* isDue(two), yield* isDue(other), yield* dueIn],
          [true, true, false, [org.id]]
        )
        deepStrictEqual(yield* store.listPending(org.id), [{ ref: ref(two), dueAt: passed }])
        const found = Option.getOrThrow(yield* store.findByName(keyOf(two)))
        deepStrictEqual(found.environment, { ...two, due_at: passed })
        yield* store.setDue(ref(two), null)
        deepStrictEqual([yield* isDue(one), yield* dueIn], [false, []])
        deepStrictEqual(yield* look(two), unmarked(two))
      })
    )
  })
