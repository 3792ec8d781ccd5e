/**
 * A change of a flow waits for evaluations that are under way, and nothing else waits for it meanwhile: reports go
 * on, and so does evidence, also of new trails of the flow.
 */
import * as Fixture from "@attestry/core/testing/Fixture"
import * as HistoryFixture from "@attestry/core/testing/HistoryFixture"
import { begin } from "@attestry/core/testing/VisibilitySuite"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as PgLayer from "../shared/PgLayer.js"
import * as UseCaseLayer from "../shared/UseCaseLayer.js"

/** The second key of the lock that changes of flows and evaluations share. */
const FLOWS_LOCK = 1

import * as Servers from "../staleness/Servers.js"

/** As an evaluation that lasts as long as the work. */
const whileEvaluation = <A, E, R>(org: string, work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { url } = yield* PgLayer.TestDatabase
    const client = yield* PgLayer.connect(url)
    const call = (name: string) =>
      Effect.promise(() => client.query(`select ${name}(hashtext($1), ${FLOWS_LOCK})`, [org]))
    return yield* Effect.acquireUseRelease(
      call("pg_advisory_lock_shared"),
      () => work,
      () => call("pg_advisory_unlock_shared")
    )
  }).pipe(Effect.scoped)

const TAG = { _tag: "Tag", flow: 0, risk: "high" } as const
const BUILD = { _tag: "Build", flow: 0, trail: 0, content: 0 } as const
const ATTEST: HistoryFixture.HistoryCommand = {
  _tag: "Attest",
  flow: 0,
  trail: 0,
  content: 0,
  isCompliant: true,
  isOverride: false
}
const reportOf = (content: number) =>
  ({ _tag: "Report", environment: 0, contents: [content] }) as const

const ALL = { concurrency: "unbounded" } as const

const prepare = Effect.gen(function* () {
  const { on } = yield* Servers.Servers
  const org = yield* on(0)(Fixture.org)
  let count = 0
  const happen = (said: HistoryFixture.HistoryCommand) => {
    count += 1
    const asAdmin = UseCaseLayer.as(Fixture.actor([org, "admin"]))
    return on(count % 2 === 0 ? 0 : 1)(asAdmin(HistoryFixture.happen(org, said, count)))
  }
  yield* on(0)(UseCaseLayer.as(Fixture.actor([org, "admin"]))(begin(org)))
  yield* happen(BUILD)
  return { org, happen }
})

layer(Servers.layer, { excludeTestServices: true })("a change of a flow", (it) => {
  it.effect("waits for an evaluation, while reports and evidence go on", () =>
    Effect.gen(function* () {
      const { org, happen } = yield* prepare
      const tagging = yield* whileEvaluation(
        org.id,
        Effect.gen(function* () {
          const tagging = yield* Effect.fork(happen(TAG))
          yield* Effect.sleep("100 millis")
          for (const said of [reportOf(0), ATTEST, reportOf(1), { ...BUILD, trail: 1 }])
            yield* Effect.timeoutFail(happen(said), {
              duration: "1500 millis",
              onTimeout: () => new Error(`${said._tag} waits`)
            })
          assert.isTrue((yield* Fiber.poll(tagging))._tag === "None")
          return tagging
        })
      )
      yield* Fiber.join(tagging)
    })
  )

  it.effect("comes to its end while reports never pause", () =>
    Effect.gen(function* () {
      const { happen } = yield* prepare
      const reporter = Effect.iterate(0, {
        while: () => true,
        body: (at) => Effect.as(happen(reportOf(at % 3)), at + 1)
      })
      const reporting = yield* Effect.fork(Effect.all([reporter, reporter, reporter], ALL))
      const changes = [TAG, { ...TAG, risk: "low" }, { _tag: "Rename", flow: 0 } as const]
      yield* Effect.forEach(changes, (said) =>
        Effect.timeoutFail(happen(said), {
          duration: "20 seconds",
          onTimeout: () => new Error(`${said._tag} waits`)
        })
      )
      yield* Fiber.interrupt(reporting)
    })
  )
})
