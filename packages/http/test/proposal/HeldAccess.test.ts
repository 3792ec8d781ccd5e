/** AC-18: each use case that gives access, or opens a way to it, asks the protections of its org first. */
import { assert, beforeAll, it } from "vitest"
import { fixtureOf } from "../grant/GrantFixture.js"
import { type CallOptions, onBothStores } from "../shared/TestServer.js"

/** The changes, each of which would be made without the protections. */
const CHANGES: ReadonlyArray<readonly [operation: string, options: CallOptions]> = [
  [
    "PUT /grants/{org}",
    { body: { subject: { kind: "user", name: "mia" }, space: "/", role: "member" } }
  ],
  ["PUT /memberships/{org}/{login}", { path: { login: "mia" }, body: { role: "admin" } }],
  ["POST /service-accounts/{org}", { body: { name: "robot", privilege: "member" } }],
  ["PUT /sign-in/{org}", { body: { session_hours: 8 } }],
  ["PUT /protections/{org}", { body: { protections: [] } }]
]

onBothStores("protected access", (server) => {
  const { call } = server
  const { person } = fixtureOf(server)

  beforeAll(async () => {
    await person("mia", "reader")
    const protections = [{ kinds: ["access", "sign-in"] }]
    const { body, status } = await call("PUT /protections/{org}", { body: { protections } })
    assert.strictEqual(status, 200, JSON.stringify(body))
  })

  for (const [operation, options] of CHANGES)
    it(`holds ${operation}`, async () => {
      const { body, status } = await call(operation, options)
      assert.strictEqual(status, 403, JSON.stringify(body))
      assert.include(JSON.stringify(body), "propose it")
    })
})
