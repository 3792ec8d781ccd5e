/**
 * Schedules in which a change of what verdicts depend on waits just before it commits, while other requests
 * change who reads it and report. Once all is quiet, no environment keeps a verdict that is out of date.
 */
import type { Org } from "@attestry/core/Org"
import * as Fixture from "@attestry/core/testing/Fixture"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as PgLayer from "../shared/PgLayer.js"
import * as UseCaseLayer from "../shared/UseCaseLayer.js"
import * as Changes from "./Changes.js"
import * as Servers from "./Servers.js"
import * as Settled from "./Settled.js"

const LONG = { timeout: 60_000 }

/** Changes, each with the journal entry at which it waits. */
const CHANGES: Record<string, readonly [entry: string, change: Changes.Request]> = {
  "the tags of a flow": ["flow_tagged", (org) => Changes.tag(org, "build", "high")],
  "the name of a flow": ["flow_renamed", (org) => Changes.rename(org, "build", "release")],
  "the archiving of a flow": ["flow_archived", (org) => Changes.archiveFlow(org, "build")],
  "a trail under a new template": [
    "trail_evaluated",
    (org) => Changes.template(org, "build", "strict")
  ],
  "an attestation": [
    "artifact_attestation_reported",
    (org) => Changes.attest(org, "build", "a", false)
  ],
  "a version of a policy": [
    "policy_version_created",
    (org) => Effect.zipRight(Changes.save(org, "tags", "none"), Changes.save(org, "tags", "trails"))
  ],
  "an entry of an allow-list": ["artifact_allowed", (org) => Changes.allow(org, "first", "a")],
  "required provenance": [
    "environment_updated",
    (org) => Changes.requireProvenance(org, "first", true)
  ]
}

interface Meanwhile {
  /** Before the change begins. */
  readonly before?: Changes.Request
  /** While the change waits. */
  readonly during: Changes.Request
}

const readingFirst: Changes.Request = (org) => Changes.attachAll(org, "first")
const readingGroup: Changes.Request = (org) => Changes.attachAll(org, Changes.GROUP)

const MEANWHILES: Record<string, Meanwhile> = {
  "policies are attached": {
    during: (org) =>
      Effect.zipRight(Changes.attachAll(org, "first"), Changes.report(org, "first", ["a"]))
  },
  "policies are attached to the logical environment above": {
    during: (org) =>
      Effect.zipRight(Changes.attachAll(org, Changes.GROUP), Changes.report(org, "second", ["a"]))
  },
  "the environment joins a logical one": {
    before: (org) => Effect.zipRight(readingGroup(org), Changes.members(org, [])),
    during: (org) =>
      Effect.zipRight(Changes.join(org, "first"), Changes.report(org, "first", ["a"]))
  },
  "new versions of attached policies begin to read it": {
    before: (org) =>
      Effect.zipRight(
        Effect.forEach(Changes.POLICIES, (policy) => Changes.save(org, policy, "none")),
        readingFirst(org)
      ),
    during: (org) =>
      Effect.zipRight(
        Effect.forEach(Changes.POLICIES, (policy) => Changes.save(org, policy, policy)),
        Changes.report(org, "first", ["a"])
      )
  },
  "the artifact starts to run": {
    before: (org) => Effect.zipRight(readingFirst(org), Changes.report(org, "first", ["b"])),
    during: (org) => Changes.report(org, "first", ["a", "b"])
  },
  "the artifact is allowed and no longer": {
    before: readingFirst,
    during: (org) =>
      Effect.zipRight(Changes.allow(org, "first", "a"), Changes.disallow(org, "first", "a"))
  },
  "reports say what was said last": {
    before: (org) => Effect.zipRight(readingFirst(org), readingGroup(org)),
    during: (org) =>
      Effect.zipRight(Changes.report(org, "first", ["a"]), Changes.report(org, "second", ["a"]))
  }
}

const asAdmin = (org: Org) => UseCaseLayer.as(Fixture.actor([org, "admin"]))

/** Lets the change wait on one server, and the rest happen on the other. */
const replay = ([entry, change]: readonly [string, Changes.Request], meanwhile: Meanwhile) =>
  Effect.gen(function* () {
    const { on, holding } = yield* Servers.Servers
    const org = yield* on(0)(Fixture.org)
    const at = (server: 0 | 1, request: Changes.Request) => on(server)(asAdmin(org)(request(org)))
    yield* at(0, Changes.prepare)
    yield* at(1, meanwhile.before ?? (() => Effect.void))
    const [changing, happening] = yield* holding(
      entry,
      Effect.gen(function* () {
        const held = yield* Effect.fork(at(0, change))
        yield* Servers.untilDoneOrWaiting(held, 1)
        const other = yield* Effect.fork(at(1, meanwhile.during))
        yield* Servers.untilDoneOrWaiting(other, 2)
        return [held, other] as const
      })
    )
    yield* Fiber.join(changing)
    yield* Fiber.join(happening)
    return yield* on(1)(asAdmin(org)(Settled.compare(org)))
  })

/** WHY not all in a normal run: each takes a second; of the 56, a fourth has every change and every other thing. */
const isPlayed = (change: number, other: number): boolean =>
  process.env.ATTESTRY_DEEP !== undefined || (change + other) % 4 === 0

layer(Servers.layer, { excludeTestServices: true })("a change that waits", (it) => {
  for (const [at, [changed, change]] of Object.entries(CHANGES).entries())
    for (const [other, [happened, meanwhile]] of Object.entries(MEANWHILES).entries()) {
      if (!isPlayed(at, other)) continue
      it.effect(
        `${changed}, while ${happened}`,
        () =>
          Effect.map(replay(change, meanwhile), ({ shown, asserted }) =>
            assert.deepStrictEqual(shown, asserted)
          ),
        LONG
      )
    }

  it.effect(
    "the tags of a flow, behind a long report, while their policy is attached to another environment",
    () =>
      Effect.gen(function* () {
        const { on } = yield* Servers.Servers
        const { url } = yield* PgLayer.TestDatabase
        const org = yield* on(0)(Fixture.org)
        const at = (request: Changes.Request) => on(0)(asAdmin(org)(request(org)))
        yield* at(Changes.prepare)
        yield* at(() => Changes.attach(org, "second", "tags"))
        const reporting = yield* PgLayer.connect(url)
        const lock = "select from environment where org_id = $1 and name = 'second' for update"
        yield* Effect.promise(() => reporting.query("begin"))
        yield* Effect.promise(() => reporting.query(lock, [org.id]))
        const tagging = yield* Effect.fork(at(() => Changes.tag(org, "build", "high")))
        yield* Servers.untilDoneOrWaiting(tagging, 1)
        yield* at(() => Changes.attach(org, "first", "tags"))
        yield* at(() => Changes.report(org, "first", ["a"]))
        yield* Effect.promise(() => reporting.query("rollback"))
        yield* Fiber.join(tagging)
        const { shown, asserted } = yield* on(0)(asAdmin(org)(Settled.compare(org)))
        assert.deepStrictEqual(shown.first, {
          rows: [["a", "NonCompliant"]],
          verdict: "NonCompliant"
        })
        assert.deepStrictEqual(shown, asserted)
      }).pipe(Effect.scoped),
    LONG
  )
})
