/** Browser sessions on the wire. */
import { createHash } from "node:crypto"
import { assert, it } from "vitest"
import { type CallOptions, onEveryStore, type TestServer } from "../shared/TestServer.js"

const CSRF = { message: "The CSRF token is missing or wrong: send it as X-CSRF-Token" }
const KEY_REQUIRED = {
  message: "Input payload validation failed",
  errors: { api_key: "Field required [input: None]" }
}
const body = { name: "by-cookie", description: "" }

const open = async ({ call, keyOf }: TestServer, as: "admin" | "reader" = "admin") => {
  const api_key = keyOf(as)
  const answer = await call("POST /session", { as: "nobody", body: { api_key } })
  const cookie = (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
  const { csrf_token } = answer.body as { csrf_token: string }
  return { answer, cookie, token: csrf_token }
}

onEveryStore("POST /session, DELETE /session", (server) => {
  const { call, keyOf } = server

  it("starts with a key and sets a cookie that scripts and other sites cannot use", async () => {
    const { answer, cookie } = await open(server)
    assert.strictEqual(answer.status, 201)
    const header = answer.headers.get("set-cookie") ?? ""
    for (const part of ["HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=43200"]) {
      assert.include(header, part)
    }
    assert.hasAllKeys(answer.body, ["csrf_token"])
    assert.notInclude(JSON.stringify(answer.body), cookie.split("=")[1] ?? "")
    const read = await call("GET /user/default-org", { as: "nobody", headers: { cookie } })
    assert.strictEqual(read.status, 200)
  })

  it("reads by cookie, and writes only with the token", async () => {
    const { cookie, token } = await open(server)
    const by = (headers: CallOptions["headers"]) =>
      call("PUT /flows/{org}", { as: "nobody", body, headers: { cookie, ...headers } })
    const read = await call("GET /user/default-org", { as: "nobody", headers: { cookie } })
    assert.strictEqual(read.status, 200)
    for (const headers of [{}, { "x-csrf-token": "" }, { "x-csrf-token": `${token}x` }]) {
      const answer = await by(headers)
      assert.deepStrictEqual([answer.status, answer.body], [403, CSRF])
    }
    assert.isBelow((await by({ "x-csrf-token": token })).status, 300)
    const other = await open(server)
    assert.strictEqual((await by({ "x-csrf-token": other.token })).status, 403)
  })

  it("authenticates a request with an Authorization header by that alone", async () => {
    const { cookie } = await open(server)
    const by = (authorization: string) =>
      call("PUT /flows/{org}", { as: "nobody", body, headers: { cookie, authorization } })
    assert.isBelow((await by(`Bearer ${keyOf("admin")}`)).status, 300)
    assert.strictEqual((await by(`Bearer ${keyOf("reader")}`)).status, 403)
    for (const wrong of ["", "Bearer x", "Token x"]) {
      assert.strictEqual((await by(wrong)).status, 401)
    }
  })

  it("has the role of the owner of the key, and cannot start another session", async () => {
    const { cookie, token } = await open(server, "reader")
    const headers = { cookie, "x-csrf-token": token }
    const put = await call("PUT /flows/{org}", { as: "nobody", body, headers })
    assert.strictEqual(put.status, 403)
    assert.notDeepEqual(put.body, CSRF)
    const again = await call("POST /session", { as: "nobody", headers })
    assert.deepStrictEqual([again.status, again.body], [400, KEY_REQUIRED])
  })

  it("starts with a key in the body or in the header, and the header has precedence", async () => {
    const api_key = keyOf("admin")
    const statusOf = async (options: CallOptions) =>
      (await call("POST /session", { as: "nobody", ...options })).status
    assert.strictEqual(await statusOf({ headers: { authorization: `Bearer ${api_key}` } }), 201)
    for (const wrong of ["", "Bearer x", `Basic ${btoa(`${api_key}:`)}`]) {
      assert.strictEqual(
        await statusOf({ body: { api_key }, headers: { authorization: wrong } }),
        401
      )
    }
    assert.strictEqual(await statusOf({ body: { api_key: "wrong" } }), 401)
    assert.strictEqual(await statusOf({ body: { api_key: "" } }), 401)
    const none = await call("POST /session", { as: "nobody" })
    assert.deepStrictEqual([none.status, none.body], [400, KEY_REQUIRED])
    const odd = await call("POST /session", { as: "nobody", body: { api_key: [api_key] } })
    assert.strictEqual(odd.status, 400)
    assert.notInclude(JSON.stringify(odd.body), api_key)
  })

  it("ends on request, with a token", async () => {
    const { cookie, token } = await open(server)
    const end = (headers: CallOptions["headers"]) =>
      call("DELETE /session", { as: "nobody", headers: { cookie, ...headers } })
    assert.strictEqual((await end({})).status, 403)
    const ended = await end({ "x-csrf-token": token })
    assert.deepStrictEqual([ended.status, ended.body], [200, "OK"])
    assert.include(ended.headers.get("set-cookie") ?? "", "Max-Age=0")
    assert.strictEqual(
      (await call("GET /user/default-org", { as: "nobody", headers: { cookie } })).status,
      401
    )
  })

  it("ends with its key", async () => {
    await call("POST /service-accounts/{org}", { body: { name: "web", privilege: "reader" } })
    const path = { name: "web" }
    const made = await call("POST /service-accounts/{org}/{name}/api-keys", {
      path,
      body: { description: "d" }
    })
    const { id, key } = made.body as { id: string; key: string }
    const opened = await call("POST /session", {
      as: "nobody",
      headers: { authorization: `Bearer ${key}` }
    })
    const cookie = (opened.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
    const read = () => call("GET /user/default-org", { as: "nobody", headers: { cookie } })
    assert.strictEqual((await read()).status, 200)
    await call("DELETE /service-accounts/{org}/{name}/api-keys/{key_id}", {
      path: { ...path, key_id: id }
    })
    assert.strictEqual((await read()).status, 401)
  })

  it("is 401 for cookies without a session", async () => {
    const { cookie } = await open(server)
    const changed = cookie.replace(/.$/, (last) => (last === "0" ? "1" : "0"))
    for (const wrong of ["attestry_session=", "attestry_session=x", "other=1", changed]) {
      const answer = await call("GET /user/default-org", {
        as: "nobody",
        headers: { cookie: wrong }
      })
      assert.strictEqual(answer.status, 401)
      assert.strictEqual(answer.headers.get("www-authenticate"), "Bearer")
    }
  })
})

onEveryStore("GET /session", (server) => {
  const { call, keyOf } = server
  const read = (headers: CallOptions["headers"] = {}) =>
    call("GET /session", { as: "nobody", headers })

  it("says who is signed in, where, and what they may do", async () => {
    const { cookie, token } = await open(server)
    const { status, body, headers } = await read({ cookie })
    assert.strictEqual(status, 200)
    assert.strictEqual(headers.get("cache-control"), "no-store")
    const { actor, csrf_token, orgs, expires_at, ...rest } = body as {
      actor: { kind: string; id: string; name: string }
      csrf_token: string
      expires_at: number
      orgs: ReadonlyArray<{ name: string; role: string; permissions: ReadonlyArray<string> }>
    }
    assert.strictEqual(csrf_token, token)
    assert.deepStrictEqual(rest, { default_org: null, sign_in: [] })
    assert.deepStrictEqual([actor.kind, actor.name], ["user", "ada"])
    assert.match(actor.id, /^[0-9a-f-]{32,36}$/)
    assert.deepStrictEqual(
      orgs.map(({ name, role }) => [name, role]),
      [[server.org, "admin"]]
    )
    assert.includeMembers([...(orgs[0]?.permissions ?? [])], ["org.read", "membership.write"])
    const remaining = expires_at - Date.now() / 1_000
    assert.isTrue(remaining > 43_000 && remaining <= 43_260, String(remaining))
  })

  it("has the permissions of the role and the default org", async () => {
    const { cookie, token } = await open(server, "reader")
    const before = (await read({ cookie })).body as { default_org: string | null }
    assert.isNull(before.default_org)
    await call("PUT /user/{org}", { as: "nobody", headers: { cookie, "x-csrf-token": token } })
    const { body } = await read({ cookie })
    const { default_org, orgs } = body as { default_org: string; orgs: ReadonlyArray<unknown> }
    assert.strictEqual(default_org, server.org)
    assert.deepStrictEqual(orgs, [{ name: server.org, role: "reader", permissions: ["org.read"] }])
  })

  it("gives a token that writes", async () => {
    const { cookie } = await open(server)
    const { csrf_token } = (await read({ cookie })).body as { csrf_token: string }
    const written = await call("PUT /flows/{org}", {
      as: "nobody",
      body,
      headers: { cookie, "x-csrf-token": csrf_token }
    })
    assert.isBelow(written.status, 300)
  })

  it("is 401 without a session, with an ended one, and with a key instead", async () => {
    assert.strictEqual((await read()).status, 401)
    assert.strictEqual((await read({ authorization: `Bearer ${keyOf("admin")}` })).status, 401)
    const { cookie, token } = await open(server)
    await call("DELETE /session", { as: "nobody", headers: { cookie, "x-csrf-token": token } })
    assert.strictEqual((await read({ cookie })).status, 401)
  })
})

const sha256 = (text: string) => createHash("sha256").update(text).digest("base64url")

onEveryStore("POST /session/codes, POST /session/cli", (server) => {
  const { call } = server
  const verifier = "v".repeat(43)

  const offer = async (cookie: string, token: string) => {
    const headers = { cookie, "x-csrf-token": token }
    const offered = await call("POST /session/codes", {
      as: "nobody",
      headers,
      body: { challenge: sha256(verifier) }
    })
    assert.strictEqual(offered.status, 201)
    return (offered.body as { code: string }).code
  }
  const claim = (code: string, by = verifier) =>
    call("POST /session/cli", { as: "nobody", body: { code, verifier: by } })
  const claimed = async (as: "admin" | "reader" = "admin") => {
    const { cookie, token } = await open(server, as)
    const answer = await claim(await offer(cookie, token))
    assert.strictEqual(answer.status, 201)
    const { token: bearer } = answer.body as { token: string }
    return { cookie, token, answer, headers: { authorization: `Bearer ${bearer}` } }
  }

  it("gives a session that reads and writes as bearer token, with the end of the browser's", async () => {
    const { answer, cookie, headers } = await claimed()
    assert.strictEqual(answer.headers.get("cache-control"), "no-store")
    const session = await call("GET /session", { as: "nobody", headers: { cookie } })
    const { expires_at } = session.body as { expires_at: number }
    assert.deepInclude(answer.body as object, { expires_at })
    const written = await call("PUT /flows/{org}", { as: "nobody", body, headers })
    assert.isBelow(written.status, 300)
    const reader = await claimed("reader")
    const refused = await call("PUT /flows/{org}", {
      as: "nobody",
      body,
      headers: reader.headers
    })
    assert.strictEqual(refused.status, 403)
  })

  it("works once, and only for who has the verifier", async () => {
    const { cookie, token } = await open(server)
    const code = await offer(cookie, token)
    const wrong = await claim(code, "w".repeat(43))
    assert.strictEqual(wrong.status, 400)
    assert.hasAllKeys((wrong.body as { errors: object }).errors, ["code"])
    assert.notInclude(JSON.stringify(wrong.body), code)
    const early = await call("GET /user/default-org", {
      as: "nobody",
      headers: { authorization: `Bearer ${code}` }
    })
    assert.strictEqual(early.status, 401)
    const answers = await Promise.all([claim(code), claim(code), claim(code)])
    assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [201, 400, 400])
    assert.strictEqual((await claim("none")).status, 400)
    assert.strictEqual((await claim(code, "short")).status, 400)
  })

  it("is offered by a cookie with its token alone, and not after it has ended", async () => {
    const { cookie, token, headers } = await claimed()
    const challenge = { challenge: sha256(verifier) }
    for (const other of [headers, { cookie }]) {
      const refused = await call("POST /session/codes", {
        as: "nobody",
        headers: other,
        body: challenge
      })
      assert.include([401, 403], refused.status)
    }
    const code = await offer(cookie, token)
    await call("DELETE /session", { as: "nobody", headers: { cookie, "x-csrf-token": token } })
    assert.strictEqual((await claim(code)).status, 400)
    const read = await call("GET /user/default-org", { as: "nobody", headers })
    assert.strictEqual(read.status, 200)
  })

  it("ends alone, and a key ends no session", async () => {
    const { cookie, headers } = await claimed()
    const status = async (given: NonNullable<CallOptions["headers"]>) =>
      (await call("GET /user/default-org", { as: "nobody", headers: given })).status
    assert.strictEqual((await call("DELETE /session", { as: "admin" })).status, 401)
    assert.strictEqual((await call("DELETE /session", { as: "nobody", headers })).status, 200)
    assert.deepStrictEqual([await status(headers), await status({ cookie })], [401, 200])
  })
})
