/** LOG-12: the name of a person who wrote is erased from entries, records, copies and the account, in no table left. */
import { ApiKeys } from "@attestry/core/ApiKeys"
import { Login, OrgName } from "@attestry/core/Identifier"
import * as LogFinding from "@attestry/core/LogFinding"
import { LogVerification } from "@attestry/core/LogVerification"
import { Memberships } from "@attestry/core/Memberships"
import { Orgs } from "@attestry/core/Orgs"
import { RecordVerification } from "@attestry/core/RecordVerification"
import * as TableFinding from "@attestry/core/TableFinding"
import { Effect, Redacted } from "effect"
import { assert, beforeAll, it } from "vitest"
import { queryOf } from "../shared/StoredRows.js"
import { onBothStores, type TestServer } from "../shared/TestServer.js"
import { fill } from "./World.js"

const NAME = "Ada King"
const LOGIN = "a.king.1815"
const MAIL = "countess@example.org"
const SYSTEM = { kind: "system", id: "test", name: "test" } as const

interface Erased {
  readonly erased: ReadonlyArray<{ entry: string; pointers: ReadonlyArray<string> }>
}

/** A user of an org, and a key of the user. */
const join = (login: string, displayName: string, orgs: ReadonlyArray<string> = ["acme"]) =>
  Effect.gen(function* () {
    const [members, keys] = [yield* Memberships, yield* ApiKeys]
    let added = ""
    let text = ""
    for (const name of orgs) {
      const org = yield* (yield* Orgs).get(OrgName.make(name))
      const user = yield* members.add({
        org,
        by: SYSTEM,
        source: "script",
        login: Login.make(login),
        role: "admin" as const,
        displayName,
        email: MAIL
      })
      added = user.id
      const issue = { org: org.id, user: user.id, by: SYSTEM }
      const { key } = yield* keys.issue({ ...issue, description: "k", lifetimeSeconds: null })
      text = Redacted.value(key)
    }
    return { id: added, key: text }
  })

const as = (server: TestServer, key: string): TestServer => ({
  ...server,
  call: (operation, options = {}) =>
    server.call(operation, {
      ...options,
      headers: { ...options.headers, authorization: `Bearer ${key}` }
    })
})

