/**
 * A day of Microsoft Entra: the requests of its public documents, with other names and ids, in both forms of
 * `aadOptscim062020`.
 */
import { assert, it } from "vitest"
import { onBothStores } from "../shared/TestServer.js"
import { loginsIn, membersOf } from "./Outcome.js"
import { client, patchOf, resourcesOf } from "./Scim.js"

const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"

const person = (name: string, externalId: string) => ({
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:User", ENTERPRISE],
  externalId,
  userName: `${name}@contoso.example`,
  active: true,
  emails: [{ primary: true, type: "work", value: `${name}@contoso.example` }],
  meta: { resourceType: "User" },
  name: { formatted: `${name} Beispiel`, familyName: "Beispiel", givenName: name },
  roles: []
})

onBothStores("a day of Entra", (server) => {
  const send = client(server)
  const ids = new Map<string, string>()
  const idOf = (name: string) => ids.get(name) ?? "none"
  const filtered = (path: string, filter: string, more = "") =>
    send(`GET ${path}?filter=${encodeURIComponent(filter)}${more}`)

  it("tests the connection with names that nobody has", async () => {
    const name = "0f3c1d77-3b27-4a52-8d5e-9f3b1e1f2a3c"
    for (const filter of [`userName eq "${name}"`, `externalId eq "${name}"`])
      assert.strictEqual((await filtered("/Users", filter)).body.totalResults, 0)
    const groups = await filtered(
      "/Groups",
      `displayName eq "${name}"`,
      "&excludedAttributes=members&aadOptscim062020"
    )
    assert.deepInclude(groups.body, { totalResults: 0, Resources: [] })
    assert.strictEqual((await send("GET /Schemas")).body.totalResults, 2)
  })

  it("creates people, and finds them by name, id and address", async () => {
    for (const [name, external] of [
      ["lena", "6f1e0000-aa01"],
      ["omar", "6f1e0000-aa02"]
    ] as const) {
      const made = await send("POST /Users", person(name, external))
      assert.strictEqual(made.status, 201, JSON.stringify(made.body))
      ids.set(name, String(made.body.id))
    }
    for (const filter of [
      'userName eq "LENA@contoso.example"',
      'externalId eq "6f1e0000-aa01"',
      'emails[type eq "work"].value eq "Lena@Contoso.example"',
      'emails.value eq "lena@contoso.example" and active eq true',
      `id eq "${idOf("lena")}"`
    ])
      assert.deepStrictEqual(
        resourcesOf(await filtered("/Users", filter)).map(({ id }) => id),
        [idOf("lena")],
        filter
      )
  })

  it("changes several attributes, in both forms", async () => {
    const old = patchOf(
      { op: "Replace", path: "displayName", value: "Lena B." },
      { op: "Replace", path: 'emails[type eq "work"].value', value: "lena.b@contoso.example" },
      { op: "Replace", path: "name.givenName", value: "Helena" },
      { op: "Add", path: "nickName", value: "Len" },
      { op: "Replace", path: `${ENTERPRISE}:employeeNumber`, value: "4711" }
    )
    const first = await send(`PATCH /Users/${idOf("lena")}`, old)
    assert.strictEqual(first.status, 200, JSON.stringify(first.body))
    assert.deepInclude(first.body, {
      displayName: "Lena B.",
      nickName: "Len",
      name: { formatted: "lena Beispiel", familyName: "Beispiel", givenName: "Helena" },
      emails: [{ primary: true, type: "work", value: "lena.b@contoso.example" }],
      [ENTERPRISE]: { employeeNumber: "4711" }
    })
    assert.include(first.body.schemas as ReadonlyArray<string>, ENTERPRISE)
    const flagged = patchOf(
      { op: "replace", path: 'emails[type eq "work"].value', value: "lena@contoso.example" },
      {
        op: "replace",
        value: {
          displayName: "Lena",
          "name.givenName": "Lena",
          "name.familyName": "Beispiel-Kurz",
          [`${ENTERPRISE}:employeeNumber`]: "4712"
        }
      }
    )
    const second = await send(`PATCH /Users/${idOf("lena")}?aadOptscim062020`, flagged)
    assert.deepInclude(second.body, {
      displayName: "Lena",
      name: { formatted: "lena Beispiel", familyName: "Beispiel-Kurz", givenName: "Lena" },
      emails: [{ primary: true, type: "work", value: "lena@contoso.example" }],
      [ENTERPRISE]: { employeeNumber: "4712" }
    })
    const repeated = await send(`PATCH /Users/${idOf("lena")}?aadOptscim062020`, flagged)
    assert.deepStrictEqual(repeated.body, second.body)
    const renamed = patchOf({ op: "Replace", path: "userName", value: "lena.k@contoso.example" })
    assert.strictEqual(
      (await send(`PATCH /Users/${idOf("lena")}`, renamed)).body.userName,
      "lena.k@contoso.example"
    )
  })

  it("creates a group without members, and moves people in both forms", async () => {
    const made = await send("POST /Groups", {
      schemas: [
        "urn:ietf:params:scim:schemas:core:2.0:Group",
        "http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group"
      ],
      externalId: "8aa1a0c0-77",
      displayName: "Payments",
      meta: { resourceType: "Group" }
    })
    assert.strictEqual(made.status, 201, JSON.stringify(made.body))
    const id = String(made.body.id)
    ids.set("group", id)
    const found = await filtered(
      "/Groups",
      'displayName eq "PAYMENTS"',
      "&excludedAttributes=members"
    )
    assert.notProperty(resourcesOf(found)[0], "members")
    const member = (name: string) => [{ $ref: null, value: idOf(name) }]
    for (const name of ["lena", "omar"]) {
      const add = patchOf({ op: "Add", path: "members", value: member(name) })
      assert.strictEqual((await send(`PATCH /Groups/${id}`, add)).status, 204)
    }
    assert.lengthOf(await loginsIn(server, "payments"), 2)
    const has = await filtered(
      "/Groups",
      `id eq "${id}" and members eq "${idOf("omar")}"`,
      "&attributes=id"
    )
    assert.deepStrictEqual(
      resourcesOf(has).map((each) => each.id),
      [id]
    )
    const old = patchOf({ op: "Remove", path: "members", value: member("omar") })
    assert.strictEqual((await send(`PATCH /Groups/${id}`, old)).status, 204)
    assert.deepStrictEqual(await loginsIn(server, "payments"), ["acme:lena@contoso.example"])
    const flagged = patchOf({ op: "remove", path: `members[value eq "${idOf("lena")}"]` })
    assert.strictEqual((await send(`PATCH /Groups/${id}`, flagged)).status, 204)
    assert.deepStrictEqual(await loginsIn(server, "payments"), [])
    const renamed = patchOf({ op: "Replace", path: "displayName", value: "Payments EU" })
    assert.strictEqual((await send(`PATCH /Groups/${id}`, renamed)).status, 204)
    assert.deepStrictEqual(await loginsIn(server, "payments-eu"), [])
  })

  it("disables people in both forms, and deletes them thirty days later", async () => {
    const old = patchOf({ op: "Replace", path: "active", value: "False" })
    assert.strictEqual((await send(`PATCH /Users/${idOf("omar")}`, old)).body.active, false)
    const flagged = patchOf({ op: "replace", path: "active", value: false })
    assert.strictEqual((await send(`PATCH /Users/${idOf("lena")}`, flagged)).body.active, false)
    const members = await membersOf(server)
    assert.strictEqual(members["acme:omar@contoso.example"], "none suspended")
    assert.strictEqual((await send(`DELETE /Users/${idOf("omar")}`)).status, 204)
    assert.strictEqual((await send(`DELETE /Users/${idOf("omar")}`)).status, 404)
    assert.strictEqual((await send(`GET /Users/${idOf("omar")}`)).status, 404)
    assert.notProperty(await membersOf(server), "acme:omar@contoso.example")
    assert.strictEqual((await send(`DELETE /Groups/${idOf("group")}`)).status, 204)
  })

  it("creates a person again, who is another user", async () => {
    const made = await send("POST /Users", person("omar", "6f1e0000-aa02"))
    assert.strictEqual(made.status, 201, JSON.stringify(made.body))
    assert.notStrictEqual(made.body.id, idOf("omar"))
    assert.deepInclude(await membersOf(server), { "acme:omar@contoso.example-2": "none" })
  })
})
