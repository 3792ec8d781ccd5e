/** Teams on the wire: who makes, sees and changes them, and what happens to the people in them. */
import { Login, OrgName } from "@attestry/core/Identifier"
import { Memberships } from "@attestry/core/Memberships"
import { Orgs } from "@attestry/core/Orgs"
import { DESCRIPTION_LENGTH_MAX } from "@attestry/core/Team"
import { TeamStore } from "@attestry/core/TeamStore"
import { Transaction } from "@attestry/core/Transaction"
import { Effect, Option } from "effect"
import { assert, it } from "vitest"
import { type Caller, onEveryStore } from "../shared/TestServer.js"

const TEAM = "/teams/{org}/{team}"
const MEMBER = `${TEAM}/members/{login}`

interface Teams {
  readonly total_count: number
  readonly teams: ReadonlyArray<{ readonly [field: string]: unknown }>
}

interface Members {
  readonly total_count: number
  readonly members: ReadonlyArray<{ readonly login: string; readonly [field: string]: unknown }>
}

const by = { kind: "user", id: "u", name: "root" } as const
const source = "script" as const

onEveryStore("teams", (server) => {
  const { call, journal, run } = server
  const put = (team: string, body?: object, as: Caller = "admin") =>
    call(`PUT ${TEAM}`, { path: { team }, body, as })
  const add = (team: string, login: string) => call(`PUT ${MEMBER}`, { path: { team, login } })
  const leave = (team: string, login: string) => call(`DELETE ${MEMBER}`, { path: { team, login } })
  const listed = async (as: Caller = "admin", query = "") => {
    const { body, status } = await call("GET /teams/{org}", { as, query })
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body as Teams
  }
  const namesOf = async (as: Caller = "admin") => (await listed(as)).teams.map(({ name }) => name)
  const loginsOf = async (team: string, as: Caller = "admin") => {
    const { body, status } = await call(`GET ${TEAM}/members`, { path: { team }, as })
    assert.strictEqual(status, 200, JSON.stringify(body))
    return (body as Members).members.map(({ login }) => login)
  }
  const entriesOf = async () =>
    (await journal()).filter(({ subject }) => subject.type === "team").map(({ kind }) => kind)

  it("are made once, described, and listed by name", async () => {
    assert.deepStrictEqual(await listed(), {
      ...(await listed()),
      teams: [],
      total_count: 0
    })
    assert.strictEqual((await put("pay", { description: "who pays" })).status, 201)
    assert.strictEqual((await put("ops")).status, 201)
    for (const body of [{}, undefined, { description: null }, { description: "who pays" }])
      assert.strictEqual((await put("pay", body)).status, 200)
    assert.strictEqual((await put("ops", { description: "on call" })).status, 200)
    const { teams, total_count } = await listed()
    assert.deepStrictEqual(
      [total_count, teams.map(({ id: _, created_at: __, ...team }) => team)],
      [
        2,
        [
          { name: "ops", kind: "hand", description: "on call", group_name: null, members: 0 },
          { name: "pay", kind: "hand", description: "who pays", group_name: null, members: 0 }
        ]
      ]
    )
    assert.deepStrictEqual(
      (await call(`GET ${TEAM}`, { path: { team: "ops" } })).body,
      teams[0] as object
    )
    assert.deepStrictEqual((await listed("admin", "?page=2&per_page=1")).teams, teams.slice(1))
    assert.deepStrictEqual(await entriesOf(), ["team_created", "team_created", "team_changed"])
  })

  it("have names and descriptions within their limits", async () => {
    for (const name of ["A", "-a", ".a", "a b", "a/b", "ü", "a".repeat(64)])
      assert.strictEqual((await put(name)).status, 400, name)
    const long = "a".repeat(63)
    assert.strictEqual((await put(long)).status, 201)
    assert.strictEqual((await put("0.a_b-c")).status, 201)
    const length = DESCRIPTION_LENGTH_MAX
    assert.strictEqual((await put(long, { description: "d".repeat(length) })).status, 200)
    assert.strictEqual((await put(long, { description: "d".repeat(length + 1) })).status, 400)
    assert.strictEqual((await put(long, { name: "x" })).status, 400)
    for (const team of [long, "0.a_b-c"])
      assert.strictEqual((await call(`DELETE ${TEAM}`, { path: { team } })).status, 200)
  })

  it("have members of the org in them, each once", async () => {
    assert.strictEqual((await add("pay", "max")).status, 201)
    assert.strictEqual((await add("pay", "max")).status, 200)
    assert.strictEqual((await add("pay", "rob")).status, 201)
    assert.strictEqual((await add("ops", "rob")).status, 201)
    for (const login of ["fay", "nobody"])
      assert.deepInclude(await add("pay", login), {
        status: 404,
        body: { message: `\`${login}\` is not a member of org \`acme\`` }
      })
    assert.deepInclude(await add("none", "max"), {
      status: 404,
      body: { message: "Team 'none' does not exist in organization 'acme'" }
    })
    assert.deepStrictEqual(await loginsOf("pay"), ["max", "rob"])
    assert.deepStrictEqual(
      (await listed()).teams.map(({ members }) => members),
      [1, 2]
    )
  })

  it("are seen by admins and by the people in them", async () => {
    assert.deepStrictEqual(await namesOf(), ["ops", "pay"])
    assert.deepStrictEqual(await namesOf("reader"), ["ops", "pay"])
    assert.deepStrictEqual(await namesOf("member"), ["pay"])
    assert.deepStrictEqual(await namesOf("snapshotter"), [])
    assert.deepStrictEqual(await loginsOf("pay", "member"), ["max", "rob"])
    const hidden = { path: { team: "ops" }, as: "member" } as const
    const missing = { path: { team: "none" }, as: "member" } as const
    for (const operation of [`GET ${TEAM}`, `GET ${TEAM}/members`]) {
      const [one, other] = [await call(operation, hidden), await call(operation, missing)]
      assert.strictEqual(one.status, 404)
      assert.deepStrictEqual(
        JSON.stringify(one.body).replace("ops", "none"),
        JSON.stringify(other.body)
      )
    }
    for (const as of ["member", "snapshotter", "reader", "foreigner"] as const) {
      assert.strictEqual((await put("ops", {}, as)).status, 403)
      assert.strictEqual((await put("new", {}, as)).status, 403)
    }
  })

  it("are left, and come back to", async () => {
    assert.strictEqual((await leave("pay", "max")).status, 200)
    assert.deepInclude(await leave("pay", "max"), {
      status: 404,
      body: { message: "'max' is not in team 'pay'" }
    })
    assert.deepStrictEqual(await namesOf("member"), [])
    assert.strictEqual((await add("pay", "max")).status, 201)
    assert.deepStrictEqual(await loginsOf("pay"), ["rob", "max"])
  })

  it("end with their deletion, and their names are free again", async () => {
    assert.strictEqual((await call(`DELETE ${TEAM}`, { path: { team: "ops" } })).status, 200)
    assert.strictEqual((await call(`DELETE ${TEAM}`, { path: { team: "ops" } })).status, 404)
    assert.deepStrictEqual(await namesOf("reader"), ["pay"])
    assert.strictEqual((await put("ops")).status, 201)
    assert.deepStrictEqual(await loginsOf("ops"), [])
  })

  it("keep people who are suspended, and do not count them", async () => {
    const change = (how: "suspend" | "restore") =>
      run(
        Effect.gen(function* () {
          const org = yield* (yield* Orgs).get(OrgName.make("acme"))
          yield* (yield* Memberships)[how]({ org, login: Login.make("max"), by, source })
        })
      )
    const pay = async () => {
      const team = { path: { team: "pay" } }
      const { members } = (await call(`GET ${TEAM}`, team)).body as { members: number }
      const listed = (await call(`GET ${TEAM}/members`, team)).body as Members
      return [members, listed.members.filter(({ login }) => login === "max")[0]] as const
    }
    const [before, max] = await pay()
    assert.notProperty(max, "suspended")
    await change("suspend")
    assert.deepStrictEqual(await pay(), [before - 1, { ...max, login: "max", suspended: true }])
    await change("restore")
    assert.deepStrictEqual(await pay(), [before, max])
  })

  it("are left by a member who is removed from the org", async () => {
    await add("ops", "rob")
    await run(
      Effect.gen(function* () {
        const org = yield* (yield* Orgs).get(OrgName.make("acme"))
        const members = yield* Memberships
        const rob = { org, login: Login.make("rob"), by, source }
        yield* members.remove(rob)
        yield* members.add({ ...rob, role: "reader", displayName: null, email: null })
      })
    )
    assert.deepStrictEqual(await namesOf("reader"), [])
    assert.deepStrictEqual(await loginsOf("pay"), ["max"])
    const entries = await journal()
    const left = entries.filter(({ kind }) => kind === "team_member_removed").slice(-2)
    for (const { content } of left) assert.include(content, '"login":"rob"')
    const removed = entries.find(({ kind }) => kind === "membership_removed")
    for (const { sequence } of left) assert.isBelow(sequence, removed?.sequence ?? 0)
  })

  it("are changed where they are kept, and nowhere else", async () => {
    await run(
      Effect.gen(function* () {
        const store = yield* TeamStore
        const org = yield* (yield* Orgs).get(OrgName.make("acme"))
        const { items } = yield* store.list(org.id, {}, { page: 1, perPage: 9 })
        const [ops] = items
        assert.isDefined(ops)
        if (ops === undefined) return
        const work = store.update({ ...ops, kind: "scim", group_name: "Ops" })
        yield* (yield* Transaction).run(org.id, () => work)
        const found = yield* store.find({ org: org.id, id: ops.id })
        assert.strictEqual(Option.getOrThrow(found).kind, "scim")
      })
    )
    const message = "team `ops` is kept by SCIM: change the group at the identity provider"
    for (const answer of [
      await put("ops", { description: "x" }),
      await add("ops", "max"),
      await leave("ops", "max"),
      await call(`DELETE ${TEAM}`, { path: { team: "ops" } })
    ])
      assert.deepInclude(answer, { status: 409, body: { message } })
    const shown = await call(`GET ${TEAM}`, { path: { team: "ops" } })
    assert.deepInclude(shown.body as object, { kind: "scim", group_name: "Ops" })
  })
})
