/** Service accounts on the wire. */
import { assert, it } from "vitest"
import { type CallOptions, onEveryStore } from "../shared/TestServer.js"

const FORBIDDEN = { message: "You don't have permission to access this resource" }
const NOT_FOUND = { message: "Service account not found" }

onEveryStore("POST /service-accounts/{org}", ({ call, journal }) => {
  const create = (body: object, options: CallOptions = {}) =>
    call("POST /service-accounts/{org}", { body, ...options })

  it("creates an account, shows it, and records one entry", async () => {
    const { status, body } = await create({
      name: "ci",
      privilege: "member",
      description: "builds"
    })
    assert.strictEqual(status, 201)
    const { created_at, creating_user_id, ...rest } = body as Record<string, unknown>
    assert.deepStrictEqual(rest, {
      name: "ci",
      display_name: "ci",
      privilege: "member",
      description: "builds",
      for_webhook: false
    })
    assert.strictEqual(typeof created_at, "number")
    assert.match(String(creating_user_id), /^[0-9a-f-]{32}$/)
    const again = await call("GET /service-accounts/{org}/{name}", { path: { name: "ci" } })
    assert.deepStrictEqual([again.status, again.body], [200, body])
    const entries = (await journal()).filter(({ kind }) => kind === "service_account_created")
    assert.strictEqual(entries.length, 1)
  })

  it("reports every invalid field, and a taken name", async () => {
    const wrong = await create({ name: "no spaces", privilege: "owner", colour: "red" })
    assert.strictEqual(wrong.status, 400)
    assert.deepStrictEqual(wrong.body, {
      message: "Input payload validation failed",
      errors: {
        colour: "Extra inputs are not permitted [input: red]",
        name: "String should match pattern '^[a-zA-Z0-9\\-]+$' [input: no spaces]",
        privilege:
          "Input should be <Role.ADMIN: 'admin'>, <Role.MEMBER: 'member'>, " +
          "<Role.SNAPSHOTTER: 'snapshotter'> or <Role.READER: 'reader'> [input: owner]"
      }
    })
    assert.strictEqual((await create({ name: "twice", privilege: "reader" })).status, 201)
    const taken = await create({ name: "twice", privilege: "reader" })
    assert.strictEqual(taken.status, 400)
    assert.hasAllKeys((taken.body as { errors: object }).errors, ["name"])
  })

  it("accepts names of 1 to 64 characters and descriptions of up to 512", async () => {
    const statusOf = async (name: string, description = "") =>
      (await create({ name, privilege: "reader", description })).status
    assert.strictEqual(await statusOf(""), 400)
    assert.strictEqual(await statusOf("n"), 201)
    assert.strictEqual(await statusOf("n".repeat(64), "d".repeat(512)), 201)
    assert.strictEqual(await statusOf("n".repeat(65)), 400)
    assert.strictEqual(await statusOf("described", "d".repeat(513)), 400)
  })

  it("grants nothing above the caller's own role", async () => {
    const ranks = ["reader", "snapshotter", "member", "admin"] as const
    for (const [own, as] of ranks.entries()) {
      for (const [asked, privilege] of ranks.entries()) {
        const { status } = await create({ name: `by-${as}-${privilege}`, privilege }, { as })
        assert.strictEqual(status, as === "reader" || asked > own ? 403 : 201, `${as} ${privilege}`)
      }
    }
  })
})

onEveryStore("GET /service-accounts/{org}", ({ call }) => {
  it("shows an admin every account, others their own, and readers nothing", async () => {
    for (const as of ["admin", "member", "snapshotter"] as const) {
      const body = { name: `of-${as}`, privilege: "reader" }
      await call("POST /service-accounts/{org}", { body, as })
    }
    const namesFor = async (as: "admin" | "member" | "snapshotter") => {
      const { status, body } = await call("GET /service-accounts/{org}", { as })
      assert.strictEqual(status, 200)
      return (body as ReadonlyArray<{ name: string }>).map(({ name }) => name)
    }
    assert.deepStrictEqual(await namesFor("admin"), ["of-admin", "of-member", "of-snapshotter"])
    assert.deepStrictEqual(await namesFor("member"), ["of-member"])
    assert.deepStrictEqual(await namesFor("snapshotter"), ["of-snapshotter"])
    const reader = await call("GET /service-accounts/{org}", { as: "reader" })
    assert.deepStrictEqual([reader.status, reader.body], [403, FORBIDDEN])
  })
})

