/**
 * LOG-28 on a PostgreSQL that is killed: a number that was called visible is never committed later.
 *
 * WHY a crash matters: the server forgets draws whose records had not reached the disk, and gives their numbers again.
 */
import { LogStore } from "@attestry/core/LogStore"
import * as EmbeddedPostgres from "@attestry/embedded-postgres/EmbeddedPostgres"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Schedule } from "effect"
import pg from "pg"
import { effort } from "../../../core/test/shared/Effort.js"
import * as ServerFixture from "../../../embedded-postgres/test/ServerFixture.js"
import * as PgStore from "../../src/pg/PgStore.js"
import * as PgLayer from "../shared/PgLayer.js"

/** More numbers than PostgreSQL draws ahead of what it has written. */
const DRAWS = 40
const KILLS = effort(1, 20)

/** Nothing but a commit brings records to the disk. */
const settings = { ...ServerFixture.settings, wal_writer_delay: "10s" }

const often = Schedule.intersect(Schedule.spaced("50 millis"), Schedule.recurs(600))

const connected = (url: string) =>
  Effect.acquireRelease(
    Effect.tryPromise(async () => {
      const client = new pg.Client({ connectionString: url })
      client.on("error", () => undefined)
      await client.connect()
      return client
    }).pipe(Effect.retry(often)),
    (client) => Effect.promise(() => client.end().catch(() => undefined))
  )

const draw = (client: pg.Client) =>
  Effect.promise(async () => {
    const { rows } = await client.query("select nextval('attestry.journal_sequence')::int4 as n")
    return Number(rows[0]?.n)
  })

/** Whose death the server must recover from: its own, or that of a backend, after which it starts itself anew. */
const VICTIMS = ["server", "backend"] as const

const victimOf = (victim: (typeof VICTIMS)[number], dataDir: string, client: pg.Client) =>
  victim === "server"
    ? ServerFixture.postmasterIn(dataDir)
    : Effect.promise(async () => {
        const { rows } = await client.query("select pg_backend_pid() as pid")
        return Number(rows[0]?.pid)
      })

describe.each(VICTIMS)("visible numbers after a crash of the %s", (victim) => {
  it.scopedLive(
    "LOG-28: forgets what it knew",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* ServerFixture.dataDir
        const { url } = yield* EmbeddedPostgres.make({ dataDir, settings })
        yield* PgStore.migrate({ url })
        const services = yield* Layer.build(PgLayer.layerOn({ url }))
        const visibleUpTo = Effect.flatMap(LogStore, (store) => store.visibility).pipe(
          Effect.map(({ upTo }) => upTo),
          Effect.provide(services)
        )
        let again = 0
        for (let round = 0; round < KILLS; round++) {
          const lost = yield* connected(Redacted.value(url))
          yield* Effect.promise(() => lost.query("begin"))
          for (let count = 0; count < DRAWS; count++) yield* draw(lost)
          const drawn = yield* draw(lost)
          yield* Effect.promise(() => lost.query("rollback"))
          assert.isAtLeast(yield* visibleUpTo, drawn)
          process.kill(yield* victimOf(victim, dataDir, lost), "SIGKILL")
          const client = yield* connected(Redacted.value(url))
          yield* Effect.promise(() => client.query("begin"))
          const number = yield* draw(client)
          if (number <= drawn) again += 1
          assert.isBelow(yield* Effect.retry(visibleUpTo, often), number)
          yield* Effect.promise(() => client.query("commit"))
          assert.isAtLeast(yield* visibleUpTo, number)
        }
        // The test would prove nothing if the server remembered every draw.
        assert.isAbove(again, 0)
      }),
    60_000 + KILLS * 20_000
  )
})
