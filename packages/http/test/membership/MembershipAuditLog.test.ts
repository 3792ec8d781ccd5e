/** The membership audit log on the wire. */
import { Login, type Login as LoginType, OrgName } from "@attestry/core/Identifier"
import { Memberships } from "@attestry/core/Memberships"
import { Orgs } from "@attestry/core/Orgs"
import { Effect } from "effect"
import { assert, beforeAll, it } from "vitest"
import { onEveryStore } from "../shared/TestServer.js"

interface Event {
  readonly id: string
  readonly user: string
  readonly changed_by: string
  readonly role: string
  readonly previous_role: string
  readonly source: string
  readonly created_at: number
  readonly event_type: string
}

interface Log {
  readonly page: number
  readonly per_page: number
  readonly total_pages: number
  readonly total_count: number
  readonly events: ReadonlyArray<Event>
  readonly _links: { readonly [name: string]: { readonly href: string } }
}

const by = { kind: "user", id: "u", name: "Root 🦉" } as const

onEveryStore("GET /membership-audit-log/{org}", ({ call, run }) => {
  const log = async (query = "") => {
    const { status, body } = await call("GET /membership-audit-log/{org}", { query })
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body as Log
  }
  const errorsOf = async (query: string) => {
    const { status, body } = await call("GET /membership-audit-log/{org}", { query })
    assert.strictEqual(status, 400, query)
    return (body as { errors: Record<string, string> }).errors
  }

  beforeAll(() =>
    run(
      Effect.gen(function* () {
        const members = yield* Memberships
        const org = yield* (yield* Orgs).get(OrgName.make("acme"))
        const change = (login: LoginType) => ({ org, login, by, source: "script" }) as const
        const zoe = Login.make("zoe")
        yield* members.add({ ...change(zoe), role: "member", displayName: "Zoë", email: null })
        yield* members.changeRole({ ...change(zoe), role: "admin" })
        yield* members.changeRole({ ...change(zoe), role: "admin" })
        yield* members.remove(change(zoe))
      })
    )
  )

  it("shows each change once, newest first, with logins and display names", async () => {
    const { events, total_count } = await log("?search=zo")
    assert.strictEqual(total_count, 3)
    assert.deepStrictEqual(
      events.map(({ id: _id, created_at: _at, ...event }) => event),
      [
        ["removed", "", "admin"],
        ["changed", "admin", "member"],
        ["added", "member", ""]
      ].map(([event_type = "", role = "", previous_role = ""]) => ({
        user: "Zoë",
        changed_by: "Root 🦉",
        role,
        previous_role,
        source: "script",
        event_type
      }))
    )
    const [ada] = (await log("?search=ADA&event_type=added")).events
    assert.deepInclude(ada, { user: "ada", role: "admin" })
  })

  it("filters by type, new role, source and time, and sorts by every column", async () => {
    assert.strictEqual((await log("?event_type=removed")).total_count, 1)
    assert.strictEqual((await log("?role=reader&role=snapshotter")).total_count, 2)
    assert.strictEqual((await log("?source=script&source=app")).total_count, 7)
    assert.strictEqual((await log("?source=scim")).total_count, 0)
    const all = (await log("?sort_direction=asc")).events
    const [first, last] = [all[0]?.created_at, all.at(-1)?.created_at]
    assert.strictEqual((await log(`?from_timestamp=${last}`)).total_count, 1)
    assert.strictEqual((await log(`?to_timestamp=${first}`)).total_count, 1)
    assert.strictEqual((await log(`?from_timestamp=${first}&to_timestamp=${last}`)).total_count, 7)
    for (const sort of ["when", "user", "role", "changed_by", "source"]) {
      const up = (await log(`?sort=${sort}&sort_direction=asc`)).events.map(({ id }) => id)
      const down = (await log(`?sort=${sort}&sort_direction=desc`)).events.map(({ id }) => id)
      assert.deepStrictEqual(up, [...down].reverse(), sort)
      const query = `?sort_by=${sort}&sort_dir=asc&sort=when&sort_direction=desc`
      assert.deepStrictEqual(
        (await log(query)).events.map(({ id }) => id),
        up
      )
    }
  })

  it("returns pages with counters and links, and an empty one past the end", async () => {
    const second = await log("?per_page=3&page=2&search=")
    assert.deepInclude(second, { page: 2, per_page: 3, total_pages: 3, total_count: 7 })
    assert.strictEqual(second.events.length, 3)
    assert.hasAllKeys(second._links, ["self", "first", "prev", "next", "last"])
    assert.isTrue(
      second._links.self?.href.endsWith("/membership-audit-log/acme?per_page=3&page=2&search=")
    )
    assert.match(second._links.last?.href ?? "", /page=3/)
    const past = await log("?per_page=3&page=9")
    assert.deepInclude(past, { page: 9, events: [], total_count: 7 })
    assert.deepInclude(await log(), { page: 1, per_page: 15 })
  })

  it("reports each parameter outside its bounds", async () => {
    await log("?page=1000000&per_page=100")
    assert.hasAllKeys(await errorsOf("?page=0&per_page=101"), ["query.page", "query.per_page"])
    assert.hasAllKeys(await errorsOf("?page=1000001"), ["query.page"])
    assert.strictEqual(
      (await errorsOf("?page=two"))["query.page"],
      "Input should be a valid integer, unable to parse string as an integer [input: two]"
    )
    assert.strictEqual(
      (await errorsOf("?sort_direction=up"))["query.sort_direction"],
      "Input should be 'asc' or 'desc' [input: up]"
    )
    assert.hasAllKeys(await errorsOf("?role=reader&role=king"), ["query.role[1]"])
    assert.hasAllKeys(await errorsOf("?sort_by=x&sort_dir=up"), ["query.sort_by", "query.sort_dir"])
    assert.hasAllKeys(await errorsOf("?source=mail"), ["query.source[0]"])
    assert.hasAllKeys(await errorsOf("?event_type=x&sort=y"), ["query.event_type", "query.sort"])
    assert.hasAllKeys(await errorsOf("?from_timestamp=now&to_timestamp=NaN"), [
      "query.from_timestamp",
      "query.to_timestamp"
    ])
  })

  it("is denied to everyone but admins", async () => {
    for (const as of ["member", "snapshotter", "reader", "foreigner"] as const) {
      const { status, body } = await call("GET /membership-audit-log/{org}", { as })
      assert.strictEqual(status, 403)
      assert.hasAllKeys(body, ["message"])
    }
  })
})
