/** Invitations on the wire: made, looked at, accepted by a new person or a caller, revoked, and listed. */
import { OrgName } from "@attestry/core/Identifier"
import * as LogFinding from "@attestry/core/LogFinding"
import { LogVerification } from "@attestry/core/LogVerification"
import { Orgs } from "@attestry/core/Orgs"
import { RecordVerification } from "@attestry/core/RecordVerification"
import * as TableFinding from "@attestry/core/TableFinding"
import { Effect } from "effect"
import { assert, it } from "vitest"
import {
  ADDRESS_HEADER,
  onBothStores,
  onEveryStore,
  type TestServer
} from "../shared/TestServer.js"

const LIST = "/invitations/{org}"
const REVOKE = `POST ${LIST}/{invitation_id}/revoke`
const LOOK = "POST /invitation/look"
const ACCEPT = "POST /invitation/accept"
const JOIN = "POST /invitation/join"

interface Made {
  readonly id: string
  readonly secret: string
  readonly link: string
  readonly created_at: number
  readonly expires_at: number
}

const CLOSED = {
  message: "this invitation is not valid: it is wrong, was used or revoked, or has expired"
}

const inviting =
  ({ call }: TestServer) =>
  async (body: object = { role: "reader" }) => {
    const answer = await call(`POST ${LIST}`, { body })
    assert.strictEqual(answer.status, 201, JSON.stringify(answer.body))
    return answer.body as Made
  }

