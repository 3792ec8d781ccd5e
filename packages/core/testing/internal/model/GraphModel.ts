/** Graphs as plain sets: what is at which distance from a root, and which edges touch what is nearer than the last. */
import { EdgeType, type FoundEdge, type FoundEdges, type NodeKey } from "@attestry/core/Graph"

const same = (left: NodeKey, right: NodeKey): boolean =>
  left.type === right.type && left.key === right.key

const touches = ({ from, to }: FoundEdge, node: NodeKey): boolean =>
  same(from, node) || same(to, node)

const nameOf = ({ key, type }: NodeKey): string => `${type}:${key}`

/** The nodes at most so far from the root, each with its distance: every edge is looked at once for each distance. */
export const distances = (
  edges: ReadonlyArray<FoundEdge>,
  root: NodeKey,
  depth: number
): ReadonlyMap<string, number> => {
  const found = new Map([[nameOf(root), 0]])
  for (let distance = 1; distance <= depth; distance++)
    for (const { from, to } of edges)
      for (const [near, far] of [
        [from, to],
        [to, from]
      ] as const)
        if (found.get(nameOf(near)) === distance - 1 && !found.has(nameOf(far)))
          found.set(nameOf(far), distance)
  return found
}

/** The edges of a graph without limits: those at nodes that are nearer than the depth. */
export const edgesWithin = (
  edges: ReadonlyArray<FoundEdge>,
  root: NodeKey,
  depth: number
): ReadonlyArray<FoundEdge> => {
  const far = distances(edges, root, depth)
  const isInner = (node: NodeKey) => (far.get(nameOf(node)) ?? depth) < depth
  return edges.filter(({ from, to }) => isInner(from) || isInner(to))
}

/** What a store gives for the nodes of a level: the newest edges of each node and type, and how many there are. */
export const found = (
  edges: ReadonlyArray<FoundEdge>,
  level: ReadonlyArray<NodeKey>,
  limit: number
): FoundEdges => {
  const groups = level.flatMap((node) =>
    EdgeType.literals.map((type) => ({
      node,
      type,
      own: edges
        .filter((edge) => edge.type === type && touches(edge, node))
        .sort(
          (left, right) =>
            right.at - left.at ||
            (`${nameOf(left.from)} ${nameOf(left.to)}` < `${nameOf(right.from)} ${nameOf(right.to)}`
              ? -1
              : 1)
        )
    }))
  )
  return {
    edges: groups.flatMap(({ own }) => own.slice(0, limit)),
    degrees: groups.flatMap(({ node, own, type }) =>
      own.length === 0 ? [] : [{ node, type, count: own.length }]
    )
  }
}
