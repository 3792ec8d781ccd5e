/** Where nodes of graphs are drawn. */
import { FastCheck as fc } from "effect"
import { assert, describe, it } from "vitest"
import { draw, LABELLED_MAX, ringsOf } from "../../app/exposure/GraphRings.js"
import { pageOf, parseRoot, rootOf, shortName, spoken } from "../../app/exposure/GraphWords.js"
import type { GraphAnswer } from "../../app/shared/Contract.js"

const node = (id: string): GraphAnswer["nodes"][number] => ({
  id,
  type: "artifact",
  label: id,
  html_url: `https://example.org/acme/artifacts/${id}`
})

const edge = (from: string, to: string): GraphAnswer["edges"][number] => ({
  from,
  to,
  type: "replaced"
})

const graphOf = (edges: ReadonlyArray<readonly [string, string]>): GraphAnswer => ({
  nodes: [...new Set(["0", ...edges.flat()])].map(node),
  edges: edges.map(([from, to]) => edge(from, to)),
  truncated: []
})

const id = fc.nat(30).map(String)
const graphs = fc.array(fc.tuple(id, id), { maxLength: 60 }).map(graphOf)

describe("rings of a graph", () => {
  it("have every node once, each on the ring after one that it is connected with", () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const { nodes, radii } = draw(graph)
        assert.deepStrictEqual(
          nodes.map((placed) => placed.node.id).sort(),
          graph.nodes.map((one) => one.id).sort()
        )
        const ringOf = new Map(nodes.map((placed) => [placed.node.id, placed.ring]))
        assert.strictEqual(ringOf.get("0"), 0)
        for (const [ring, reached] of ringsOf(graph).entries())
          for (const { by } of reached)
            if (by !== undefined) assert.strictEqual(ringOf.get(by), ring - 1)
        for (const [ring, radius] of radii.entries())
          if (ring > 0) assert.isAbove(radius, radii[ring - 1] ?? 0)
      })
    )
  })

  it("have room for their nodes, inside of the drawing", () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const { height, nodes, width } = draw(graph)
        for (const one of nodes) {
          assert.isTrue(one.x >= 0 && one.x <= width && one.y >= 0 && one.y <= height)
          for (const other of nodes) {
            if (one === other || one.ring !== other.ring) continue
            const apart = Math.hypot(one.x - other.x, one.y - other.y)
            assert.isAbove(apart, one.isLabelled ? 90 : 18)
          }
        }
      })
    )
  })

  it("show names where there are few", () => {
    const star = (count: number) =>
      draw(graphOf(Array.from({ length: count }, (_, at) => ["0", String(at + 1)] as const)))
    const labelled = (count: number) => star(count).nodes.every((placed) => placed.isLabelled)
    assert.isTrue(labelled(LABELLED_MAX))
    assert.isFalse(labelled(LABELLED_MAX + 1))
    assert.deepStrictEqual(draw({ nodes: [], edges: [], truncated: [] }).nodes, [])
  })
})

describe("words of a graph", () => {
  it("take a fingerprint and a commit without a word before them", () => {
    assert.strictEqual(parseRoot(` sha256:${"A".repeat(64)} `), `fingerprint:${"a".repeat(64)}`)
    assert.strictEqual(parseRoot("c".repeat(40)), `commit:${"c".repeat(40)}`)
    assert.strictEqual(parseRoot("trail:shop/t1"), "trail:shop/t1")
    for (const text of ["", "shop", "flow:shop", "policy:"]) assert.isUndefined(parseRoot(text))
  })

  it("say what a node is, and lead to pages of this application alone", () => {
    assert.strictEqual(spoken({ ...node("a"), compliant: false }), "artifact a, not compliant")
    assert.strictEqual(spoken(node("a")), "artifact a")
    assert.strictEqual(pageOf(node("a"), ""), "/acme/artifacts/a")
    assert.strictEqual(
      pageOf({ ...node("a"), html_url: "https://example.org/base/acme/flows/a%20b" }, "/base"),
      "/base/acme/flows/a%20b"
    )
    for (const html_url of ["javascript:alert(1)", "no address", "https://example.org/a/b/c"])
      assert.strictEqual(pageOf({ ...node("a"), html_url }, "/base"), "/base/")
    assert.isUndefined(rootOf({ query: [["root", " "]] }))
    const short = (label: string) => shortName({ label })
    assert.strictEqual(short("registry.example.org/team/shop:10"), "shop:10")
    assert.strictEqual(short("c".repeat(40)), "ccccccc")
    assert.strictEqual(short("folder/"), "folder/")
    assert.lengthOf(short("a name that is far too long"), 16)
  })
})
