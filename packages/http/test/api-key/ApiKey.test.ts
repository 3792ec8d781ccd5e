/** The API keys of service accounts on the wire. */
import { assert, it } from "vitest"
import { type CallOptions, onEveryStore, type TestServer } from "../shared/TestServer.js"

interface Key {
  readonly id: string
  readonly key: string
  readonly description: string
  readonly created_at: number
  readonly expires_at: number
  readonly last_used_at: number
  readonly grace_period_expires_at: number
}

const NOT_FOUND = { message: "API key not found" }
const nowSeconds = () => Math.floor(Date.now() / 1000)

const keysOf = ({ call }: TestServer) => {
  const account = async (name: string, as: CallOptions["as"] = "admin") =>
    call("POST /service-accounts/{org}", { body: { name, privilege: "reader" }, as })
  const create = async (name: string, body: object = { description: "ci" }) => {
    const answer = await call("POST /service-accounts/{org}/{name}/api-keys", {
      path: { name },
      body
    })
    return { ...answer, key: answer.body as Key }
  }
  const list = async (name: string) => {
    const path = { name }
    const { body } = await call("GET /service-accounts/{org}/{name}/api-keys", { path })
    return body as ReadonlyArray<Key>
  }
  const opens = async (key: string) => {
    const headers = { authorization: `Bearer ${key}` }
    return (await call("GET /user/default-org", { as: "nobody", headers })).status
  }
  return { account, create, list, opens }
}

onEveryStore("POST /service-accounts/{org}/{name}/api-keys", (server) => {
  const { account, create, opens } = keysOf(server)

  it("creates a key whose secret is in the response and works in the org", async () => {
    await account("ci")
    const { status, key } = await create("ci")
    assert.strictEqual(status, 201)
    assert.hasAllKeys(key, ["id", "key", "description", "created_at", "expires_at"])
    assert.match(key.key, /^attestry_service_[0-9a-f]{28}_[0-9A-Za-z]{36}$/)
    assert.strictEqual(key.expires_at, 0)
    assert.strictEqual(await opens(key.key), 200)
  })

  it("accepts descriptions of 1 to 256 characters", async () => {
    await account("described")
    const statusOf = async (body: object) => (await create("described", body)).status
    assert.strictEqual(await statusOf({}), 400)
    assert.strictEqual(await statusOf({ description: "" }), 400)
    assert.strictEqual(await statusOf({ description: "d" }), 201)
    assert.strictEqual(await statusOf({ description: "d".repeat(256) }), 201)
    assert.strictEqual(await statusOf({ description: "d".repeat(257) }), 400)
  })

  it("accepts a whole expiry that is not in the past and before 2100; 0 and null mean never", async () => {
    await account("ending")
    const endingAt = (expires_at: unknown) => create("ending", { description: "d", expires_at })
    const end = nowSeconds() + 3600
    assert.strictEqual((await endingAt(end)).key.expires_at, end)
    for (const never of [0, null]) assert.strictEqual((await endingAt(never)).key.expires_at, 0)
    assert.strictEqual((await endingAt(4_102_444_800)).status, 201)
    const wrong = [4_102_444_801, nowSeconds() - 10, -1, 1.5, "tomorrow", true]
    for (const value of wrong) {
      const { status, body } = await endingAt(value)
      assert.strictEqual(status, 400, String(value))
      assert.hasAllKeys((body as { errors: object }).errors, ["expires_at"], String(value))
    }
    assert.deepStrictEqual((await endingAt("tomorrow")).body, {
      message: "Input payload validation failed",
      errors: {
        expires_at:
          "Input should be a valid integer, unable to parse string as an integer [input: tomorrow]"
      }
    })
  })

  it("is 404 without an account, and 403 for callers who do not manage it", async () => {
    assert.deepStrictEqual((await create("missing")).body, { message: "Service account not found" })
    await account("mine", "member")
    const as = async (caller: "member" | "snapshotter" | "reader") =>
      (
        await server.call("POST /service-accounts/{org}/{name}/api-keys", {
          path: { name: "mine" },
          body: { description: "d" },
          as: caller
        })
      ).status
    assert.deepStrictEqual(
      [await as("member"), await as("snapshotter"), await as("reader")],
      [201, 403, 403]
    )
  })

  it("creates no key of an account whose role is above that of its creator", async () => {
    await account("raised", "member")
    const path = { name: "raised" }
    await server.call("PATCH /service-accounts/{org}/{name}", {
      path,
      body: { privilege: "admin" }
    })
    const asked = await server.call("POST /service-accounts/{org}/{name}/api-keys", {
      path,
      body: { description: "d" },
      as: "member"
    })
    assert.strictEqual(asked.status, 403)
  })
})

