/** Logical environments on the wire, which show the running artifacts of their members. */
import { assert, it } from "vitest"
import { onEveryStore } from "../shared/TestServer.js"

const print = (letter: string) => letter.repeat(64)

interface Shown {
  readonly index: number
  readonly type: string
  readonly artifact_compliance_count: unknown
  readonly artifacts: ReadonlyArray<{
    readonly name: string
    readonly environment: string
    readonly annotation: { readonly type: string }
  }>
}

onEveryStore("PUT /environments/{org}/{env_name}/join", ({ call }) => {
  const put = (body: object) => call("PUT /environments/{org}", { body })
  const join = (env_name: string, physical_env_name: string) =>
    call("PUT /environments/{org}/{env_name}/join", {
      path: { env_name },
      body: { physical_env_name }
    })
  const report = (env_name: string, digests: object) =>
    call("PUT /environments/{org}/{env_name}/report/server", {
      path: { env_name },
      body: { artifacts: [{ digests, creationTimestamp: 1 }] }
    })
  const snapshot = async (env_name: string, snapshot_expression = "-1") =>
    (
      await call("GET /snapshots/{org}/{env_name}/{snapshot_expression}", {
        path: { env_name, snapshot_expression }
      })
    ).body as Shown
  const rows = ({ artifacts }: Shown) =>
    artifacts.map(
      ({ environment, name, annotation }) => `${environment} ${name} ${annotation.type}`
    )

  it("LOGICAL-1, LOGICAL-3: has the rows of its members, and one snapshot for each of theirs", async () => {
    await put({ name: "east", type: "server" })
    await put({ name: "west", type: "server" })
    await report("east", { shop: print("a") })
    assert.strictEqual((await put({ name: "all", type: "logical" })).status, 201)
    assert.deepStrictEqual((await join("all", "east")).body, "OK")
    const first = await snapshot("all")
    assert.deepInclude(first, { index: 1, type: "logical" })
    assert.deepStrictEqual(rows(first), ["east shop started-unknown"])
    await join("all", "west")
    await report("west", { web: print("b") })
    const third = await snapshot("all")
    assert.strictEqual(third.index, 3)
    assert.deepStrictEqual(rows(third).sort(), ["east shop unchanged", "west web started-unknown"])
    assert.deepStrictEqual(third.artifact_compliance_count, { true: 0, false: 0, null: 2 })
    await report("east", {})
    assert.deepStrictEqual(rows(await snapshot("all")).sort(), [
      "east shop exited",
      "west web unchanged"
    ])
    assert.deepStrictEqual(rows(await snapshot("all", "1")), ["east shop started-unknown"])
  })

  it("LOGICAL-5: joining twice equals joining once", async () => {
    const before = (await snapshot("all")).index
    assert.strictEqual((await join("all", "west")).status, 200)
    assert.strictEqual((await snapshot("all")).index, before)
    const { body } = await call("GET /environments/{org}/{env_name}", { path: { env_name: "all" } })
    assert.deepInclude(body as object, {
      included_environments: ["east", "west"],
      last_reported_at: null
    })
  })

  it("LOGICAL-4: accepts no report and no logical member, and a physical environment has no members", async () => {
    assert.strictEqual((await report("all", {})).status, 400)
    await put({ name: "other", type: "logical" })
    assert.strictEqual((await join("all", "other")).status, 400)
    assert.strictEqual((await join("east", "west")).status, 400)
    assert.strictEqual((await join("all", "nowhere")).status, 404)
    const refused = await put({ name: "bad", type: "logical", included_environments: [""] })
    assert.deepStrictEqual(
      [refused.status, refused.body],
      [404, { message: "Environment named '' does not exist for organization 'acme'" }]
    )
  })

  it("leaves out archived and removed members", async () => {
    await call("PUT /environments/{org}/{env_name}/archive", { path: { env_name: "east" } })
    const after = await snapshot("all")
    assert.deepStrictEqual(rows(after), ["west web unchanged"])
    await call("PATCH /environments/{org}/{env_name}", {
      path: { env_name: "all" },
      body: { included_environments: [] }
    })
    const empty = await snapshot("all")
    assert.strictEqual(empty.index, after.index + 1)
    assert.deepStrictEqual(rows(empty), ["west web exited"])
  })
})
