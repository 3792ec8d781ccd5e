/** Browser sessions on the wire. */
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
