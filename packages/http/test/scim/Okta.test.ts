/**
 * A day of Okta: the requests of its public reference of SCIM 2.0, with other names and ids, as a wizard application
 * and as one of its network send them.
 */
import { assert, it } from "vitest"
import { onBothStores } from "../shared/TestServer.js"
import { loginsIn, membersOf } from "./Outcome.js"
import { client, patchOf, resourcesOf } from "./Scim.js"

const person = (name: string, externalId: string) => ({
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
  userName: `${name}@corp.example`,
  name: { givenName: name, familyName: "Muster" },
  emails: [{ primary: true, value: `${name}@corp.example`, type: "work" }],
  displayName: `${name} Muster`,
  locale: "en-US",
  externalId,
  groups: [],
  password: "1mz050nq",
  active: true
})

onBothStores("a day of Okta", (server) => {
  const send = client(server)
  const ids = new Map<string, string>()
  const idOf = (name: string) => ids.get(name) ?? "none"

  it("tests the connection, and finds nobody", async () => {
    const found = await send("GET /Users?startIndex=1&count=2")
    assert.deepInclude(found.body, {
      totalResults: 0,
      startIndex: 1,
      itemsPerPage: 0,
      Resources: []
    })
  })

  it("creates people whom it does not find", async () => {
    for (const [name, external] of [
      ["ines", "00u1a"],
      ["noah", "00u2b"]
    ] as const) {
      const filter = encodeURIComponent(`userName eq "${name}@corp.example"`)
      const found = await send(`GET /Users?filter=${filter}&startIndex=1&count=100`)
      assert.strictEqual(found.body.totalResults, 0)
      const made = await send("POST /Users", person(name, external))
      assert.strictEqual(made.status, 201, JSON.stringify(made.body))
      const { id, meta, password, ...shown } = made.body
      assert.isUndefined(password)
      assert.deepInclude(shown, { userName: `${name}@corp.example`, active: true, locale: "en-US" })
      const { location } = meta as { location: string }
      assert.strictEqual(made.headers.get("location"), location)
      assert.match(location, new RegExp(`/api/v2/scim/acme/Users/${id}$`))
      ids.set(name, String(id))
      const again = await send(`GET /Users?filter=${filter}&startIndex=1&count=100`)
      assert.deepStrictEqual(resourcesOf(again)[0], made.body)
    }
    const refused = await send("POST /Users", person("INES", "00u9z"))
    assert.deepInclude(refused, { status: 409 })
    assert.strictEqual(refused.body.scimType, "uniqueness")
    assert.deepInclude(await membersOf(server), {
      "acme:ines@corp.example": "none",
      "acme:noah@corp.example": "none"
    })
  })

  it("changes a person by PUT, as a wizard application does", async () => {
    const { body } = await send(`GET /Users/${idOf("ines")}`)
    const changed = { ...body, name: { givenName: "Inés", middleName: "", familyName: "Muster" } }
    const answer = await send(`PUT /Users/${idOf("ines")}`, changed)
    assert.strictEqual(answer.status, 200)
    assert.deepStrictEqual(answer.body.name, changed.name)
    assert.strictEqual(answer.body.active, true)
  })

  it("pushes a group, fills it, renames it, and moves people", async () => {
    const made = await send("POST /Groups", {
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:Group"],
      displayName: "Release Managers",
      members: []
    })
    assert.strictEqual(made.status, 201, JSON.stringify(made.body))
    const id = String(made.body.id)
    ids.set("group", id)
    const rename = {
      op: "replace",
      value: { id, displayName: "Release managers (EU)" }
    }
    assert.strictEqual((await send(`PATCH /Groups/${id}`, patchOf(rename))).status, 204)
    const add = {
      op: "add",
      path: "members",
      value: [
        { value: idOf("ines"), display: "ines@corp.example" },
        { value: idOf("noah"), display: "noah@corp.example" }
      ]
    }
    for (const _ of [1, 2])
      assert.strictEqual((await send(`PATCH /Groups/${id}`, patchOf(add))).status, 204)
    assert.deepStrictEqual(await loginsIn(server, "release-managers-eu"), [
      "acme:ines@corp.example",
      "acme:noah@corp.example"
    ])
    const move = [
      { op: "remove", path: `members[value eq "${idOf("noah")}"]` },
      { op: "add", path: "members", value: [{ value: idOf("ines") }] }
    ]
    assert.strictEqual((await send(`PATCH /Groups/${id}`, patchOf(...move))).status, 204)
    assert.deepStrictEqual(await loginsIn(server, "release-managers-eu"), [
      "acme:ines@corp.example"
    ])
    const push = { op: "replace", path: "members", value: [{ value: idOf("noah") }] }
    assert.strictEqual((await send(`PATCH /Groups/${id}`, patchOf(push))).status, 204)
    const shown = await send(`GET /Groups/${id}`)
    assert.deepInclude(shown.body, { displayName: "Release managers (EU)" })
    assert.deepStrictEqual(
      (shown.body.members as ReadonlyArray<{ value: string; display: string }>).map(
        ({ display, value }) => [value, display]
      ),
      [[idOf("noah"), "noah@corp.example"]]
    )
    const put = await send(`PUT /Groups/${id}`, {
      displayName: "Release managers (EU)",
      members: [{ value: idOf("ines") }, { value: idOf("noah") }]
    })
    assert.strictEqual(put.status, 200)
    assert.lengthOf(await loginsIn(server, "release-managers-eu"), 2)
  })

  it("deactivates people by PATCH and by PUT, and activates them again", async () => {
    const off = patchOf({ op: "replace", value: { active: false } })
    const answer = await send(`PATCH /Users/${idOf("noah")}`, off)
    assert.deepInclude(answer, { status: 200 })
    assert.strictEqual(answer.body.active, false)
    const { body } = await send(`GET /Users/${idOf("ines")}`)
    await send(`PUT /Users/${idOf("ines")}`, { ...body, active: false })
    assert.deepInclude(await membersOf(server), {
      "acme:ines@corp.example": "none suspended",
      "acme:noah@corp.example": "none suspended"
    })
    assert.lengthOf(await loginsIn(server, "release-managers-eu"), 2)
    const on = patchOf({ op: "replace", value: { active: true } })
    assert.strictEqual((await send(`PATCH /Users/${idOf("ines")}`, on)).body.active, true)
    assert.deepInclude(await membersOf(server), { "acme:ines@corp.example": "none" })
    assert.strictEqual((await send("GET /Users?startIndex=1&count=100")).body.totalResults, 2)
  })

  it("unlinks the group, which ends its team", async () => {
    assert.strictEqual((await send(`DELETE /Groups/${idOf("group")}`)).status, 204)
    assert.strictEqual((await send(`GET /Groups/${idOf("group")}`)).status, 404)
    const gone = await server.call("GET /teams/{org}/{team}", {
      path: { team: "release-managers-eu" }
    })
    assert.strictEqual(gone.status, 404)
  })
})