onEveryStore("GET /service-accounts/{org}/{name}/api-keys", (server) => {
  const { account, create, list, opens } = keysOf(server)

  it("lists active keys without secrets, oldest first, with their last use", async () => {
    await account("listed")
    const first = (await create("listed", { description: "first" })).key
    const second = (await create("listed", { description: "second" })).key
    assert.strictEqual(await opens(second.key), 200)
    const [one, two] = await list("listed")
    assert.deepStrictEqual([one?.id, two?.id], [first.id, second.id])
    assert.strictEqual(one?.last_used_at, 0)
    assert.isAtLeast(two?.last_used_at ?? 0, second.created_at)
    assert.hasAllKeys(one, ["id", "description", "created_at", "expires_at", "last_used_at"])
  })

  it("requires a caller who manages the account", async () => {
    await account("managed")
    for (const as of ["member", "reader", "foreigner"] as const) {
      const path = { name: "managed" }
      const answer = await server.call("GET /service-accounts/{org}/{name}/api-keys", { path, as })
      assert.strictEqual(answer.status, 403)
    }
  })
})

onEveryStore("GET /service-accounts/{org}/{name}/api-keys/{key_id}", (server) => {
  const { account, create } = keysOf(server)
  const get = (name: string, key_id: string) =>
    server.call("GET /service-accounts/{org}/{name}/api-keys/{key_id}", { path: { name, key_id } })

  it("shows a key of that account, and no key of another account", async () => {
    await account("one")
    await account("other")
    const { key } = await create("one")
    const { status, body } = await get("one", key.id)
    assert.strictEqual(status, 200)
    assert.deepInclude(body, { id: key.id, description: "ci", last_used_at: 0 })
    assert.notInclude(JSON.stringify(body), key.key)
    for (const [name, id] of [
      ["other", key.id],
      ["one", "nothing"]
    ] as const) {
      const answer = await get(name, id)
      assert.deepStrictEqual([answer.status, answer.body], [404, NOT_FOUND])
    }
  })
})

onEveryStore("DELETE /service-accounts/{org}/{name}/api-keys/{key_id}", (server) => {
  const { account, create, list, opens } = keysOf(server)

  it("revokes at once, is 404 the second time, and records one entry", async () => {
    await account("revoked")
    const { key } = await create("revoked")
    assert.strictEqual(await opens(key.key), 200)
    const path = { name: "revoked", key_id: key.id }
    const revoke = () =>
      server.call("DELETE /service-accounts/{org}/{name}/api-keys/{key_id}", { path, raw: "null" })
    const first = await revoke()
    assert.deepStrictEqual([first.status, first.body], [200, "revoked"])
    assert.strictEqual(await opens(key.key), 401)
    const second = await revoke()
    assert.deepStrictEqual([second.status, second.body], [404, NOT_FOUND])
    assert.deepStrictEqual(await list("revoked"), [])
    const entries = (await server.journal()).filter(({ kind }) => kind === "api_key_revoked")
    assert.strictEqual(entries.length, 1)
  })

  it("lets one of many concurrent revocations succeed", async () => {
    await account("raced")
    const { key } = await create("raced")
    const path = { name: "raced", key_id: key.id }
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        server.call("DELETE /service-accounts/{org}/{name}/api-keys/{key_id}", { path })
      )
    )
    assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [
      200,
      ...Array.from({ length: 7 }, () => 404)
    ])
  })
})

