/** Graphs grow level by level within their limits. Law EXPO-4 */
import * as Graph from "@attestry/core/Graph"
import * as Timestamp from "@attestry/core/Timestamp"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Generated from "../../testing/arbitrary/Graph.js"
import * as Model from "../../testing/internal/model/GraphModel.js"

type Edges = ReadonlyArray<Graph.FoundEdge>

/** The graph around a root, its edges from a plain list. */
const grow = (edges: Edges, root: Graph.NodeKey, depth: number, limit: number): Graph.Growing => {
  let graph = Graph.start(root)
  for (let level = 0; level < depth; level++)
    graph = Graph.expand(graph, Model.found(edges, graph.level, limit), Graph.limitsOf(limit))
  return graph
}

const names = (edges: Iterable<Graph.FoundEdge>) => [...edges].map(Graph.edgeTextOf).sort()

const depth = FastCheck.integer({ min: 1, max: 4 })
const limit = FastCheck.integer({ min: 1, max: 30 })

const MANY = 1_000

const artifact = (key: string): Graph.NodeKey => ({ type: "artifact", key })
const trail = (key: string): Graph.NodeKey => ({ type: "trail", key })

const edge = (
  type: Graph.EdgeType,
  [from, to]: readonly [Graph.NodeKey, Graph.NodeKey],
  at = 0
): Graph.FoundEdge => ({
  type,
  from,
  to,
  at: Timestamp.fromMicros(at),
  since: null,
  until: null
})

describe("Graph", () => {
  it.prop(
    "has every node and edge within the depth where the limits leave room",
    { edges: Generated.edges, root: Generated.node, depth },
    ({ edges, root, depth: far }) => {
      const graph = grow(edges, root, far, MANY)
      assert.deepStrictEqual(
        [...graph.nodes.keys()].sort(),
        [...Model.distances(edges, root, far).keys()].sort()
      )
      assert.deepStrictEqual(
        names(graph.edges.values()),
        names(Model.edgesWithin(edges, root, far))
      )
      assert.deepStrictEqual(Graph.omissions(graph), [])
    }
  )

  it.prop(
    "never exceeds its limits, and both ends of every edge are among its nodes (law EXPO-4)",
    { edges: Generated.edges, root: Generated.node, depth, limit },
    ({ edges, root, depth: far, limit: most }) => {
      const graph = grow(edges, root, far, most)
      assert.isAtMost(graph.nodes.size, most)
      assert.isAtMost(graph.edges.size, Graph.limitsOf(most).edges)
      for (const { from, to } of graph.edges.values())
        assert.isTrue(graph.nodes.has(Graph.textOf(from)) && graph.nodes.has(Graph.textOf(to)))
      // Every node is reached by edges that the graph shows, within the depth.
      const reached = Model.distances([...graph.edges.values()], root, far)
      assert.deepStrictEqual([...graph.nodes.keys()].sort(), [...reached.keys()].sort())
    }
  )

  it.prop(
    "says of every node whose edges it looked for how many it does not show",
    { edges: Generated.edges, root: Generated.node, limit },
    ({ edges, root, limit: most }) => {
      const graph = grow(edges, root, 2, most)
      const left = new Map(
        Graph.omissions(graph).map(({ more, node, type }) => [
          `${type} ${Graph.textOf(node)}`,
          more
        ])
      )
      for (const { count, node, type } of graph.degrees) {
        const shown = [...graph.edges.values()].filter(
          (one) =>
            one.type === type &&
            [one.from, one.to].some((end) => Graph.textOf(end) === Graph.textOf(node))
        )
        assert.strictEqual(shown.length + (left.get(`${type} ${Graph.textOf(node)}`) ?? 0), count)
      }
    }
  )

  it.prop(
    "is the same for the same root, in whatever order edges come",
    { edges: Generated.edges, root: Generated.node, depth, limit },
    ({ edges, root, depth: far, limit: most }) => {
      const shownOf = (graph: Graph.Growing) => [
        [...graph.nodes.keys()],
        [...graph.edges.keys()],
        Graph.omissions(graph)
      ]
      const turned = grow([...edges].reverse(), root, far, most)
      assert.deepStrictEqual(shownOf(grow(edges, root, far, most)), shownOf(turned))
    }
  )

  it.prop(
    "of an artifact that is reached from a commit reaches that commit (law EXPO-4)",
    { edges: Generated.edges, depth },
    ({ edges, depth: far }) => {
      const commit = { type: "commit", key: "1" } as const
      for (const node of grow(edges, commit, far, MANY).nodes.values())
        if (node.type === "artifact")
          assert.isTrue(grow(edges, node, far, MANY).nodes.has(Graph.textOf(commit)))
    }
  )

  it("lets nodes and types take turns, newest first within a type", () => {
    const root = artifact("root")
    const many = [1, 2, 3, 4, 5].map((at) => edge("recorded_in", [root, trail(`${at}`)], at))
    const one = edge("replaced", [root, artifact("before")])
    const graph = grow([...many, one], root, 1, 4)
    assert.deepStrictEqual(
      [...graph.nodes.keys()],
      ["artifact:root", "trail:5", "artifact:before", "trail:4"]
    )
    assert.deepStrictEqual(Graph.omissions(graph), [{ node: root, type: "recorded_in", more: 3 }])
  })

  it("leaves out a node that is not known, with its edges", () => {
    const root = artifact("root")
    const graph = grow([edge("recorded_in", [root, trail("gone")])], root, 1, 10)
    const known = Graph.without(graph, ({ key }) => key !== "gone")
    assert.deepStrictEqual([...known.nodes.keys()], ["artifact:root"])
    assert.strictEqual(known.edges.size, 0)
  })
})
