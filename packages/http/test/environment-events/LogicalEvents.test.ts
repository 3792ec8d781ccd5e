/** The event log and the audit log of a logical environment, on the wire. */
import { assert, it } from "vitest"
import { onBothStores } from "../shared/TestServer.js"

const print = (letter: string) => letter.repeat(64)

interface Event {
  readonly environment_name: string
  readonly snapshot_index: number
  readonly artifact_name: string
  readonly type: string
  readonly description: string
}

interface Snapshot {
  readonly artifacts: ReadonlyArray<{
    readonly name: string
    readonly environment: string
    readonly annotation: { readonly type: string }
  }>
}

onBothStores("the logs of a logical environment", ({ call }) => {
  const put = (body: object) => call("PUT /environments/{org}", { body })
  const report = (env_name: string, digests: object) =>
    call("PUT /environments/{org}/{env_name}/report/server", {
      path: { env_name },
      body: { artifacts: [{ digests, creationTimestamp: 1 }] }
    })
  const include = (...included_environments: ReadonlyArray<string>) =>
    call("PATCH /environments/{org}/{env_name}", {
      path: { env_name: "all" },
      body: { included_environments }
    })
  const events = async (query = "") =>
    (await call("GET /environments/{org}/{env_name}/events", { path: { env_name: "all" }, query }))
      .body as ReadonlyArray<Event>
  const words = async (query = "") =>
    (await events(query)).map((one) => `${one.snapshot_index} ${one.type} ${one.artifact_name}`)
  const lines = async (query = "") => {
    const { body } = await call("GET /environments/{org}/{env_name}/auditlog", {
      path: { env_name: "all" },
      query
    })
    const [, ...rest] = String(body).trimEnd().split("\r\n")
    return rest.map((line) => line.split(",").slice(2, 10).join(" "))
  }
  const snapshot = async (snapshot_expression: string) =>
    (
      await call("GET /snapshots/{org}/{env_name}/{snapshot_expression}", {
        path: { env_name: "all", snapshot_expression }
      })
    ).body as Snapshot

  const ALL = [
    "1 started-unknown shop",
    "2 started-unknown web",
    "3 exited shop",
    "3 started-unknown api",
    "4 exited web",
    "5 exited api",
    "5 started-unknown shop"
  ]

  it("match its snapshots, in both directions", async () => {
    await put({ name: "east", type: "server" })
    await put({ name: "west", type: "server" })
    await put({ name: "north", type: "server" })
    await report("east", { shop: print("a") })
    await put({ name: "all", type: "logical", included_environments: ["east", "west"] })
    await report("west", { web: print("b") })
    await report("east", { api: print("c") })
    await report("north", { shop: print("a") })
    await include("east")
    await include("north")
    assert.deepStrictEqual(await words("?reverse=true"), ALL)
    assert.deepStrictEqual(await words(), ALL.slice().reverse())
    for (const index of [1, 2, 3, 4, 5]) {
      const told = (await snapshot(String(index))).artifacts
        .filter(({ annotation }) => annotation.type !== "unchanged")
        .map(({ name, annotation }) => `${index} ${annotation.type} ${name}`)
      assert.deepStrictEqual(told.sort(), (await words(`?interval=${index}..${index}`)).sort())
    }
  })

  it("show the number of instances, with the name of the requested environment", async () => {
    const [first] = await events("?reverse=true")
    assert.deepInclude(first as object, {
      environment_name: "all",
      description: "1 instance started running (from 0 to 1)",
      sha256: print("a")
    })
    assert.deepStrictEqual(await lines(), [
      `all 1 started started-unknown shop ${print("a")} 0 1`,
      `all 2 started started-unknown web ${print("b")} 0 1`,
      `all 3 exited exited shop ${print("a")} 1 0`,
      `all 3 started started-unknown api ${print("c")} 0 1`,
      `all 4 exited exited web ${print("b")} 1 0`,
      `all 5 exited exited api ${print("c")} 1 0`,
      `all 5 started started-unknown shop ${print("a")} 0 1`
    ])
  })

  it("can be paged, bounded and filtered", async () => {
    assert.deepStrictEqual(await words("?reverse=true&page=2&per_page=3"), ALL.slice(3, 6))
    assert.deepStrictEqual(await words("?page=3&per_page=3"), ALL.slice(0, 1))
    assert.deepStrictEqual(await words("?start=3&end=4&reverse=true"), ALL.slice(2, 5))
    assert.deepStrictEqual(
      (await lines("?event_types=exited")).map((line) => line.split(" ")[4]),
      ["shop", "web", "api"]
    )
    assert.deepStrictEqual(await lines("?flow_names=build"), [])
    assert.lengthOf(await lines("?flow_names=no%20provenance"), 7)
  })

  it("show the exits of artifacts of an archived member, with the member", async () => {
    await call("PUT /environments/{org}/{env_name}/archive", { path: { env_name: "north" } })
    assert.deepStrictEqual((await words()).slice(0, 1), ["6 exited shop"])
    const [row] = (await snapshot("6")).artifacts
    assert.match(row?.environment ?? "", /^north-archived-at-\d+$/)
  })

  it("have no deployments of their own", async () => {
    const { body } = await call("GET /deployments/{org}", { query: "?env_name=all" })
    assert.notInclude(JSON.stringify(body), '"all"')
  })
})
