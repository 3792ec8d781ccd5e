/** The feature flag of controls: evaluated on each request, before any record is read. */
import { Effect, Option } from "effect"
import { assert, describe, it } from "vitest"
import * as FeatureFlags from "../../src/shared/FeatureFlags.js"
import { type CallOptions, onEveryStore, type TestServer } from "../shared/TestServer.js"

const path = { identifier: "CTL-7", version: "1" }

/** Every operation with the feature flag, with an otherwise valid request. */
const calls = ({ call }: TestServer, options: CallOptions = {}) => [
  () => call("POST /controls/{org}", { body: { identifier: "CTL-7", name: "n" }, ...options }),
  () => call("GET /controls/{org}", options),
  () => call("GET /controls/{org}/{identifier}", { path, ...options }),
  () => call("PUT /controls/{org}/{identifier}", { path, body: { name: "m" }, ...options }),
  () => call("POST /controls/{org}/{identifier}/archive", { path, ...options }),
  () => call("POST /controls/{org}/{identifier}/unarchive", { path, ...options }),
  () => call("GET /controls/{org}/{identifier}/coverage", { path, ...options }),
  () => call("GET /controls/{org}/{identifier}/versions", { path, ...options }),
  () => call("GET /controls/{org}/{identifier}/versions/{version}", { path, ...options }),
  () => call("GET /controls/{org}/{identifier}/decisions", { path, ...options }),
  () => call("GET /control-coverage/{org}", options),
  () => call("GET /controls/{org}/tags", options),
  () =>
    call("PATCH /tags/{org}/{resource_type}/{resource_id}", {
      path: { resource_type: "control", resource_id: "CTL-7" },
      body: { set_tags: { a: "b" } },
      ...options
    }),
  () =>
    call("POST /attestations/{org}/{flow_name}/trail/{trail_name}/system", {
      path: { flow_name: "f", trail_name: "t" },
      body: {
        attestation_name: "approval",
        type_name: "decision",
        control: "CTL-7",
        attestation_data: { is_compliant: true }
      },
      ...options
    })
]

const statuses = async (server: TestServer, options?: CallOptions) => {
  const found: Array<number> = []
  for (const ask of calls(server, options)) found.push((await ask()).status)
  return found
}

describe("FeatureFlags.byMode", () => {
  const actor = { kind: "user", id: "", name: "", key_id: "" as never, memberships: [] } as const
  const ask = (mode: FeatureFlags.Mode, ...values: ReadonlyArray<string>) =>
    Option.getOrNull(
      Effect.runSync(
        FeatureFlags.byMode(mode, "set the switch").closed({
          feature: "controls",
          org: "acme",
          actor,
          headers: (name) => (name === "x-beta-features" ? values : [])
        })
      )
    )

  it("enables a feature always, never, or by header", () => {
    assert.isNull(ask("on"))
    assert.include(ask("off", "controls") ?? "", "set the switch")
    assert.include(ask("header") ?? "", "X-Beta-Features: controls")
    assert.isNull(ask("header", "controls"))
    assert.isNull(ask("header", "other, Controls"))
    assert.isNull(ask("header", "other", "controls"))
    assert.isNotNull(ask("header", "control", "controlsx", ""))
  })
})

onEveryStore(
  "the gate of controls, closed",
  (server) => {
    it("is 403 for every operation, with how to enable it", async () => {
      for (const ask of calls(server)) {
        const { status, body } = await ask()
        assert.strictEqual(status, 403)
        assert.deepStrictEqual(body, {
          message: "The feature 'controls' is in beta and not enabled here: ask the operator"
        })
      }
      const header = { headers: { "x-beta-features": "controls" } }
      assert.deepStrictEqual([...new Set(await statuses(server, header))], [403])
      assert.isFalse((await server.journal()).some(({ kind }) => kind.startsWith("control")))
    })

    it("is evaluated after the credential and the role, and before the body", async () => {
      assert.deepStrictEqual([...new Set(await statuses(server, { as: "nobody" }))], [401])
      const { call } = server
      const denied = await call("POST /controls/{org}", { body: {}, as: "member" })
      assert.deepStrictEqual(denied.body, {
        message: "You don't have permission to access this resource"
      })
      assert.strictEqual((await call("POST /controls/{org}", { body: {} })).status, 403)
    })

    it("does not affect other operations", async () => {
      const made = await server.call("PUT /flows/{org}", { body: { name: "f", description: "" } })
      assert.strictEqual(made.status, 201)
      const tagged = await server.call("PATCH /tags/{org}/{resource_type}/{resource_id}", {
        path: { resource_type: "flow", resource_id: "f" },
        body: { set_tags: { a: "b" } },
        as: "member"
      })
      assert.strictEqual(tagged.status, 200)
    })
  },
  { flags: FeatureFlags.byMode("off", "ask the operator") }
)

onEveryStore(
  "the gate of controls, for those who ask",
  (server) => {
    it("is enabled by the header of each request", async () => {
      assert.deepStrictEqual([...new Set(await statuses(server))], [403])
      const header = { headers: { "X-Beta-Features": "controls" } }
      assert.deepStrictEqual(
        await statuses(server, header),
        [201, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 201]
      )
      assert.deepStrictEqual([...new Set(await statuses(server))], [403])
    })
  },
  { flags: FeatureFlags.byMode("header", "") }
)