onBothStores("POST /invitations/{org}", (server) => {
  const { call } = server
  const invite = inviting(server)
  const accept = (body: object) => call(ACCEPT, { as: "nobody", body })
  const look = (secret: string) => call(LOOK, { as: "nobody", body: { secret } })

  it("answers the link once, and the rest of it in the list", async () => {
    const sent = {
      role: "member",
      login: "zoe.miller@example.org",
      display_name: "Zoë 🦉",
      email: "zoe@example.org"
    }
    const { secret, link, ...rest } = await invite({ ...sent, days: 30 })
    assert.match(secret, /^attestry_invitation_[0-9a-f]{28}_[0-9A-Za-z]{36}$/)
    assert.match(link, /^https?:\/\/[^#]+\/_\/invitation#attestry_invitation_/)
    assert.isTrue(link.endsWith(`#${secret}`))
    assert.approximately(rest.expires_at - rest.created_at, 30 * 86_400, 0.01)
    const { body } = await call(`GET ${LIST}`)
    const { invitations, total_count } = body as {
      invitations: ReadonlyArray<object>
      total_count: number
    }
    assert.strictEqual(total_count, 1)
    assert.deepStrictEqual(invitations, [rest])
    assert.deepInclude(rest as object, {
      ...sent,
      state: "open",
      created_by: "ada",
      accepted_by: null,
      accepted_at: null,
      revoked_by: null,
      revoked_at: null
    })
    assert.notInclude(JSON.stringify(invitations), secret.slice(-36))
  })

  it("ends after seven days by default", async () => {
    const { created_at, expires_at } = await invite()
    assert.approximately(expires_at - created_at, 7 * 86_400, 0.01)
  })

  it("keeps the limits of its fields, on both sides", async () => {
    const status = async (body: object) =>
      (await call(`POST ${LIST}`, { body: { role: "reader", ...body } })).status
    for (const good of [
      { days: 1 },
      { days: 30 },
      { login: "a" },
      { login: "a".repeat(255) },
      { display_name: "x".repeat(128) },
      { email: `a@${"b".repeat(318)}` }
    ])
      assert.strictEqual(await status(good), 201, JSON.stringify(good))
    for (const bad of [
      { days: 0 },
      { days: 31 },
      { days: 1.5 },
      { login: "" },
      { login: "Zoe" },
      { login: "zoe miller" },
      { login: "github:zoe" },
      { login: "-zoe" },
      { login: "zоe" },
      { login: "a".repeat(256) },
      { display_name: "" },
      { display_name: "x".repeat(129) },
      { email: "zoe" },
      { email: "zoe@x y" },
      { email: `a@${"b".repeat(319)}` },
      { role: "owner" },
      { name: "x" }
    ])
      assert.strictEqual(await status(bad), 400, JSON.stringify(bad))
  })

  it("makes a person with the role, a key and a session, once", async () => {
    const { secret, id } = await invite({ role: "member", display_name: "Kim" })
    const looked = await look(secret)
    assert.strictEqual(looked.status, 200)
    assert.strictEqual(looked.headers.get("cache-control"), "no-store")
    const { expires_at: _end, ...shown } = looked.body as { expires_at: number }
    assert.deepStrictEqual(shown, {
      org: "acme",
      role: "member",
      created_by: "ada",
      login: null,
      display_name: "Kim"
    })
    assert.deepStrictEqual((await accept({ secret })).status, 400)
    assert.strictEqual((await accept({ secret, login: "ada" })).status, 409)
    const accepted = await accept({ secret, login: "kim" })
    assert.strictEqual(accepted.status, 201, JSON.stringify(accepted.body))
    assert.strictEqual(accepted.headers.get("cache-control"), "no-store")
    const { api_key, csrf_token, ...member } = accepted.body as {
      api_key: string
      csrf_token: string
    }
    assert.deepStrictEqual(member, { org: "acme", role: "member", login: "kim" })
    const byKey = { authorization: `Bearer ${api_key}` }
    const cookie = accepted.headers.get("set-cookie")?.split(";")[0] ?? ""
    const flow = { as: "nobody" as const, body: { name: "f", description: "" } }
    assert.strictEqual((await call("PUT /flows/{org}", { ...flow, headers: byKey })).status, 201)
    const bySession = { cookie, "x-csrf-token": csrf_token }
    assert.strictEqual(
      (await call("PUT /flows/{org}", { ...flow, headers: bySession })).status,
      200
    )
    assert.deepStrictEqual([(await look(secret)).body, (await look(secret)).status], [CLOSED, 404])
    const again = await accept({ secret, login: "kim2" })
    assert.deepStrictEqual([again.status, again.body], [404, CLOSED])
    const { body } = await call(`GET ${LIST}`, { query: "?per_page=100" })
    const { invitations } = body as { invitations: ReadonlyArray<{ id: string }> }
    const found = invitations.find((each) => each.id === id)
    assert.deepInclude(found as object, { state: "accepted", accepted_by: "kim" })
    assert.strictEqual((await call(REVOKE, { path: { invitation_id: id } })).status, 409)
  })

  it("gives a fixed login, and no other", async () => {
    const { secret } = await invite({ role: "reader", login: "lee", display_name: "L" })
    const other = await accept({ secret, login: "lea" })
    assert.deepStrictEqual(
      [other.status, other.body],
      [409, { message: "this invitation is for `lee`" }]
    )
    const { status } = await accept({ secret, display_name: "Lee" })
    assert.strictEqual(status, 201)
    const { body } = await call("GET /memberships/{org}")
    const { members } = body as { members: ReadonlyArray<{ login: string; user: string }> }
    assert.strictEqual(members.find(({ login }) => login === "lee")?.user, "Lee")
  })

  it("lets one of two win who accept at once", async () => {
    const { secret } = await invite()
    const answers = await Promise.all(["one", "two"].map((login) => accept({ secret, login })))
    assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [201, 404])
  })

  it("adds the membership to a person who is signed in, and makes no key", async () => {
    const { secret } = await invite({ role: "snapshotter" })
    assert.strictEqual((await call("GET /flows/{org}", { as: "foreigner" })).status, 403)
    const joined = await call(JOIN, { as: "foreigner", body: { secret } })
    assert.deepStrictEqual(
      [joined.status, joined.body],
      [200, { org: "acme", role: "snapshotter", login: "fay" }]
    )
    assert.strictEqual((await call("GET /flows/{org}", { as: "foreigner" })).status, 200)
    const { secret: next } = await invite({ role: "admin" })
    const again = await call(JOIN, { as: "foreigner", body: { secret: next } })
    assert.deepStrictEqual(
      [again.status, again.body],
      [409, { message: "`fay` is a member of org `acme` already" }]
    )
    assert.strictEqual((await call(JOIN, { as: "nobody", body: { secret: next } })).status, 401)
    assert.strictEqual((await look(next)).status, 200)
  })

  it("is for people: a service account is refused", async () => {
    const { secret } = await invite()
    await call("POST /service-accounts/{org}", { body: { name: "ci", privilege: "admin" } })
    const made = await call("POST /service-accounts/{org}/{name}/api-keys", {
      path: { name: "ci" },
      body: { description: "d" }
    })
    const headers = { authorization: `Bearer ${(made.body as { key: string }).key}` }
    const { status, body } = await call(JOIN, { as: "nobody", headers, body: { secret } })
    assert.deepStrictEqual(
      [status, body],
      [403, { message: "only a person accepts an invitation" }]
    )
  })

  it("needs the CSRF token of a session to join", async () => {
    const { secret } = await invite()
    const opened = await call("POST /session", { as: "reader" })
    const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? ""
    const { status } = await call(JOIN, { as: "nobody", headers: { cookie }, body: { secret } })
    assert.strictEqual(status, 403)
  })

  it("gives nothing after it was revoked, and like any wrong secret", async () => {
    const { secret, id } = await invite()
    const revoked = await call(REVOKE, { path: { invitation_id: id } })
    assert.strictEqual(revoked.status, 200)
    assert.deepInclude(revoked.body, { id, state: "revoked", revoked_by: "ada" })
    assert.deepStrictEqual((await call(REVOKE, { path: { invitation_id: id } })).body, revoked.body)
    const wrong = `${secret.slice(0, -1)}${secret.endsWith("0") ? "1" : "0"}`
    for (const given of [secret, wrong, "", "x"]) {
      const answers = [
        await look(given),
        await accept({ secret: given, login: "eve" }),
        await call(JOIN, { as: "foreigner", body: { secret: given } })
      ]
      for (const { status, body } of answers) assert.deepStrictEqual([status, body], [404, CLOSED])
    }
    const unknown = "00000000-0000-0000-0000-00000000"
    const { status } = await call(REVOKE, { path: { invitation_id: unknown } })
    assert.strictEqual(status, 404)
  })

  it("refuses a secret that is too long, without showing it", async () => {
    assert.strictEqual((await look("x".repeat(128))).status, 404)
    const { status, body } = await look("x".repeat(129))
    assert.strictEqual(status, 400)
    assert.notInclude(JSON.stringify(body), "xxxx")
  })

  it("has entries that only admins read, without the check of the secret in the log", async () => {
    const { secret } = await invite({ role: "reader", email: "private@example.org" })
    await accept({ secret, login: "noa" })
    const { body } = await call("GET /journal/{org}", { query: "?per_page=100" })
    const text = JSON.stringify(body)
    assert.include(text, "invitation_made")
    assert.include(text, "invitation_accepted")
    assert.include(text, "private@example.org")
    assert.notInclude(text, secret.slice(-36))
    const events = await call("GET /events/{org}", { query: "?limit=100" })
    assert.include(JSON.stringify(events.body), "invitation_made")
    assert.notInclude(JSON.stringify(events.body), '"check"')
    const seen = await call("GET /events/{org}", { as: "reader", query: "?limit=100" })
    assert.notInclude(JSON.stringify(seen.body), "private@example.org")
  })
})

onBothStores("erasure of the names of an invitation", (server) => {
  const { call, run } = server
  const problems = () =>
    run(
      Effect.gen(function* () {
        const { id } = yield* (yield* Orgs).get(OrgName.make(server.org))
        const { findings } = yield* (yield* LogVerification).verify(id)
        const records = yield* (yield* RecordVerification).verify(id, 5)
        return [...findings.map(LogFinding.print), ...records.map(TableFinding.print)]
      })
    )

  it("leaves the invitation, and a journal that fits it", async () => {
    const names = { login: "grete", display_name: "Grete H", email: "grete@example.org" }
    const { secret } = await inviting(server)({ role: "reader", ...names })
    assert.deepStrictEqual(await problems(), [])
    const accepted = await call(ACCEPT, { as: "nobody", body: { secret } })
    assert.strictEqual(accepted.status, 201)
    for (const value of Object.values(names)) {
      const { status, body } = await call("POST /erasures/{org}", {
        body: { value, reason: "asked", preview: false }
      })
      assert.strictEqual(status, 200, JSON.stringify(body))
    }
    const { body } = await call(`GET ${LIST}`)
    const [left] = (body as { invitations: ReadonlyArray<object> }).invitations
    assert.deepInclude(left, {
      state: "accepted",
      login: "**ERASED**",
      display_name: "**ERASED**",
      email: "**ERASED**",
      accepted_by: "**ERASED**"
    })
    assert.deepStrictEqual(await problems(), [])
  })
})

onEveryStore(
  "wrong secrets of invitations",
  (server) => {
    it("count as failed authentications of their source", async () => {
      const { secret } = await inviting(server)()
      const look = async (given: string, address: string) => {
        const headers = { [ADDRESS_HEADER]: address }
        const body = { secret: given }
        return (await server.call(LOOK, { as: "nobody", headers, body })).status
      }
      for (const expected of [404, 404, 404, 429])
        assert.strictEqual(await look("wrong", "192.0.2.7"), expected)
      assert.strictEqual(await look(secret, "192.0.2.7"), 200)
      assert.strictEqual(await look("wrong", "192.0.2.8"), 404)
    })
  },
  { limits: { failuresPerSource: 3 } }
)
