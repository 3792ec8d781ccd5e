/** Silences of environments on the wire. SPEC §3.23 */
import { ref } from "@attestry/core/Environment"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { OrgName } from "@attestry/core/Identifier"
import { OrgStore } from "@attestry/core/OrgStore"
import { RecordVerification } from "@attestry/core/RecordVerification"
import { Transaction } from "@attestry/core/Transaction"
import { Effect, Option } from "effect"
import { assert, it } from "vitest"
import { policyYaml } from "../policy/Policies.js"
import { onBothStores } from "../shared/TestServer.js"
import { found, silence } from "./Silence.js"

interface Shown {
  readonly name: string
  readonly silent_since: number | null
  readonly report_every: number | null
  readonly last_reported_at: number | null
}

interface ShownSnapshot {
  readonly compliant: boolean
  readonly verdict: string
  readonly reasons: ReadonlyArray<{ readonly type: string; readonly description: string }>
}

onBothStores("silences of environments", (server) => {
  const { call, org, run, journal } = server
  const get = async (env_name: string, query = "") =>
    (await call("GET /environments/{org}/{env_name}", { path: { env_name }, query })).body as Shown
  const report = (env_name: string) =>
    call("PUT /environments/{org}/{env_name}/report/server", {
      path: { env_name },
      body: { artifacts: [{ digests: { app: "a".repeat(64) }, creationTimestamp: 1 }] }
    })
  const namesOf = async (query: string) =>
    ((await call("GET /environments/{org}", { query })).body as ReadonlyArray<Shown>).map(
      ({ name }) => name
    )

  it("are shown, filter lists in both ways, end with a report, and are in the journal", async () => {
    await call("PUT /environments/{org}", { body: { name: "steady", type: "server" } })
    await silence(server, "silent")
    const { last_reported_at, silent_since } = await get("silent")
    assert.closeTo(silent_since ?? 0, (last_reported_at ?? 0) + 60, 0.001)
    assert.deepStrictEqual(await namesOf("?silent=true"), ["silent"])
    assert.include(await namesOf("?silent=false"), "steady")
    assert.notInclude(await namesOf("?silent=false"), "silent")
    const paged = await call("GET /environments/{org}", { query: "?silent=true&per_page=5" })
    assert.strictEqual((paged.body as { total_count: number }).total_count, 1)
    const during = Date.now() / 1_000
    assert.strictEqual((await report("silent")).status, 200)
    assert.isNull((await get("silent")).silent_since)
    assert.deepStrictEqual(await namesOf("?silent=true"), [])
    const then = await get("silent", `?as_of=${during}`)
    assert.deepStrictEqual([then.silent_since, then.report_every], [silent_since, 60])
    const kinds = (await journal()).map(({ kind }) => kind)
    assert.include(kinds, "environment_silent")
    assert.include(kinds, "environment_reporting")
  })

  it("follow from the journal, wherever they end", async () => {
    await silence(server, "open")
    await silence(server, "ended")
    await call("PATCH /environments/{org}/{env_name}", {
      path: { env_name: "ended" },
      body: { report_every: null }
    })
    assert.isNull((await get("ended")).silent_since)
    const findings = await run(
      Effect.gen(function* () {
        const { id } = Option.getOrThrow(yield* (yield* OrgStore).find({ name: OrgName.make(org) }))
        return yield* (yield* RecordVerification).verify(id, 5)
      })
    )
    assert.deepStrictEqual(findings, [])
  })

  it("give snapshots their verdict and a reason, also as of an instant", async () => {
    await call("PUT /policies/{org}/{name}", {
      path: { name: "any" },
      body: { policy_yaml: policyYaml("  provenance: {required: false}\n") }
    })
    const settings = { report_every: 60, when_silent: "non_compliant" }
    await call("PUT /environments/{org}", { body: { name: "red", type: "server", ...settings } })
    await report("red")
    await run(
      Effect.gen(function* () {
        const { environment, now } = yield* found(org, "red")
        const { openSilence } = yield* EnvironmentStore
        yield* (yield* Transaction).run(environment.org_id, () =>
          openSilence(ref(environment), now)
        )
      })
    )
    await call("POST /environments/{org}/{env_name}/policies", {
      path: { env_name: "red" },
      body: { policy_names: ["any"] }
    })
    const path = { env_name: "red", snapshot_expression: "-1" }
    const read = async (below: string, query = "") =>
      (await call(`GET /snapshots/{org}/{env_name}/{snapshot_expression}${below}`, { path, query }))
        .body as ShownSnapshot
    for (const shown of [await read(""), await read("", "?as_of=now")]) {
      assert.isFalse(shown.compliant)
      assert.deepStrictEqual(
        shown.reasons.map(({ type }) => type),
        ["environment_silent"]
      )
      assert.match(shown.reasons[0]?.description ?? "", /1 minute/)
    }
    const short = await read("/rows")
    assert.deepStrictEqual([short.verdict, short.reasons.length], ["NonCompliant", 1])
    await report("red")
    const after = await read("")
    assert.deepStrictEqual([after.compliant, after.reasons], [true, []])
  })
})
