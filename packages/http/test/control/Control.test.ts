/** Controls on the wire: the table of semantics 7.2, lists, versions. */
import { assert, describe, it } from "vitest"
import { onEveryStore } from "../shared/TestServer.js"

type Shown = Record<string, unknown> & { readonly identifier: string; readonly version: number }
type Entry = Record<string, unknown> & { readonly version: number; readonly kind: string }

onEveryStore("controls", ({ call, journal, org }) => {
  const create = (body: object, as?: "member") =>
    call("POST /controls/{org}", { body, ...(as === undefined ? {} : { as }) })
  const get = (identifier: string) =>
    call("GET /controls/{org}/{identifier}", { path: { identifier } })
  const put = (identifier: string, body: object) =>
    call("PUT /controls/{org}/{identifier}", { path: { identifier }, body })
  const archive = (identifier: string) =>
    call("POST /controls/{org}/{identifier}/archive", { path: { identifier } })
  const unarchive = (identifier: string) =>
    call("POST /controls/{org}/{identifier}/unarchive", { path: { identifier } })
  const versions = async (identifier: string, query = "?sort_direction=asc&per_page=100") =>
    (
      (await call("GET /controls/{org}/{identifier}/versions", { path: { identifier }, query }))
        .body as { readonly versions: ReadonlyArray<Entry> }
    ).versions
  const kinds = async (identifier: string) =>
    (await versions(identifier)).map(({ version, kind }) => `${version} ${kind}`)
  const list = async (query: string) => {
    const { body } = await call("GET /controls/{org}", { query })
    return (body as { controls: ReadonlyArray<Shown> }).controls.map(({ identifier }) => identifier)
  }

  describe("POST /controls/{org}", () => {
    it("is 201 with the control", async () => {
      const body = {
        identifier: "CTL-7",
        name: "Peer review",
        description: "four eyes",
        links: { "wiki.page": "https://wiki.example.org/7" }
      }
      const made = await create(body)
      assert.strictEqual(made.status, 201)
      const { created_at, ...rest } = made.body as Shown
      assert.isNumber(created_at)
      assert.deepStrictEqual(rest, {
        ...body,
        version: 1,
        created_by: "ada",
        archived: false,
        tags: {},
        policies_referencing: []
      })
      assert.deepStrictEqual((await get("CTL-7")).body, made.body)
      assert.deepStrictEqual(await kinds("CTL-7"), ["1 Created"])
      assert.deepStrictEqual((await journal()).at(-1)?.kind, "control_created")
      assert.deepStrictEqual((await journal()).at(-1)?.subject, { type: "control", id: "CTL-7" })
    })

    it("needs no description and no links", async () => {
      const { body } = await create({
        identifier: "bare",
        name: "n",
        description: null,
        links: null
      })
      assert.deepInclude(body, { description: null, links: {} })
    })

    it("refuses a taken identifier permanently, archived or not", async () => {
      await create({ identifier: "taken", name: "n" })
      const again = await create({ identifier: "taken", name: "n" })
      assert.strictEqual(again.status, 409)
      const message = `A control with identifier 'taken' already exists in organization '${org}'`
      assert.deepStrictEqual(again.body, { message })
      await archive("taken")
      assert.strictEqual((await create({ identifier: "taken", name: "n" })).status, 409)
      assert.deepStrictEqual(await kinds("taken"), ["1 Created", "2 Archived"])
    })

    it("lets one of 16 concurrent creates succeed", async () => {
      const all = await Promise.all(
        Array.from({ length: 16 }, (_, n) => create({ identifier: "raced", name: `n${n}` }))
      )
      assert.deepStrictEqual(all.map(({ status }) => status).sort(), [201, ...Array(15).fill(409)])
      assert.deepStrictEqual(await kinds("raced"), ["1 Created"])
    })

    it("reports every invalid field", async () => {
      const errors = async (body: object) =>
        Object.keys(((await create(body)).body as { errors: object }).errors)
      assert.deepStrictEqual(await errors({}), ["identifier", "name"])
      assert.deepStrictEqual(await errors({ identifier: "..", name: " " }), ["identifier", "name"])
      assert.deepStrictEqual(
        await errors({ identifier: "a".repeat(257), name: "n".repeat(256), extra: 1 }),
        ["extra", "identifier", "name"]
      )
      assert.deepStrictEqual(
        await errors({ identifier: "a", name: "n", links: { a: "javascript:alert(1)" } }),
        ["links.a"]
      )
      const links = await create({ identifier: "a", name: "n", links: [] })
      assert.strictEqual(links.status, 400)
      assert.include(JSON.stringify(links.body), "Input should be a valid dictionary")
      const identifier = await create({ identifier: "-a", name: "n" })
      assert.include(JSON.stringify(identifier.body), "String should match pattern")
      const longest = await create({ identifier: "a".repeat(256), name: "n".repeat(255) })
      assert.strictEqual(longest.status, 201)
    })
  })

  describe("PUT /controls/{org}/{identifier}", () => {
    it("adds a version for a real change only, and keeps absent fields", async () => {
      await create({
        identifier: "edited",
        name: "a",
        description: "d",
        links: { l: "https://l.example" }
      })
      const next = await put("edited", { name: "b" })
      assert.strictEqual(next.status, 200)
      assert.deepInclude(next.body, {
        name: "b",
        description: "d",
        links: { l: "https://l.example" },
        version: 2
      })
      const before = (await journal()).length
      const same = await put("edited", { name: "b", description: "d" })
      assert.deepStrictEqual([same.status, same.body], [200, next.body])
      assert.strictEqual((await put("edited", {})).status, 200)
      assert.strictEqual((await journal()).length, before)
      const cleared = await put("edited", { description: "", links: { m: "https://m.example" } })
      assert.deepInclude(cleared.body, {
        description: null,
        links: { m: "https://m.example" },
        version: 3
      })
      assert.deepInclude((await put("edited", { links: null })).body, { links: {}, version: 4 })
      assert.deepStrictEqual(
        (await versions("edited")).map(({ name, description, links }) => [
          name,
          description,
          links
        ]),
        [
          ["a", "d", { l: "https://l.example" }],
          ["b", "d", { l: "https://l.example" }],
          ["b", null, { m: "https://m.example" }],
          ["b", null, {}]
        ]
      )
    })

    it("refuses invalid changes", async () => {
      await create({ identifier: "kept", name: "a" })
      const statuses = [
        await put("kept", { name: "" }),
        await put("kept", { links: "x" }),
        await put("kept", { identifier: "other" }),
        await put("nobody", { name: "a" })
      ].map(({ status }) => status)
      assert.deepStrictEqual(statuses, [400, 400, 400, 404])
      assert.deepStrictEqual(await kinds("kept"), ["1 Created"])
    })

    it("gives 16 concurrent edits 16 versions without a gap", async () => {
      await create({ identifier: "busy", name: "n" })
      const all = await Promise.all(
        Array.from({ length: 16 }, (_, n) => put("busy", { name: `n${n}` }))
      )
      assert.deepStrictEqual([...new Set(all.map(({ status }) => status))], [200])
      assert.deepStrictEqual(
        (await versions("busy")).map(({ version }) => version),
        Array.from({ length: 17 }, (_, index) => index + 1)
      )
    })
  })

  describe("POST /controls/{org}/{identifier}/archive and /unarchive", () => {
    it("archives and unarchives once each, and refuses edits of an archived control", async () => {
      await create({ identifier: "moved", name: "n" })
      const gone = await archive("moved")
      assert.strictEqual(gone.status, 200)
      assert.deepInclude(gone.body, { archived: true, version: 2 })
      assert.deepStrictEqual((await archive("moved")).body, gone.body)
      const refused = await put("moved", { name: "n" })
      assert.deepStrictEqual(
        [refused.status, refused.body],
        [
          400,
          {
            message: "Control 'moved' in organization 'acme' is archived: unarchive it to edit it"
          }
        ]
      )
      assert.notInclude(await list("?per_page=100"), "moved")
      assert.include(await list("?archived=true"), "moved")
      const back = await unarchive("moved")
      assert.deepInclude(back.body, { archived: false, version: 3, name: "n" })
      assert.deepStrictEqual((await unarchive("moved")).body, back.body)
      assert.include(await list("?per_page=100"), "moved")
      assert.deepStrictEqual(await kinds("moved"), ["1 Created", "2 Archived", "3 Unarchived"])
      const recorded = (await journal()).filter(({ subject }) => subject.id === "moved")
      assert.deepStrictEqual(
        recorded.map(({ kind }) => kind),
        ["control_created", "control_archived", "control_unarchived"]
      )
    })

    it("is 404 for an unknown control", async () => {
      const all = [
        await get("nobody"),
        await archive("nobody"),
        await unarchive("nobody"),
        await call("GET /controls/{org}/{identifier}/versions", { path: { identifier: "nobody" } }),
        await call("GET /controls/{org}/{identifier}/decisions", {
          path: { identifier: "nobody" }
        }),
        await call("GET /controls/{org}/{identifier}/coverage", { path: { identifier: "nobody" } })
      ]
      for (const { status, body } of all) {
        assert.strictEqual(status, 404)
        assert.deepStrictEqual(body, { message: `Control 'nobody' does not exist in org '${org}'` })
      }
      assert.strictEqual((await get("..-")).status, 400)
    })
  })

  describe("GET /controls/{org}/{identifier}/versions", () => {
    it("lists pages of versions, newest first unless asked, with counters and links", async () => {
      await create({ identifier: "paged", name: "1" })
      for (const name of ["2", "3", "4"]) await put("paged", { name })
      const numbers = async (query: string) =>
        (await versions("paged", query)).map(({ version }) => version)
      assert.deepStrictEqual(await numbers(""), [4, 3, 2, 1])
      assert.deepStrictEqual(await numbers("?sort_direction=asc"), [1, 2, 3, 4])
      assert.deepStrictEqual(await numbers("?per_page=3&page=2"), [1])
      const { body } = await call("GET /controls/{org}/{identifier}/versions", {
        path: { identifier: "paged" },
        query: "?per_page=3"
      })
      assert.deepInclude(body, { page: 1, per_page: 3, total_pages: 2, total_count: 4 })
      assert.match(JSON.stringify(body), /"next":\{"href":"[^"]*page=2"/)
      for (const query of ["?per_page=0", "?per_page=101", "?sort_direction=up"]) {
        const refused = await call("GET /controls/{org}/{identifier}/versions", {
          path: { identifier: "paged" },
          query
        })
        assert.strictEqual(refused.status, 400, query)
      }
    })
  })

  describe("GET /controls/{org}/tags", () => {
    it("lists the distinct tags of controls that are not archived, by key and value", async () => {
      const tag = async (identifier: string, set_tags: object) => {
        await create({ identifier, name: identifier })
        await call("PATCH /tags/{org}/{resource_type}/{resource_id}", {
          path: { resource_type: "control", resource_id: identifier },
          body: { set_tags }
        })
      }
      await tag("tagged-1", { squad: "b", area: "" })
      await tag("tagged-2", { squad: "a" })
      await tag("tagged-3", { squad: "a", gone: "1" })
      await archive("tagged-3")
      const { status, body } = await call("GET /controls/{org}/tags")
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body, [
        { key: "area", value: "" },
        { key: "squad", value: "a" },
        { key: "squad", value: "b" }
      ])
    })

    it("refuses a control of the identifier `tags`, and no other", async () => {
      const { status, body } = await create({ identifier: "tags", name: "n" })
      assert.strictEqual(status, 400)
      assert.match((body as { errors: { identifier: string } }).errors.identifier, /reserved/)
      assert.strictEqual((await create({ identifier: "Tags", name: "n" })).status, 201)
      assert.strictEqual((await get("Tags")).status, 200)
    })
  })

  describe("GET /controls/{org}/{identifier}/versions/{version}", () => {
    it("returns one version, and is 404 beyond the last", async () => {
      await create({ identifier: "versioned", name: "a" })
      await put("versioned", { name: "b" })
      const version = (number: string) =>
        call("GET /controls/{org}/{identifier}/versions/{version}", {
          path: { identifier: "versioned", version: number }
        })
      const [first, second] = await versions("versioned")
      assert.deepStrictEqual((await version("1")).body, first)
      assert.deepStrictEqual((await version("2")).body, second)
      assert.deepInclude(second, { version: 2, kind: "Edited", user: "ada", name: "b" })
      const statuses = [
        await version("3"),
        await version("0"),
        await version("x"),
        await version("9".repeat(12))
      ]
      assert.deepStrictEqual(
        statuses.map(({ status }) => status),
        [404, 400, 400, 400]
      )
    })
  })

  describe("GET /controls/{org}", () => {
    it("lists by name, with search, tags, both directions and pages", async () => {
      for (const n of ["zz-1", "zz-2", "zz-3"]) await create({ identifier: n, name: `List ${n}` })
      const tagged = await call("PATCH /tags/{org}/{resource_type}/{resource_id}", {
        path: { resource_type: "control", resource_id: "zz-2" },
        body: { set_tags: { team: "pay" } }
      })
      assert.deepStrictEqual([tagged.status, tagged.body], [200, "OK"])
      assert.deepStrictEqual(await list("?search=list ZZ"), ["zz-1", "zz-2", "zz-3"])
      assert.deepStrictEqual(await list("?search=zz-&sort_direction=desc&per_page=2"), [
        "zz-3",
        "zz-2"
      ])
      assert.deepStrictEqual(await list("?search=zz-&per_page=2&page=2"), ["zz-3"])
      assert.deepStrictEqual(await list("?tag=team"), ["zz-2"])
      assert.deepStrictEqual(await list("?tag=team:pay&tag=team"), ["zz-2"])
      assert.deepStrictEqual(await list("?tag=team:other"), [])
      assert.include(await list("?tag=&search=&per_page=100"), "zz-1")
      const { body } = await call("GET /controls/{org}", { query: "?search=zz-&per_page=2" })
      assert.deepInclude(body, { page: 1, per_page: 2, total_pages: 2, total_count: 3 })
      assert.notProperty(
        (body as { controls: ReadonlyArray<Shown> }).controls[0],
        "policies_referencing"
      )
      for (const query of ["?archived=maybe", "?sort_direction=up", "?per_page=101", "?page=0"])
        assert.strictEqual((await call("GET /controls/{org}", { query })).status, 400, query)
    })
  })

  describe("PATCH /tags/{org}/{resource_type}/{resource_id}", () => {
    const tag = (
      resource_id: string,
      as: "admin" | "member" = "admin",
      resource_type = "controls"
    ) =>
      call("PATCH /tags/{org}/{resource_type}/{resource_id}", {
        path: { resource_type, resource_id },
        body: { set_tags: { a: "b" } },
        as
      })

    it("tags a control without a version, once, by administrators only", async () => {
      await create({ identifier: "tagged", name: "n" })
      assert.strictEqual((await tag("tagged")).status, 200)
      const before = (await journal()).length
      assert.strictEqual((await tag("tagged", "admin", "control")).status, 200)
      assert.strictEqual((await journal()).length, before)
      assert.deepInclude((await get("tagged")).body, { version: 1, tags: { a: "b" } })
      assert.strictEqual((await tag("tagged", "member")).status, 403)
      assert.strictEqual((await tag("-")).status, 400)
      const missing = await tag("nobody")
      assert.strictEqual(missing.status, 404)
      assert.deepStrictEqual(missing.body, {
        message: `"Control 'nobody' does not exist in organization '${org}'"`
      })
    })
  })
})
