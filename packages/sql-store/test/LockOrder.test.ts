/**
 * LOCK-1: transactions take locks in one order, so that no two wait for each other: PostgreSQL counts none that it
 * ended. ARCHITECTURE, "Transactions and the journal"
 */
import type { CurrentActor } from "@attestry/core/Actor"
import { Environments } from "@attestry/core/Environments"
import { Flows } from "@attestry/core/Flows"
import { EnvironmentName, FlowName } from "@attestry/core/Identifier"
import type { Org } from "@attestry/core/Org"
import { PolicyAttachments } from "@attestry/core/PolicyAttachments"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as HistoryFixture from "@attestry/core/testing/HistoryFixture"
import { begin } from "@attestry/core/testing/VisibilitySuite"
import type { UseCases } from "@attestry/core/UseCases"
import { assert, layer } from "@effect/vitest"
import { Effect, Either, FastCheck, Fiber } from "effect"
import { lengthForRun } from "../../core/test/shared/Effort.js"
import * as PgLayer from "./shared/PgLayer.js"
import * as UseCaseLayer from "./shared/UseCaseLayer.js"
import * as Servers from "./staleness/Servers.js"

const WRITERS = 8
const COUNT = lengthForRun({ quick: 60, full: 200, deep: 1_500 })

const GROUP = EnvironmentName.make("all")
const [FIRST = GROUP, SECOND = GROUP] = HistoryFixture.ENVIRONMENTS

type Request = Effect.Effect<unknown, unknown, UseCases | CurrentActor>

/** Gives the logical environment these members. */
const include = (org: Org, members: ReadonlyArray<string>): Request =>
  Effect.flatMap(Environments, (environments) =>
    environments.put(org.name, { name: GROUP, type: "logical", included_environments: members })
  )

const attach = (org: Org, policy: string): Request =>
  Effect.flatMap(PolicyAttachments, (attachments) =>
    attachments.attach(org.name, GROUP, { names: [policy], mode: "enforce" })
  )

const report = (org: Org, contents: ReadonlyArray<number>, count: number): Request =>
  HistoryFixture.happen(org, { _tag: "Report", environment: 0, contents }, count)

/** Requests about environments, a logical one, flows, evidence and policies. */
const request: FastCheck.Arbitrary<(org: Org, count: number) => Request> = FastCheck.oneof(
  ...[HistoryFixture.report, HistoryFixture.evidence, HistoryFixture.command].map((drawn) =>
    drawn.map((said) => (org: Org, count: number) => HistoryFixture.happen(org, said, count))
  ),
  FastCheck.subarray(HistoryFixture.ENVIRONMENTS).map(
    (members) => (org: Org) => include(org, members)
  ),
  FastCheck.constantFrom(...HistoryFixture.POLICIES).map(
    (policy) => (org: Org) => attach(org, policy)
  )
)

/** How often the database had to end a transaction of two that waited for each other. Ends every connection. */
const deadlocks = Effect.gen(function* () {
  const { query } = yield* PgLayer.TestDatabase
  const others = "datname = current_database() and pid <> pg_backend_pid()"
  // WHY: a connection tells its counts when it ends.
  yield* query(`select pg_terminate_backend(pid, 10000) from pg_stat_activity where ${others}`)
  const [row] = yield* query(
    "select deadlocks::int4 as count from pg_stat_database where datname = current_database()"
  )
  return row?.count
})

/** An org with what lives begin with and a logical environment, and how an admin asks a server. */
const life = Effect.gen(function* () {
  const { on } = yield* Servers.Servers
  const org = yield* on(0)(Fixture.org)
  const ask = (server: 0 | 1, asked: Request) =>
    on(server)(UseCaseLayer.as(Fixture.actor([org, "admin"]))(asked))
  yield* ask(0, Effect.zipRight(begin(org), include(org, [])))
  return { org, ask }
})

