/** `GET /whoami` and `GET /meta`. */
import { assert, it } from "vitest"
import * as FeatureFlags from "../../src/shared/FeatureFlags.js"
import { onEveryStore } from "../shared/TestServer.js"

interface Caller {
  readonly type: string
  readonly name: string
  readonly orgs: ReadonlyArray<object>
  readonly api_key: {
    readonly id: string
    readonly description: string
    readonly expires_at: number | null
  }
}

onEveryStore("GET /whoami", ({ call, keyOf }) => {
  it("tells a user with its role in each org and its key, without a secret", async () => {
    const { status, body } = await call("GET /whoami", { as: "reader" })
    assert.strictEqual(status, 200)
    const caller = body as Caller
    assert.deepInclude(caller, { type: "user", name: "rob" })
    assert.deepStrictEqual(caller.orgs, [{ name: "acme", role: "reader" }])
    assert.include(keyOf("reader"), caller.api_key.id.replaceAll("-", ""))
    assert.isNull(caller.api_key.expires_at)
    assert.notInclude(JSON.stringify(body), keyOf("reader"))
  })

  it("tells a service account, and when its key ends", async () => {
    await call("POST /service-accounts/{org}", { body: { name: "robot", privilege: "member" } })
    const made = await call("POST /service-accounts/{org}/{name}/api-keys", {
      path: { name: "robot" },
      body: { description: "ci", expires_at: 4_000_000_000 }
    })
    const { id, key } = made.body as { readonly id: string; readonly key: string }
    const options = { as: "nobody", headers: { authorization: `Bearer ${key}` } } as const
    const { body } = await call("GET /whoami", options)
    assert.deepInclude(body as Caller, {
      type: "service-account",
      name: "robot",
      orgs: [{ name: "acme", role: "member" }]
    })
    assert.deepInclude((body as Caller).api_key, {
      id,
      description: "ci",
      expires_at: 4_000_000_000
    })
    await call("POST /service-accounts/{org}/{name}/api-keys/{key_id}/rotate", {
      path: { name: "robot", key_id: id },
      body: { grace_period_hours: 1 }
    })
    const rotated = (await call("GET /whoami", options)).body as Caller
    assert.isBelow(rotated.api_key.expires_at ?? 0, Date.now() / 1000 + 3_700)
  })

  it("is 401 without a key", async () => {
    assert.strictEqual((await call("GET /whoami", { as: "nobody" })).status, 401)
    assert.strictEqual((await call("GET /meta", { as: "nobody" })).status, 401)
  })
})

onEveryStore(
  "GET /meta",
  ({ call }) => {
    it("tells version, features and limits, the same to every caller", async () => {
      const { status, body } = await call("GET /meta", { as: "foreigner" })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body, {
        version: "unknown",
        api_version: "2.0",
        features: {
          controls: false,
          dry_run: true,
          environment_type_aliases: true,
          idempotency_keys: true,
          return_representation: true
        },
        limits: {
          json_bytes_max: 1_048_576,
          report_bytes_max: 16_777_216,
          form_json_bytes_max: 409_600,
          form_parts_max: 20,
          file_bytes_max: 10_485_760,
          query_parameters_max: 1_024,
          per_page_default: 15,
          per_page_max: 100,
          requests_per_minute_per_org: 1_200_000,
          writes_per_minute_per_org: 60_000,
          requests_per_minute_per_key: 777
        }
      })
    })

    it("shows a beta feature to a request that asks for it", async () => {
      const { body } = await call("GET /meta", { headers: { "x-beta-features": "controls" } })
      assert.deepInclude((body as { readonly features: object }).features, { controls: true })
    })
  },
  { flags: FeatureFlags.byMode("header", ""), limits: { perCredential: 777 } }
)
