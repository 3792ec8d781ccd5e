/** Denied attempts are recorded outside of the journal, and repetitions are not recorded. */
import { DeniedAttemptStore } from "@attestry/core/DeniedAttemptStore"
import { Effect } from "effect"
import { assert, it } from "vitest"
import { onEveryStore } from "../shared/TestServer.js"

onEveryStore("denied attempts", ({ call, run, journal }) => {
  const kept = (org: string) =>
    run(Effect.flatMap(DeniedAttemptStore, (store) => store.list({ org, limit: 100 })))

  it("are recorded once for each actor, operation and minute, by every check that denies", async () => {
    const before = (await journal()).length
    const body = { name: "denied", description: "" }
    for (let index = 0; index < 5; index++) {
      await call("PUT /flows/{org}", { as: "reader", body })
      await call("PUT /flows/{org}", { as: "foreigner", body })
    }
    await call("POST /service-accounts/{org}", {
      body: { name: "above", privilege: "admin" },
      as: "member"
    })
    await call("PUT /flows/{org}", { as: "nobody", body })
    const attempts = await kept("acme")
    const seen = new Set(attempts.map(({ actor, operation }) => `${actor.name} ${operation}`))
    assert.deepStrictEqual([...seen].sort(), [
      "fay flow.put",
      "max serviceAccount.create",
      "rob flow.put"
    ])
    // WHY: a minute may end between two requests.
    assert.isAtMost(attempts.length, 6)
    assert.strictEqual((await journal()).length, before)
  })

  it("have the org of the path, also one that does not exist", async () => {
    await call("GET /flows/{org}/{flow_name}", { path: { org: "no-such-org", flow_name: "f" } })
    assert.isAtLeast((await kept("no-such-org")).length, 1)
  })

  it("are recorded with an encoded name where a store cannot hold the name", async () => {
    await call("GET /snapshots/{org}/{env_name}", { path: { org: "no\0org", env_name: "e" } })
    assert.isAtLeast((await kept("no%00org")).length, 1)
  })
})