/** Begins one request, then another while the first waits, and lets both go on. */
const crossing = (
  kind: string,
  first: Effect.Effect<unknown, unknown, Servers.Servers>,
  second: Effect.Effect<unknown, unknown, Servers.Servers>
) =>
  Effect.gen(function* () {
    const { holding } = yield* Servers.Servers
    const begun = yield* holding(
      kind,
      Effect.gen(function* () {
        const one = yield* Effect.fork(first)
        yield* Servers.untilDoneOrWaiting(one, 1)
        const other = yield* Effect.fork(second)
        yield* Servers.untilDoneOrWaiting(other, 2)
        return [one, other]
      })
    )
    return yield* Effect.forEach(begun, (fiber) => Effect.either(Fiber.join(fiber)))
  })

layer(Servers.layer, { excludeTestServices: true })("a report and a logical environment", (it) => {
  it.effect("that takes another member wait for each other in one order", () =>
    Effect.gen(function* () {
      const { ask, org } = yield* life
      yield* ask(0, include(org, [FIRST]))
      yield* ask(0, report(org, [0], 1))
      const ended = yield* crossing(
        "snapshot_created",
        ask(0, report(org, [0, 1], 2)),
        ask(1, include(org, [FIRST, SECOND]))
      )
      assert.deepStrictEqual(ended.map(Either.isRight), [true, true])
      assert.strictEqual(yield* deadlocks, 0)
    })
  )
})

/** Lets who makes a flow wait, once it has the name, before it takes the row of the former name. */
const HOLD_FORMER = `
  create function hold_former() returns trigger language plpgsql as $$
    begin
      if exists (select from attestry.flow where org_id = old.org_id and name = old.name) then
        perform pg_advisory_xact_lock_shared(hashtext('hold'), hashtext('former name'));
      end if;
      return old;
    end $$;
  create trigger hold_former before delete on flow_former_name for each row execute function hold_former()`

layer(Servers.layer, { excludeTestServices: true })("a flow that is made", (it) => {
  it.effect("and one that is renamed to its name wait for each other in one order", () =>
    Effect.gen(function* () {
      const { ask, org } = yield* life
      const { query } = yield* PgLayer.TestDatabase
      yield* query(HOLD_FORMER)
      const [old, name] = [FlowName.make("old"), FlowName.make("name")]
      const put = Effect.flatMap(Flows, (flows) =>
        flows.put(org.name, { name: old, description: "" })
      )
      const rename = (from: FlowName, to: FlowName) =>
        Effect.flatMap(Flows, (flows) => flows.rename(org.name, from, to))
      yield* ask(0, Effect.zipRight(put, rename(old, name)))
      const [made, renamed] = yield* crossing("former name", ask(0, put), ask(1, rename(name, old)))
      assert.deepStrictEqual(made, Either.right("created"))
      assert.include(JSON.stringify(renamed), "FlowNameTaken")
      assert.strictEqual(yield* deadlocks, 0)
    })
  )
})

layer(Servers.layer, { excludeTestServices: true })("an environment that is made", (it) => {
  it.effect("and one that is renamed to its name wait for each other in one order", () =>
    Effect.gen(function* () {
      const { ask, org } = yield* life
      const name = EnvironmentName.make("new")
      const [made, renamed] = yield* crossing(
        "environment_created",
        ask(
          0,
          Effect.flatMap(Environments, (each) => each.put(org.name, { name, type: "K8S" }))
        ),
        ask(
          1,
          Effect.flatMap(Environments, (each) => each.rename(org.name, FIRST, name))
        )
      )
      assert.deepStrictEqual(made, Either.right("created"))
      assert.include(JSON.stringify(renamed), "EnvironmentNameTaken")
      assert.strictEqual(yield* deadlocks, 0)
    })
  )
})

layer(Servers.layer, { excludeTestServices: true })("requests of every kind", (it) => {
  it.effect(
    `of ${WRITERS} writers on two servers wait for each other in one order`,
    () =>
      Effect.gen(function* () {
        const { ask, org } = yield* life
        yield* Effect.forEach(
          FastCheck.sample(request, COUNT),
          (made, at) => ask(at % 2 === 0 ? 0 : 1, made(org, 1_000 + at)),
          { concurrency: WRITERS, discard: true }
        )
        assert.strictEqual(yield* deadlocks, 0)
      }),
    { timeout: 600_000 }
  )
})
