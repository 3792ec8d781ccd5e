/**
 * F-8: evidence of many environments becomes too old at one instant while no server runs. Two servers then start,
 * and one of them is killed again and again: each environment is evaluated once, as of the instant, and none is
 * forgotten.
 *
 * 150 environments and three kills in `pnpm test:full`, 1,000 and ten in `pnpm test:faults`.
 */
import { Effect, Redacted } from "effect"
import { assert, describe, it } from "vitest"
import * as PgLayer from "../../sql-store/test/shared/PgLayer.js"
import * as TimeTravel from "../../sql-store/test/shared/TimeTravel.js"
import * as Load from "./history/HistoryLoad.js"
import { onDatabase } from "./shared/Database.js"
import { start } from "./shared/ServerProcess.js"

const IS_LONG = process.env.ATTESTRY_FAULTS === "1"
const ENVIRONMENTS = IS_LONG ? 1_000 : 150
const KILLS = IS_LONG ? 10 : 3
const AT_ONCE = 8

const CONTENT = "a".repeat(64)

const POLICY =
  "_schema: https://example.org/policy/v2\nartifacts:\n" +
  "  attestations: [{type: generic, name: scan, max_age: 1h}]\n"

/** One artifact with a scan, and the policy that asks for it. */
const evidence = (org: string): ReadonlyArray<Load.Request> => [
  { method: "PUT", path: `/flows/${org}`, body: { name: "build", description: "" } },
  {
    method: "POST",
    path: `/artifacts/${org}/build`,
    body: {
      fingerprint: CONTENT,
      filename: "shop",
      build_url: "https://ci.example.org/1",
      commit_url: "https://git.example.org/1",
      trail_name: "one",
      template_reference_name: "app"
    }
  },
  {
    method: "POST",
    path: `/attestations/${org}/build/trail/one/generic`,
    body: { attestation_name: "scan", is_compliant: true, artifact_fingerprint: CONTENT }
  },
  { method: "PUT", path: `/policies/${org}/rules`, body: { policy_yaml: POLICY } }
]

/** An environment with the policy that runs the artifact. */
const environment = (org: string, index: number): ReadonlyArray<Load.Request> => [
  {
    method: "PUT",
    path: `/environments/${org}`,
    body: { name: `env-${index}`, type: "server", policies: ["rules"] }
  },
  {
    method: "PUT",
    path: `/environments/${org}/env-${index}/report/server`,
    body: { artifacts: [{ digests: { shop: CONTENT }, creationTimestamp: 1 }] }
  }
]

/** What the database says of each environment. */
const STATES = `select e.name, e.due_at, e.verdict,
    (select count(*)::int from snapshot s
      where s.org_id = e.org_id and s.environment_id = e.environment_id) as snapshots,
    (select count(*)::int from snapshot s where s.org_id = e.org_id and s.environment_id = e.environment_id
      and s.is_decay and s.timestamp = (select a.created_at + 3600000000 from attestation a)) as decays,
    (select count(*)::int from journal j where j.org_id = e.org_id and j.subject_id = e.environment_id
      and j.kind = 'snapshot_created' and convert_from(j.content, 'UTF8')::jsonb ->> 'cause' = 'decay') as entries
  from environment e order by e.name`

const waitUntil = async (isSo: () => Promise<boolean>, millis: number): Promise<number> => {
  const began = Date.now()
  while (!(await isSo())) {
    assert.isBelow(Date.now() - began, millis, "it took too long")
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return Date.now() - began
}

describe("due environments", () => {
  it(`are each evaluated once by two servers, of which one is killed ${KILLS} times`, {
    timeout: 120_000 + 400 * ENVIRONMENTS
  }, async () => {
    await onDatabase(async (env) => {
      const first = await start(env)
      const [org, key] = [first.org ?? "", first.key ?? ""]
      const ask = async (asked: Load.Request) =>
        assert.isBelow((await Load.ask(first.url, key, asked)).status, 300, JSON.stringify(asked))
      for (const each of evidence(org)) await ask(each)
      const indexes = Array.from({ length: ENVIRONMENTS }, (_, index) => index)
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (let index = indexes.pop(); index !== undefined; index = indexes.pop())
            for (const each of environment(org, index)) await ask(each)
        })
      )
      assert.strictEqual(await first.stop("SIGTERM"), 0)
      await Effect.gen(function* () {
        const database = yield* PgLayer.open(Redacted.make(env.ATTESTRY_DATABASE_URL))
        const states = () => Effect.runPromise(database.query(STATES))
        const before = yield* Effect.promise(states)
        assert.strictEqual(before.length, ENVIRONMENTS)
        for (const { due_at, snapshots, verdict } of before)
          assert.deepStrictEqual([due_at !== null, snapshots, verdict], [true, 1, "Compliant"])
        yield* TimeTravel.moveBack(database, 61)
        yield* Effect.promise(async () => {
          const servers = [await start(env), await start(env)]
          const isDone = async () => (await states()).every(({ due_at }) => due_at === null)
          for (let kill = 0; kill < KILLS; kill++) {
            await new Promise((resolve) => setTimeout(resolve, 100))
            await servers[1]?.stop("SIGKILL")
            servers[1] = await start(env)
          }
          const millis = await waitUntil(isDone, 60_000)
          // WHY printed: notes and documents quote the figure.
          console.log(`${ENVIRONMENTS} environments, done ${millis} ms after the last start`)
          for (const { decays, entries, name, snapshots, verdict } of await states())
            assert.deepStrictEqual(
              [name, snapshots, decays, entries, verdict],
              [name, 2, 1, 1, "NonCompliant"]
            )
          for (const server of servers) assert.strictEqual(await server.stop("SIGTERM"), 0)
        })
      }).pipe(Effect.scoped, Effect.runPromise)
    })
  })
})
