/** What a thing is connected with, on the wire. */
import { assert, it } from "vitest"
import { c1, c2, evidenceOf } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"

const print = (letter: string) => letter.repeat(64)

interface Answer {
  readonly nodes: ReadonlyArray<{
    readonly id: string
    readonly type: string
    readonly label: string
    readonly compliant?: boolean
    readonly html_url: string
  }>
  readonly edges: ReadonlyArray<{
    readonly from: string
    readonly to: string
    readonly type: string
    readonly since?: number
    readonly until?: number
  }>
  readonly truncated: ReadonlyArray<{
    readonly node: string
    readonly edge_type: string
    readonly more: number
  }>
}

const POLICY = `_schema: https://example.org/v1
artifacts:
  attestations:
    - name: "*"
      type: decision
      for_control: G-1
`

const A = `fingerprint:${print("a")}`
const B = `fingerprint:${print("b")}`

const shown = ({ edges }: Answer) => edges.map(({ from, to, type }) => `${from} ${type} ${to}`)

onEveryStore("GET /graph/{org}", (server) => {
  const { call, org } = server
  const report = (...rows: ReadonlyArray<readonly [string, string]>) =>
    call("PUT /environments/{org}/{env_name}/report/server", {
      path: { env_name: "graph-prod" },
      body: {
        artifacts: rows.map(([name, letter]) => ({
          digests: { [name]: print(letter) },
          creationTimestamp: 1
        }))
      }
    })
  const ask = (query: Record<string, string>) =>
    call("GET /graph/{org}", { query: `?${new URLSearchParams(query)}` })
  const read = async (query: Record<string, string>): Promise<Answer> => {
    const { status, body } = await ask(query)
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body as Answer
  }
  const { artifact, attest, begin, generic, named } = evidenceOf(server, "graph-flow")

  it("connects an artifact with everything that is known about it", async () => {
    await call("POST /controls/{org}", { body: { identifier: "G-1", name: "Reviewed" } })
    await call("PUT /policies/{org}", { body: { name: "graph-rules", policy_file: POLICY } })
    await call("PUT /environments/{org}", {
      body: { name: "graph-prod", type: "server", policies: ["graph-rules"] }
    })
    await begin("t1")
    await artifact("t1", "app", print("a"), c1)
    await begin("t2")
    await artifact("t2", "app", print("b"), c2)
    await report(["app", "a"])
    await report(["app", "b"])
    await attest("t2", "system", {
      attestation_name: "review",
      type_name: "decision",
      control: "G-1",
      artifact_fingerprint: print("b"),
      attestation_data: { is_compliant: true }
    })
    await report(["app", "b"])
    const [review] = await named("t2", "review")
    const decision = `attestation:${review?.attestation_id}`
    const graph = await read({ root: B })
    assert.deepStrictEqual(
      shown(graph).sort(),
      [
        `${B} recorded_in trail:graph-flow/t2`,
        `${A} recorded_in trail:graph-flow/t1`,
        "trail:graph-flow/t2 of flow:graph-flow",
        `trail:graph-flow/t2 builds commit:${c2}`,
        `${decision} about ${B}`,
        `${decision} decides control:G-1`,
        `${B} ran_in environment:graph-prod`,
        `${A} ran_in environment:graph-prod`,
        "environment:graph-prod judged_by policy:graph-rules",
        `${B} replaced ${A}`
      ].sort()
    )
    assert.deepStrictEqual(graph.truncated, [])
    const [root] = graph.nodes
    const site = root?.html_url.slice(0, root.html_url.indexOf(`/${org}/`))
    assert.deepStrictEqual(root, {
      id: B,
      type: "artifact",
      label: "app.tar",
      compliant: true,
      html_url: `${site}/${org}/artifacts/${print("b")}`
    })
    const pages = new Map(graph.nodes.map(({ html_url, id }) => [id, html_url]))
    const trail = `${site}/${org}/flows/graph-flow/trails/t2`
    assert.strictEqual(pages.get("trail:graph-flow/t2"), trail)
    assert.strictEqual(pages.get(decision), `${trail}?attestation_id=${review?.attestation_id}`)
    assert.strictEqual(pages.get(`commit:${c2}`), `${site}/${org}/search?q=${c2}`)
    assert.strictEqual(pages.get("control:G-1"), `${site}/${org}/controls/G-1`)
    assert.strictEqual(pages.get("policy:graph-rules"), `${site}/${org}/policies/graph-rules`)
    const places = graph.nodes.filter(({ type }) => type === "environment")
    assert.deepStrictEqual(
      places.map(({ compliant, id }) => [id, compliant]),
      [["environment:graph-prod", true]]
    )
    const ran = graph.edges.filter(({ type }) => type === "ran_in")
    assert.deepStrictEqual(
      ran.map(({ from, since, until }) => [from, since !== undefined, until !== undefined]).sort(),
      [
        [A, true, true],
        [B, true, false]
      ]
    )
  })

  it("reaches from every root what is reached from another, and the same each time", async () => {
    const [review] = await named("t2", "review")
    const roots = [
      A,
      B,
      `commit:${c2}`,
      "trail:graph-flow/t2",
      "environment:graph-prod",
      "policy:graph-rules",
      "control:G-1",
      `attestation:${review?.attestation_id}`
    ]
    for (const root of roots) {
      const graph = await read({ root, depth: "4" })
      assert.strictEqual(graph.nodes[0]?.id, root)
      assert.includeMembers(
        graph.nodes.map(({ id }) => id),
        roots,
        root
      )
      assert.deepStrictEqual(await read({ root, depth: "4" }), graph)
    }
    const [near, far] = [await read({ root: A, depth: "1" }), await read({ root: A, depth: "2" })]
    assert.isBelow(near.nodes.length, far.nodes.length)
    assert.notInclude(
      near.nodes.map(({ id }) => id),
      "control:G-1"
    )
  })

  it("stays within its limit and says what it leaves out", async () => {
    for (let index = 0; index < 12; index++) await generic("t1", `scan-${index}`, index % 2 === 0)
    const graph = await read({ root: "trail:graph-flow/t1", depth: "1", limit: "10" })
    assert.lengthOf(graph.nodes, 10)
    const ids = new Set(graph.nodes.map(({ id }) => id))
    for (const { from, to } of graph.edges) assert.isTrue(ids.has(from) && ids.has(to))
    const about = graph.edges.filter(({ type }) => type === "about")
    assert.deepStrictEqual(graph.truncated, [
      { node: "trail:graph-flow/t1", edge_type: "about", more: 12 - about.length }
    ])
    // The artifact, the flow and the commit have their turns before the newest attestations fill the rest.
    assert.lengthOf(about, 6)
    assert.include(
      graph.nodes.map(({ label }) => label),
      "scan-11"
    )
  })

  it("refuses what is no root, and sizes outside of the limits", async () => {
    for (const [query, field] of [
      [{}, "root"],
      [{ root: "" }, "root"],
      [{ root: "flow:graph-flow" }, "root"],
      [{ root: "fingerprint:abc" }, "root"],
      [{ root: `commit:${c1.slice(1)}` }, "root"],
      [{ root: "trail:graph-flow" }, "root"],
      [{ root: `policy:${"a".repeat(256)}` }, "root"],
      [{ root: A, depth: "0" }, "depth"],
      [{ root: A, depth: "5" }, "depth"],
      [{ root: A, limit: "9" }, "limit"],
      [{ root: A, limit: "501" }, "limit"],
      [{ root: A, limit: "all" }, "limit"]
    ] as ReadonlyArray<readonly [Record<string, string>, string]>) {
      const { status, body } = await ask(query)
      assert.strictEqual(status, 400, JSON.stringify(query))
      assert.include(JSON.stringify(body), field)
    }
    const bad = await ask({ root: "flow:graph-flow" })
    assert.include(JSON.stringify(bad.body), "trail:FLOW/TRAIL")
    for (const size of [{ depth: "1" }, { depth: "4" }, { limit: "10" }, { limit: "500" }])
      assert.strictEqual((await ask({ root: A, ...(size as object) })).status, 200)
  })

  it("answers 404 for what is not known", async () => {
    for (const root of [
      `fingerprint:${print("9")}`,
      `commit:${"9".repeat(40)}`,
      "trail:none/t1",
      "trail:graph-flow/none",
      "attestation:none",
      "environment:none",
      "policy:none",
      "control:none"
    ])
      assert.strictEqual((await ask({ root })).status, 404, root)
    assert.strictEqual(
      (await call("GET /graph/{org}", { query: `?root=${A}`, as: "foreigner" })).status,
      403
    )
  })

  it("leaves out environments that are archived", async () => {
    await call("PUT /environments/{org}/{env_name}/archive", {
      path: { env_name: "graph-prod" },
      body: {}
    })
    const graph = await read({ root: A, depth: "2" })
    assert.notInclude(
      graph.nodes.map(({ type }) => type),
      "environment"
    )
  })
})