onEveryStore("POST /service-accounts/{org}/{name}/api-keys/{key_id}/rotate", (server) => {
  const { account, create, list, opens } = keysOf(server)
  const rotate = async (name: string, key_id: string, options: CallOptions = { body: {} }) => {
    const answer = await server.call(
      "POST /service-accounts/{org}/{name}/api-keys/{key_id}/rotate",
      { path: { name, key_id }, ...options }
    )
    return { ...answer, key: answer.body as Key }
  }

  it("creates a key with a new id; both work, and the old one is listed with its expiry", async () => {
    await account("rotated")
    const old = (await create("rotated", { description: "pipeline" })).key
    const { status, key } = await rotate("rotated", old.id)
    assert.strictEqual(status, 201)
    assert.notStrictEqual(key.id, old.id)
    assert.deepInclude(key, { description: "pipeline", expires_at: 0 })
    assert.approximately(key.grace_period_expires_at, key.created_at + 24 * 3600, 0.001)
    assert.deepStrictEqual([await opens(old.key), await opens(key.key)], [200, 200])
    const [first, second] = await list("rotated")
    assert.deepStrictEqual([first?.id, second?.id], [old.id, key.id])
    assert.strictEqual(first?.grace_period_expires_at, key.grace_period_expires_at)
    assert.notProperty(second, "grace_period_expires_at")
  })

  it("is 400 for a key in its grace period; revoking ends that period", async () => {
    await account("graced")
    const old = (await create("graced")).key
    await rotate("graced", old.id)
    const again = await rotate("graced", old.id)
    assert.deepStrictEqual(
      [again.status, again.body],
      [
        400,
        {
          message: `API key \`${old.id}\` was rotated already: rotate the key that replaced it`
        }
      ]
    )
    const path = { name: "graced", key_id: old.id }
    await server.call("DELETE /service-accounts/{org}/{name}/api-keys/{key_id}", { path })
    assert.strictEqual(await opens(old.key), 401)
    const gone = await rotate("graced", old.id)
    assert.deepStrictEqual([gone.status, gone.body], [404, NOT_FOUND])
  })

  it("accepts an empty body, `null`, and grace periods of 1 to 720 hours", async () => {
    await account("bodies")
    const headers = { "content-type": "application/json; charset=utf-8" }
    const rotateWith = async (options: CallOptions) =>
      rotate("bodies", (await create("bodies")).key.id, options)
    assert.strictEqual((await rotateWith({})).status, 201)
    assert.strictEqual((await rotateWith({ raw: "null", headers })).status, 201)
    const grace = (grace_period_hours: unknown) => rotateWith({ body: { grace_period_hours } })
    assert.deepStrictEqual([(await grace(1)).status, (await grace(720)).status], [201, 201])
    for (const wrong of [0, 721, 1.5, "1"]) {
      assert.strictEqual((await grace(wrong)).status, 400, String(wrong))
    }
  })

  it("expires the old key no later than its own expiry; the new key has the requested expiry", async () => {
    await account("ends")
    const end = nowSeconds() + 1800
    const old = (await create("ends", { description: "d", expires_at: end })).key
    const { key } = await rotate("ends", old.id, { body: { expires_at: end + 60 } })
    assert.strictEqual(key.grace_period_expires_at, end)
    assert.strictEqual(key.expires_at, end + 60)
  })

  it("leaves exactly one more key after concurrent rotations", async () => {
    await account("rushed")
    const { key } = await create("rushed")
    const answers = await Promise.all(Array.from({ length: 8 }, () => rotate("rushed", key.id)))
    assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [
      201,
      ...Array.from({ length: 7 }, () => 400)
    ])
    assert.strictEqual((await list("rushed")).length, 2)
  })
})
