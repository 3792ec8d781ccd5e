/** What warnings of policies on trial add to the outbox. SPEC §6.1, MODE-1 */
import { OutboxStore } from "@attestry/core/OutboxStore"
import { Effect } from "effect"
import { assert, it } from "vitest"
import { policyYaml } from "../policy/Policies.js"
import { policyEnvironment } from "../policy/PolicyEnvironment.js"
import { c1, E, evidenceOf, F } from "../shared/Evidence.js"
import { onEveryStore, type TestServer } from "../shared/TestServer.js"

/** The notifications that wait, oldest first; none waits afterwards. */
const takeAll = ({ run }: TestServer): Promise<ReadonlyArray<readonly [string, string]>> =>
  run(
    Effect.gen(function* () {
      const outbox = yield* OutboxStore
      const claimed = yield* outbox.claim({ limit: 100, perQueue: 100, leaseMillis: 60_000 })
      yield* outbox.settle(
        claimed.map(({ org_id, id, token }) => ({
          org_id,
          id,
          token,
          outcome: { _tag: "Delivered" as const }
        }))
      )
      return claimed.map(({ notification }) => [notification.event_type, notification.description])
    })
  )

onEveryStore("ON_WARNED_ENV", (server) => {
  const { call } = server
  it("fires when rows gain a first warning, once for a snapshot, and for logical environments", async () => {
    const env = policyEnvironment(server, "trial")
    const flow = evidenceOf(server, "trial")
    await env.create()
    await call("PUT /environments/{org}", {
      body: { name: "all", type: "logical", description: "", included_environments: ["trial"] }
    })
    const subscribed = await call("PUT /actions/{org}/environments", {
      body: {
        name: "warnings",
        environments: ["trial", "all"],
        triggers: ["ON_WARNED_ENV", "ON_NON_COMPLIANT_ENV", "ON_COMPLIANT_ENV"],
        targets: [{ type: "CHAT", webhook: "https://chat.example.org/a" }]
      }
    })
    assert.strictEqual(subscribed.status, 200, JSON.stringify(subscribed.body))
    await env.policy("on-trial", policyYaml("  attestations:\n    - {type: generic, name: unit}\n"))
    await flow.artifact("t1", "api", F, c1)
    await env.report(["one", F], ["two", E])
    assert.deepStrictEqual(await takeAll(server), [])
    await call("POST /environments/{org}/{env_name}/policies", {
      path: { env_name: "trial" },
      body: { policy_names: ["on-trial"], mode: "warn" }
    })
    assert.sameDeepMembers(
      [...(await takeAll(server))],
      [
        ["ENVIRONMENT_WARNED", "policies on trial warn about 2 more artifacts in trial"],
        ["ENVIRONMENT_WARNED", "policies on trial warn about 2 more artifacts in all"]
      ]
    )
    await env.report(["one", F], ["two", E], ["three", E])
    assert.include(
      (await takeAll(server)).map(([, description]) => description),
      "policies on trial warn about 1 more artifact in trial"
    )
    await flow.generic("t1", "unit", true)
    await env.report(["one", F], ["two", E], ["three", E])
    assert.deepStrictEqual(await takeAll(server), [])
    await flow.generic("t1", "unit", false)
    await env.report(["one", F], ["two", E], ["three", E])
    assert.include(
      (await takeAll(server)).map(([, description]) => description),
      "policies on trial warn about 1 more artifact in trial"
    )
  })
})
