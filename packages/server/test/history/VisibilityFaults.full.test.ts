/**
 * HIST-1 while eight callers write evidence and three report, on two servers of which one after the other is killed:
 * afterwards what was known when gives every recorded decision again.
 *
 * Two kills in `pnpm test:full`, twenty in `pnpm test:faults`.
 */
import { OrgName } from "@attestry/core/Identifier"
import { OrgStore } from "@attestry/core/OrgStore"
import * as VisibilityLaws from "@attestry/core/testing/VisibilityLaws"
import * as PgStore from "@attestry/sql-store/PgStore"
import { Effect, Option, Redacted } from "effect"
import { assert, describe, it } from "vitest"
import { onDatabase } from "../shared/Database.js"
import { start } from "../shared/ServerProcess.js"
import * as Load from "./HistoryLoad.js"

const KILLS = process.env.ATTESTRY_FAULTS === "1" ? 20 : 2
/** Accepted writes between two kills. */
const BETWEEN = 60

const { attestation, artifact, save, tag } = Load

/** Checks the laws on the database itself; answers how many rows were decided again. */
const reproduced = (url: string, name: string): Promise<number> =>
  Effect.gen(function* () {
    const found = yield* (yield* OrgStore).find({ name: OrgName.make(name) })
    return yield* VisibilityLaws.check(Option.getOrThrow(found).id, Load.CONTENTS)
  }).pipe(Effect.provide(PgStore.layer({ url: Redacted.make(url) })), Effect.runPromise)

describe("what was known when", () => {
  it(`HIST-1: gives every recorded decision again after ${KILLS} kills of servers`, {
    timeout: 120_000 + 60_000 * KILLS
  }, async () => {
    await onDatabase(async (env) => {
      const first = await start(env)
      const [org, key] = [first.org ?? "", first.key ?? ""]
      const servers = [first, await start(env)]
      for (const each of Load.prepared(org))
        assert.isBelow((await Load.ask(first.url, key, each)).status, 300)
      const writes = [artifact, attestation, attestation, attestation, tag, save] as const
      const { load, callers } = Load.start(servers, { key, org }, writes)
      for (let kill = 0; kill < KILLS; kill++) {
        await Load.more(load, BETWEEN)
        await servers[kill % 2]?.stop("SIGKILL")
        servers[kill % 2] = await start(env)
      }
      load.going = false
      await callers
      // 404 is an attestation before its trail or artifact; 0 is a server that was killed.
      assert.isTrue(
        [...load.refused.keys()].every((status) => [0, 400, 404, 503].includes(status)),
        JSON.stringify([...load.refused])
      )
      assert.isAbove(await reproduced(env.ATTESTRY_DATABASE_URL, org), 10)
      for (const server of servers) assert.strictEqual(await server.stop("SIGTERM"), 0)
    })
  })
})
