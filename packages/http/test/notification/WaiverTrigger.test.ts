/** What changes of waivers add to the outbox. SPEC §6.1 */
import { OutboxStore } from "@attestry/core/OutboxStore"
import { Effect } from "effect"
import { assert, it } from "vitest"
import { policyYaml } from "../policy/Policies.js"
import { onEveryStore, type TestServer } from "../shared/TestServer.js"

const textOf = (
  environment: string,
  {
    change,
    number,
    state
  }: { readonly change: string; readonly number: number; readonly state: string }
): string => `${environment}: ${number} ${change}, ${state}`

/** The notifications that wait, as environment, change and state; none waits afterwards. */
const takeAll = ({ run }: TestServer): Promise<ReadonlyArray<string>> =>
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
      return claimed
        .map(({ notification }) =>
          notification.event_type === "WAIVER_CHANGED"
            ? textOf(notification.environment, notification.waiver)
            : notification.event_type
        )
        .sort()
    })
  )

onEveryStore("ON_WAIVER_CHANGED", (server) => {
  const { call } = server
  const decide = (what: "approve" | "reject" | "revoke", number: number, body = {}) =>
    call(`POST /waivers/{org}/{number}/${what}`, { path: { number: String(number) }, body })

  it("fires once for each change and each environment that the waiver reaches", async () => {
    await call("PUT /policies/{org}/{name}", {
      path: { name: "rules" },
      body: { policy_yaml: policyYaml("  provenance:\n    required: true\n") }
    })
    for (const name of ["east", "west"])
      await call("PUT /environments/{org}", { body: { name, type: "server", policies: ["rules"] } })
    await call("PUT /environments/{org}", { body: { name: "apart", type: "server" } })
    const subscribed = await call("PUT /actions/{org}/environments", {
      body: {
        name: "waivers",
        environments: ["east", "west", "apart"],
        triggers: ["ON_WAIVER_CHANGED"],
        targets: [{ type: "CHAT", webhook: "https://chat.example.org/a" }]
      }
    })
    assert.strictEqual(subscribed.status, 200, JSON.stringify(subscribed.body))
    const request = async (fields: object) => {
      const made = await call("POST /waivers/{org}", {
        body: {
          policy_name: "rules",
          reason: "the scanner is down",
          owner: "max",
          expires_at: Math.floor(Date.now() / 1000) + 86_400,
          ...fields
        },
        as: "member"
      })
      assert.strictEqual(made.status, 201, JSON.stringify(made.body))
      return (made.body as { readonly number: number }).number
    }
    const both = await request({})
    assert.deepStrictEqual(await takeAll(server), [
      `east: ${both} requested, requested`,
      `west: ${both} requested, requested`
    ])
    assert.strictEqual((await decide("approve", both)).status, 200)
    const approved = await takeAll(server)
    assert.include(approved, `east: ${both} approved, active`)
    assert.include(approved, `west: ${both} approved, active`)
    assert.strictEqual(new Set(approved).size, approved.length)
    assert.strictEqual((await decide("approve", both)).status, 409)
    assert.deepStrictEqual(await takeAll(server), [])
    await decide("revoke", both, { reason: "fixed" })
    assert.deepStrictEqual(await takeAll(server), [
      `east: ${both} revoked, revoked`,
      `west: ${both} revoked, revoked`
    ])
    const one = await request({ environment: "east" })
    await decide("reject", one, { comment: "no" })
    assert.deepStrictEqual(await takeAll(server), [
      `east: ${one} rejected, rejected`,
      `east: ${one} requested, requested`
    ])
  })
})