onBothStores("erasure of names", (server) => {
  const { call, run } = server
  let person = { id: "", key: "" }
  const query = queryOf(server)
  /** The rows of all tables that contain a text. */
  const rowsWith = async (text: string) => {
    const tables = await query(
      "select table_name as name from information_schema.tables where table_schema = 'attestry'"
    )
    const found: Array<string> = []
    for (const { name } of tables) {
      const rows = await query(
        `select to_jsonb(t)::text as row from attestry."${String(name)}" t
          where to_jsonb(t)::text ilike $1 or to_jsonb(t)::text like $2`,
        [`%${text}%`, `%${Buffer.from(text).toString("hex")}%`]
      )
      found.push(...rows.map(({ row }) => `${String(name)}: ${String(row)}`))
    }
    return found
  }
  const problems = () =>
    run(
      Effect.gen(function* () {
        const { id } = yield* (yield* Orgs).get(OrgName.make(server.org))
        const { findings } = yield* (yield* LogVerification).verify(id)
        const records = yield* (yield* RecordVerification).verify(id, 5)
        return [...findings.map(LogFinding.print), ...records.map(TableFinding.print)]
      })
    )
  const erase = async (value: string, caller = server) => {
    const { status, body } = await caller.call("POST /erasures/{org}", {
      body: { value, reason: "asked", preview: false }
    })
    assert.strictEqual(status, 200, JSON.stringify(body))
    return (body as Erased).erased
  }

  beforeAll(async () => {
    person = await run(join(LOGIN, NAME))
    const own = as(server, person.key)
    await fill(own)
    const target = { type: "WEBHOOK", webhook: "https://hooks.example.com/x" }
    const made = await own.call("PUT /organizations/{org}/environments_notifications", {
      body: {
        name: "tell",
        environments: ["prod"],
        triggers: ["ON_NON_COMPLIANT_ENV"],
        targets: [target]
      }
    })
    assert.isBelow(made.status, 300, JSON.stringify(made.body))
    const refused = await own.call("PUT /flows/{org}", { path: { org: "globex" }, body: {} })
    assert.isAtLeast(refused.status, 400)
    const kept = await own.call("PUT /flows/{org}", {
      body: { name: "kept", description: "" },
      headers: { "idempotency-key": "k-names", prefer: "return=representation" }
    })
    assert.isBelow(kept.status, 300, JSON.stringify(kept.body))
    await run(
      Effect.gen(function* () {
        const org = yield* (yield* Orgs).get(OrgName.make(server.org))
        const by = { kind: "user" as const, id: person.id, name: NAME }
        const members = yield* Memberships
        const change = { org, by, source: "script", login: Login.make("max") } as const
        yield* members.changeRole({ ...change, role: "reader" })
      })
    )
  }, 60_000)

  it("finds the entries of a person by the name", async () => {
    const { body } = await call("POST /erasures/{org}", { body: { value: NAME, reason: "asked" } })
    const pointers = new Set((body as Erased).erased.flatMap((each) => each.pointers))
    for (const pointer of [
      "/facts/actor/name",
      "/facts/content/created_by/username",
      "/facts/content/versions/0/created_by/username",
      "/facts/content/control/created_by/username",
      "/facts/content/entry/user/username",
      "/facts/content/approval/created_by/username",
      "/trail/created_by/username"
    ]) {
      assert.isTrue(pointers.has(pointer), pointer)
    }
  })

  it("LOG-12: leaves the name in no table, and verify finds nothing", async () => {
    assert.deepStrictEqual(await problems(), [])
    assert.isNotEmpty(await erase(NAME))
    assert.deepStrictEqual(await rowsWith(NAME), [])
    assert.deepStrictEqual(await erase(NAME), [])
    assert.deepStrictEqual(await problems(), [])
  }, 60_000)

  it("shows what is left in the place of the name", async () => {
    const { body: trail } = await call("GET /trails/{org}/{flow_name}/{trail_name}", {
      path: { flow_name: "shop", trail_name: "one" }
    })
    assert.include(JSON.stringify(trail), "**ERASED**")
    const { body: policy } = await call("GET /policies/{org}/{name}", { path: { name: "known" } })
    assert.include(JSON.stringify(policy), "**ERASED**")
    const { body } = await call("GET /events/{org}", { query: "?kind=policy_created" })
    const [event] = (
      body as {
        events: ReadonlyArray<{
          actor: { name: string; id: string }
          erased: ReadonlyArray<string>
        }>
      }
    ).events
    assert.deepInclude(event?.actor, { id: person.id, name: "**ERASED**" })
    assert.include(event?.erased ?? [], "/facts/actor/name")
    assert.include(event?.erased ?? [], "/facts/content/created_by/username")
    const again = await as(server, person.key).call("PUT /flows/{org}", {
      body: { name: "after", description: "" }
    })
    assert.strictEqual(again.status, 201)
    assert.deepStrictEqual(await rowsWith(NAME), [])
  })

  it("finds another name in the place of an erased one", async () => {
    const changed = await query(
      `update attestry.journal set actor_name = 'Eve' where kind = 'policy_created' returning org_id`
    )
    if (changed.length === 0) return
    assert.isNotEmpty(await problems())
    await query(
      `update attestry.journal set actor_name = '**ERASED**' where kind = 'policy_created'`
    )
    assert.deepStrictEqual(await problems(), [])
  })

  it("erases the login of the account, which the person keeps under another", async () => {
    assert.isNotEmpty(await erase(LOGIN))
    assert.deepStrictEqual(await rowsWith(LOGIN), [])
    assert.deepStrictEqual(await problems(), [])
    const logins = await run(
      Effect.gen(function* () {
        const { id } = yield* (yield* Orgs).get(OrgName.make(server.org))
        return (yield* (yield* Memberships).list(id)).map(({ login }) => login)
      })
    )
    assert.include(logins, `erased-${person.id}`)
  })

  it("leaves the account of a user of two orgs, whose name the other org knows", async () => {
    const { key } = await run(join("two.orgs", "Grace Murray", ["globex", "acme"]))
    const made = await as(server, key).call("PUT /flows/{org}", {
      body: { name: "two", description: "" }
    })
    assert.strictEqual(made.status, 201, JSON.stringify(made.body))
    assert.isNotEmpty(await erase("Grace Murray"))
    const { other, named } = await run(
      Effect.gen(function* () {
        const { id } = yield* (yield* Orgs).get(OrgName.make("globex"))
        const members = yield* (yield* Memberships).list(id)
        return { other: id, named: members.map(({ display_name }) => display_name) }
      })
    )
    assert.include(named, "Grace Murray")
    const left = (await rowsWith("Grace Murray")).filter((row) => !row.startsWith("app_user:"))
    assert.isTrue(
      left.every((row) => row.includes(`"org_id": "${other}"`)),
      left.join("\n")
    )
    assert.deepStrictEqual(await problems(), [])
  })

  it("leaves the account where the name is erased from one entry alone", async () => {
    const { key } = await run(join("one.entry", "Sofia Kova"))
    const made = await as(server, key).call("PUT /flows/{org}", {
      body: { name: "one-entry", description: "" }
    })
    const entry = made.headers.get("attestry-entries") ?? ""
    const { status, body } = await call("POST /erasures/{org}", {
      body: { entries: [{ entry, pointers: ["/facts/actor/name"] }], reason: "asked" }
    })
    assert.strictEqual(status, 200, JSON.stringify(body))
    const named = await run(
      Effect.gen(function* () {
        const { id } = yield* (yield* Orgs).get(OrgName.make(server.org))
        return (yield* (yield* Memberships).list(id)).map(({ display_name }) => display_name)
      })
    )
    assert.include(named, "Sofia Kova")
    assert.deepStrictEqual(await problems(), [])
  })

  it("does not bring back the name of a person who erases it", async () => {
    const { key } = await run(join("own.name", "Mary Somerville"))
    const own = as(server, key)
    assert.strictEqual(
      (await own.call("PUT /flows/{org}", { body: { name: "own", description: "" } })).status,
      201
    )
    assert.isNotEmpty(await erase("Mary Somerville", own))
    assert.deepStrictEqual(await rowsWith("Mary Somerville"), [])
    assert.deepStrictEqual(await problems(), [])
  })

  it("does not erase the names of service accounts", async () => {
    const { body } = await call("POST /service-accounts/{org}/{name}/api-keys", {
      path: { name: "ci" },
      body: { description: "names" }
    })
    const { key } = body as { key: string }
    const made = await as(server, key).call("PUT /flows/{org}", {
      body: { name: "by-ci", description: "" }
    })
    assert.strictEqual(made.status, 201, JSON.stringify(made.body))
    assert.deepStrictEqual(await erase("ci"), [])
  })
})