onEveryStore("GET /service-accounts/{org}/{name}", ({ call }) => {
  const get = (name: string, as: CallOptions["as"] = "admin") =>
    call("GET /service-accounts/{org}/{name}", { path: { name }, as })

  it("requires an admin or the creator of the account", async () => {
    const body = { name: "mine", privilege: "reader" }
    await call("POST /service-accounts/{org}", { body, as: "member" })
    assert.strictEqual((await get("mine")).status, 200)
    assert.strictEqual((await get("mine", "member")).status, 200)
    for (const as of ["snapshotter", "reader", "foreigner"] as const) {
      const answer = await get("mine", as)
      assert.deepStrictEqual([answer.status, answer.body], [403, FORBIDDEN], as)
    }
  })

  it("is 404 for an unknown account, 400 for an invalid name", async () => {
    const missing = await get("missing")
    assert.deepStrictEqual([missing.status, missing.body], [404, NOT_FOUND])
    assert.strictEqual((await get("no_underscores")).status, 400)
  })
})

onEveryStore("PATCH /service-accounts/{org}/{name}", ({ call, journal }) => {
  const patch = (name: string, body: object, as: CallOptions["as"] = "admin") =>
    call("PATCH /service-accounts/{org}/{name}", { path: { name }, body, as })
  const create = (name: string, as: CallOptions["as"] = "admin") =>
    call("POST /service-accounts/{org}", {
      body: { name, privilege: "snapshotter", description: "before" },
      as
    })

  it("changes present fields and keeps the rest; null clears the description", async () => {
    await create("patched")
    const raised = await patch("patched", { privilege: "admin" })
    assert.deepInclude(raised.body, { privilege: "admin", description: "before" })
    const described = await patch("patched", { description: "after" })
    assert.deepInclude(described.body, { privilege: "admin", description: "after" })
    assert.deepInclude((await patch("patched", { description: null })).body, { description: "" })
    assert.deepInclude((await patch("patched", { description: "" })).body, { description: "" })
    assert.strictEqual((await patch("patched", {})).status, 200)
    const entries = (await journal()).filter(({ kind }) => kind === "service_account_updated")
    assert.strictEqual(entries.length, 3)
  })

  it("never raises an account above the caller's own role", async () => {
    await create("members", "member")
    assert.strictEqual((await patch("members", { privilege: "admin" }, "member")).status, 403)
    assert.strictEqual((await patch("members", { privilege: "member" }, "member")).status, 200)
    assert.strictEqual((await patch("members", { privilege: "admin" })).status, 200)
    assert.strictEqual((await patch("members", { description: "x" }, "member")).status, 200)
    assert.strictEqual((await patch("members", { privilege: "reader" }, "member")).status, 200)
  })

  it("refuses other actors, unknown fields and roles, and unknown accounts", async () => {
    await create("closed")
    assert.strictEqual((await patch("closed", { description: "x" }, "member")).status, 403)
    assert.strictEqual((await patch("closed", { name: "other" })).status, 400)
    assert.strictEqual((await patch("closed", { privilege: "king" })).status, 400)
    assert.strictEqual((await patch("missing", { description: "x" })).status, 404)
  })
})

onEveryStore("DELETE /service-accounts/{org}/{name}", ({ call, journal }) => {
  const path = { name: "gone" }

  it("deletes the account, ends its keys at once, and frees its name", async () => {
    const account = { name: "gone", privilege: "reader" }
    await call("POST /service-accounts/{org}", { body: account })
    const { body } = await call("POST /service-accounts/{org}/{name}/api-keys", {
      path,
      body: { description: "k" }
    })
    const headers = { authorization: `Bearer ${(body as { key: string }).key}` }
    const read = () => call("GET /user/default-org", { as: "nobody", headers })
    assert.strictEqual((await read()).status, 200)
    assert.strictEqual(
      (await call("DELETE /service-accounts/{org}/{name}", { path, as: "member" })).status,
      403
    )
    const deleted = await call("DELETE /service-accounts/{org}/{name}", { path, raw: "null" })
    assert.deepStrictEqual([deleted.status, deleted.body], [200, "OK"])
    assert.strictEqual((await read()).status, 401)
    const again = await call("DELETE /service-accounts/{org}/{name}", { path })
    assert.deepStrictEqual([again.status, again.body], [404, NOT_FOUND])
    assert.strictEqual((await call("POST /service-accounts/{org}", { body: account })).status, 201)
    const kinds = (await journal()).map(({ kind }) => kind)
    assert.strictEqual(kinds.filter((kind) => kind === "service_account_deleted").length, 1)
  })
})
