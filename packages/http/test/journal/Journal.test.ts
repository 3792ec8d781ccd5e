/** The journal on the wire. */
import { createHash } from "node:crypto"
import * as CanonicalJson from "@attestry/core/CanonicalJson"
import { assert, beforeAll, it } from "vitest"
import { onBothStores } from "../shared/TestServer.js"

interface Entry {
  readonly sequence: number
  readonly at: number
  readonly kind: string
  readonly subject: { readonly type: string; readonly id: string }
  readonly actor: { readonly kind: string; readonly id: string; readonly name: string }
  readonly content: unknown
  readonly digest: string
}

interface Page {
  readonly _links: { readonly self: { readonly href: string }; readonly next?: { href: string } }
  readonly entries: ReadonlyArray<Entry>
}

onBothStores("GET /journal/{org}", ({ call, journal }) => {
  const list = async (query = "") => {
    const { status, body } = await call("GET /journal/{org}", { query })
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body as Page
  }
  const kindsOf = ({ entries }: Page) => [...new Set(entries.map(({ kind }) => kind))]

  beforeAll(async () => {
    for (const name of ["shop", "web", "é"])
      await call("PUT /flows/{org}", { as: "member", body: { name, description: "\u2028 1e21" } })
    await call("POST /controls/{org}", { body: { identifier: "c1", name: "c" } })
  })

  it("shows every accepted write, newest first, each with content that fits its digest", async () => {
    const stored = await journal()
    const { entries, _links } = await list("?per_page=100")
    assert.deepStrictEqual(
      entries.map(({ sequence }) => sequence),
      stored.map(({ sequence }) => sequence).reverse()
    )
    assert.hasAllKeys(_links, ["self"])
    for (const entry of entries) {
      assert.hasAllKeys(entry, [
        "entry",
        "index",
        "prev",
        "sequence",
        "at",
        "kind",
        "subject",
        "actor",
        "content",
        "digest"
      ])
      const text = CanonicalJson.print(entry.content)
      assert.strictEqual(createHash("sha256").update(text).digest("hex"), entry.digest)
    }
    assert.deepInclude(entries[1], { kind: "flow_created" })
    assert.strictEqual(entries[1]?.actor.name, "max")
  })

  it("goes on below the last entry, until none is left", async () => {
    const all = (await list("?per_page=100")).entries
    const found: Array<Entry> = []
    let query = "?per_page=2"
    for (;;) {
      const { entries, _links } = await list(query)
      found.push(...entries)
      if (_links.next === undefined) break
      assert.strictEqual(entries.length, 2)
      query = new URL(_links.next.href).search
      assert.match(query, /per_page=2/)
    }
    assert.deepStrictEqual(found, all)
    assert.deepStrictEqual((await list("?before=1")).entries, [])
  })

  it("filters by kind, actor, type of subject and time", async () => {
    assert.deepStrictEqual(kindsOf(await list("?kind=flow_created")), ["flow_created"])
    assert.deepStrictEqual(kindsOf(await list("?kind=flow_created&kind=control_created")), [
      "control_created",
      "flow_created"
    ])
    const byMax = (await list("?actor=max")).entries
    assert.deepStrictEqual([...new Set(byMax.map(({ actor }) => actor.name))], ["max"])
    assert.deepStrictEqual((await list(`?actor=${byMax[0]?.actor.id}`)).entries, byMax)
    assert.deepStrictEqual(
      [...new Set((await list("?subject_type=flow")).entries.map(({ subject }) => subject.type))],
      ["flow"]
    )
    const [newest] = byMax
    const since = (await list(`?from=${newest?.at}`)).entries
    assert.isTrue(since.length > 0 && since.every(({ at }) => at >= (newest?.at ?? 0)))
    const until = (await list(`?to=${newest?.at}&per_page=100`)).entries
    assert.isTrue(until.length > 0 && until.every(({ at }) => at <= (newest?.at ?? 0)))
    for (const query of ["?kind=none", "?actor=none", "?subject_type=none", "?to=1"])
      assert.deepStrictEqual((await list(query)).entries, [], query)
  })

  it("refuses parameters outside of their bounds, and may not be stored", async () => {
    const queries = [
      "?per_page=0",
      "?per_page=101",
      "?before=0",
      "?before=x",
      "?from=now",
      "?kind=%00"
    ]
    for (const query of queries)
      assert.strictEqual((await call("GET /journal/{org}", { query })).status, 400, query)
    assert.strictEqual((await list("?per_page=1")).entries.length, 1)
    const { headers } = await call("GET /journal/{org}")
    assert.strictEqual(headers.get("cache-control"), "no-store")
  })

  it("is for admins of the org", async () => {
    for (const as of ["member", "snapshotter", "reader", "foreigner"] as const)
      assert.strictEqual((await call("GET /journal/{org}", { as })).status, 403)
  })

  it("tells the names of environments, flows and trails where they are asked for", async () => {
    await call("PUT /trails/{org}/{flow_name}", {
      path: { flow_name: "shop" },
      body: { name: "t" }
    })
    await call("PUT /environments/{org}", { body: { name: "prod", type: "server" } })
    const { entries, names = {} } = (await list("?include=names")) as Page & {
      readonly names?: { readonly [id: string]: { readonly type: string } }
    }
    const told = Object.values(names).map((name) => JSON.stringify(name))
    assert.includeMembers(told, [
      '{"type":"environment","name":"prod"}',
      '{"type":"flow","name":"shop"}',
      '{"type":"trail","name":"t","flow_name":"shop"}'
    ])
    const about = entries.map(({ subject }) => `${subject.type} ${subject.id}`)
    for (const [id, { type }] of Object.entries(names)) assert.include(about, `${type} ${id}`)
    assert.notProperty(await list(), "names")
    const refused = await call("GET /journal/{org}", { query: "?include=all" })
    assert.strictEqual(refused.status, 400)
  })
})
