/** AC-18: each use case that gives access, or opens a way to it, asks the protections of its org first. */
import { assert, beforeAll, it } from "vitest"
import { fixtureOf } from "../grant/GrantFixture.js"
import { type CallOptions, onBothStores } from "../shared/TestServer.js"
import { trustYaml } from "../trust-policy/TrustPolicyTexts.js"

/** The changes, each of which would be made without the protections. */
const CHANGES: ReadonlyArray<readonly [operation: string, options: CallOptions]> = [
  [
    "PUT /grants/{org}",
    { body: { subject: { kind: "user", name: "mia" }, space: "/", role: "member" } }
  ],
  ["PUT /memberships/{org}/{login}", { path: { login: "mia" }, body: { role: "admin" } }],
  ["POST /service-accounts/{org}", { body: { name: "robot", privilege: "member" } }],
  ["PUT /sign-in/{org}", { body: { session_hours: 8 } }],
  ["PUT /trust-policy/{org}", { body: { trust_yaml: trustYaml() } }],
  [
    "PUT /waiver-settings/{org}",
    {
      body: { max_days: 365, approvals_required: 1, approver_role: "admin", self_approval: false }
    }
  ],
  ["PUT /protections/{org}", { body: { protections: [] } }]
]

onBothStores("protected access", (server) => {
  const { call } = server
  const { as, person } = fixtureOf(server)

  beforeAll(async () => {
    await person("mia", "reader")
    await person("amy", "admin")
    const protections = [{ kinds: ["access", "sign-in", "trust", "waiver"] }]
    const { body, status } = await call("PUT /protections/{org}", { body: { protections } })
    assert.strictEqual(status, 200, JSON.stringify(body))
  })

  for (const [operation, options] of CHANGES)
    it(`holds ${operation}`, async () => {
      const { body, status } = await call(operation, options)
      assert.strictEqual(status, 403, JSON.stringify(body))
      assert.include(JSON.stringify(body), "propose it")
    })

  it("lets settings of waivers that ask for more be set at once", async () => {
    const body = {
      max_days: 30,
      approvals_required: 2,
      approver_role: "admin",
      self_approval: false
    }
    assert.strictEqual((await call("PUT /waiver-settings/{org}", { body })).status, 200)
  })

  it("makes a version of the trust policy once another person has approved it", async () => {
    const made = await call("POST /proposals/{org}", {
      body: { operation: "trustPolicy.put", body: { trust_yaml: trustYaml() }, reason: "a new key" }
    })
    assert.strictEqual(made.status, 201, JSON.stringify(made.body))
    const { digest, number, subjects } = Object(made.body)
    assert.deepStrictEqual(subjects, [{ type: "trust-policy", name: server.org }])
    const approve = (options: CallOptions) =>
      call("POST /proposals/{org}/{number}/approve", {
        path: { number: String(number) },
        body: { digest },
        ...options
      })
    assert.strictEqual((await approve({})).status, 403)
    assert.strictEqual((await call("GET /trust-policy/{org}")).status, 404)
    const approved = await approve(as("amy"))
    assert.strictEqual(approved.status, 200, JSON.stringify(approved.body))
    assert.deepInclude((await call("GET /trust-policy/{org}")).body, { version: 1 })
  })
})
