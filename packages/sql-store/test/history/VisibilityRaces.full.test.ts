/**
 * HIST-1 while eight callers write evidence and three report, on two servers, with forced waits and connections that
 * are killed: afterwards what was known when gives every recorded decision again.
 */
import * as Fixture from "@attestry/core/testing/Fixture"
import * as HistoryFixture from "@attestry/core/testing/HistoryFixture"
import * as VisibilityLaws from "@attestry/core/testing/VisibilityLaws"
import { begin } from "@attestry/core/testing/VisibilitySuite"
import { assert, layer } from "@effect/vitest"
import { Effect, FastCheck, Fiber, Schedule } from "effect"
import { effort } from "../../../core/test/shared/Effort.js"
import * as PgLayer from "../shared/PgLayer.js"
import * as UseCaseLayer from "../shared/UseCaseLayer.js"
import * as Servers from "../staleness/Servers.js"

const ROUNDS = effort(1, 12)
const WIDE_ROUNDS = effort(1, 6)
const WRITERS = 8
const REPORTERS = 3
const REQUESTS_EACH = effort(10, 60)

/** So long transactions that record an entry of a kind wait before they commit. */
const HELD_FOR = "40 millis"

/** Entries that are recorded after a number is drawn, or just before. */
const HELD = [
  "artifact_attestation_reported",
  "snapshot_created",
  "flow_tagged",
  "trail_attestation_reported",
  "artifact_creation_reported",
  "flow_renamed"
]

const drawn = (command: FastCheck.Arbitrary<HistoryFixture.HistoryCommand>, callers: number) =>
  FastCheck.sample(
    FastCheck.array(command, { minLength: REQUESTS_EACH, maxLength: REQUESTS_EACH }),
    callers
  )

const writes = FastCheck.oneof(
  { weight: 8, arbitrary: HistoryFixture.evidence },
  { weight: 1, arbitrary: HistoryFixture.command }
)

/** Lets one kind of entry after another wait, without end. */
const holdInTurn = Effect.flatMap(Servers.Servers, ({ holding }) =>
  Effect.forever(Effect.forEach(HELD, (kind) => holding(kind, Effect.sleep(HELD_FOR))))
)

/** Ends a connection that is in a transaction, now and then, as the end of its process would. */
const killNowAndThen = Effect.flatMap(PgLayer.TestDatabase, ({ query }) =>
  Effect.repeat(
    query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
        and query not like '%hold%' order by random() limit 1`),
    Schedule.spaced("300 millis")
  )
)

const round = Effect.gen(function* () {
  const { on } = yield* Servers.Servers
  const org = yield* on(0)(Fixture.org)
  const asAdmin = UseCaseLayer.as(Fixture.actor([org, "admin"]))
  yield* on(0)(asAdmin(begin(org)))
  let count = 1_000
  const ask = (caller: number, said: HistoryFixture.HistoryCommand) => {
    count += 1
    const request = asAdmin(HistoryFixture.happen(org, said, count))
    // WHY: a request that is refused, killed or given up after conflicts has changed nothing.
    return Effect.ignore(on(caller % 2 === 0 ? 0 : 1)(request))
  }
  const callers = [...drawn(writes, WRITERS), ...drawn(HistoryFixture.report, REPORTERS)]
  const disturbing = yield* Effect.fork(
    Effect.all([holdInTurn, killNowAndThen], { concurrency: "unbounded" })
  )
  yield* Effect.forEach(
    callers,
    (calls, caller) => Effect.forEach(calls, (said) => ask(caller, said)),
    { concurrency: "unbounded", discard: true }
  )
  yield* Fiber.interrupt(disturbing)
  return yield* on(0)(VisibilityLaws.check(org.id, HistoryFixture.CONTENTS))
})

const rounds = (count: number) =>
  Effect.gen(function* () {
    let checked = 0
    for (let at = 0; at < count; at++) checked += yield* round
    assert.isAbove(checked, 10)
  })

const NAME = "HIST-1: gives every recorded decision again after any order of waits"

layer(Servers.layer, { excludeTestServices: true })("what was known when, under races", (it) => {
  it.effect(NAME, () => rounds(ROUNDS), { timeout: 600_000 })
})

layer(Servers.layerWide, { excludeTestServices: true })(
  "G-15: the same with wide evidence",
  (it) => {
    it.effect(NAME, () => rounds(WIDE_ROUNDS), { timeout: 600_000 })
  }
)
