/**
 * The graph around one root: its neighbours, and their neighbours. SPEC §4.3
 *
 * Edges have a direction and are followed both ways. A graph grows level by level: the store gives the edges of a
 * level, and `expand` decides which of them are shown within the limits. A flow with a thousand trails leaves room
 * for everything else.
 */
import * as Schema from "effect/Schema"
import { type FlowName, OrgName, type TrailName } from "../shared/Identifier.js"
import type { Timestamp } from "../shared/Timestamp.js"

/** What a node can be. */
export const NodeType = Schema.Literal(
  "artifact",
  "trail",
  "flow",
  "commit",
  "attestation",
  "environment",
  "policy",
  "control"
)
/** What a node can be. */
export type NodeType = typeof NodeType.Type

/** How two nodes can be connected. */
export const EdgeType = Schema.Literal(
  "recorded_in",
  "of",
  "builds",
  "about",
  "overrides",
  "ran_in",
  "judged_by",
  "asks_about",
  "decides",
  "replaced"
)
/** How two nodes can be connected. */
export type EdgeType = typeof EdgeType.Type

/** A graph goes at least this far from its root. */
export const DEPTH_MIN = 1
/** A graph goes at most this far from its root. */
export const DEPTH_MAX = 4
/** How far a graph goes that is asked for without a depth. */
export const DEPTH_DEFAULT = 2
/** The smallest number of nodes that a graph can be limited to. */
export const NODES_MIN = 10
/** The most nodes of a graph. */
export const NODES_MAX = 500
/** How many nodes a graph has at most that is asked for without a limit. */
export const NODES_DEFAULT = 200
/** A graph has at most this many edges for each node that it may have. */
export const EDGES_PER_NODE = 4
/** Of each node and type of edge, the newest of so many are looked at; what is not shown is counted up to it. */
export const REACH = 1_000

/** One thing, by the id that never changes; of a commit, an artifact and a control their own. */
export interface NodeKey {
  readonly type: NodeType
  readonly key: string
}

/** What is shown of a node. */
export interface NodeDescription {
  readonly node: NodeKey
  /** The name by which it is known, or the beginning of its id. */
  readonly label: string
  /** The flow of a trail or an attestation, or the flow itself. */
  readonly flow: FlowName | null
  /** The trail of an attestation, or the trail itself. */
  readonly trail: TrailName | null
  /** Null where nothing was evaluated. */
  readonly compliant: boolean | null
}

/** A connection of two things. */
export interface FoundEdge {
  readonly type: EdgeType
  readonly from: NodeKey
  readonly to: NodeKey
  /** By which edges of one type are ordered, newest first. */
  readonly at: Timestamp
  readonly since: Timestamp | null
  readonly until: Timestamp | null
}

/** How many edges of a type a node has. */
export interface Degree {
  readonly node: NodeKey
  readonly type: EdgeType
  readonly count: number
}

/** The edges at the nodes of a level, in any order. */
export interface FoundEdges {
  readonly edges: ReadonlyArray<FoundEdge>
  readonly degrees: ReadonlyArray<Degree>
}

/** How large a graph may become. */
export interface Limits {
  readonly nodes: number
  readonly edges: number
}

/** A graph while it grows. */
export interface Growing {
  /** In the order in which they were reached; the root is the first. */
  readonly nodes: ReadonlyMap<string, NodeKey>
  readonly edges: ReadonlyMap<string, FoundEdge>
  readonly degrees: ReadonlyArray<Degree>
  /** The nodes that were reached last. */
  readonly level: ReadonlyArray<NodeKey>
}

/** Edges of a type at a node that a graph does not show. */
export interface Omission {
  readonly node: NodeKey
  readonly type: EdgeType
  readonly more: number
}

/** Nothing is known about the thing that a graph is asked for. */
export class GraphRootNotFound extends Schema.TaggedError<GraphRootNotFound>()(
  "GraphRootNotFound",
  { org: OrgName, root: Schema.String }
) {
  override get message(): string {
    return `nothing is known about \`${this.root}\` in org \`${this.org}\``
  }
}

/** A text that no other node has. */
export const textOf = ({ type, key }: NodeKey): string => `${type}:${key}`

/** A text that no other edge has. */
export const edgeTextOf = ({ from, to, type }: FoundEdge): string =>
  `${type} ${textOf(from)} ${textOf(to)}`

/** The limits of a graph with at most so many nodes. */
export const limitsOf = (nodes: number): Limits => ({ nodes, edges: nodes * EDGES_PER_NODE })

/** A graph of its root alone. */
export const start = (root: NodeKey): Growing => ({
  nodes: new Map([[textOf(root), root]]),
  edges: new Map(),
  degrees: [],
  level: [root]
})

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

/** The order of edges of one type: newest first. */
export const byNewest = (left: FoundEdge, right: FoundEdge): number =>
  right.at - left.at || compare(edgeTextOf(left), edgeTextOf(right))

/** Edges in the order of `byNewest`, each once. WHY by their texts: a comparison would make two of them. */
const newestFirst = (found: ReadonlyArray<FoundEdge>): ReadonlyArray<FoundEdge> =>
  [...new Map(found.map((edge) => [edgeTextOf(edge), edge]))]
    .sort(([left, one], [right, other]) => other.at - one.at || compare(left, right))
    .map(([, edge]) => edge)

interface Group {
  /** The text of the node at which these edges were found. */
  readonly node: string
  readonly edges: ReadonlyArray<FoundEdge>
}

/** The edges by node and type: nodes in the order of the level, then types in their order, then newest first. */
const groupsOf = (level: ReadonlyArray<NodeKey>, found: ReadonlyArray<FoundEdge>) => {
  const byNode = new Map<string, Array<FoundEdge>>()
  for (const edge of newestFirst(found))
    for (const end of new Set([textOf(edge.from), textOf(edge.to)])) {
      const own = byNode.get(end) ?? []
      own.push(edge)
      byNode.set(end, own)
    }
  return level.flatMap((node): ReadonlyArray<Group> => {
    const own = byNode.get(textOf(node)) ?? []
    return EdgeType.literals
      .map((type) => ({ node: textOf(node), edges: own.filter((edge) => edge.type === type) }))
      .filter(({ edges }) => edges.length > 0)
  })
}

const otherEnd = ({ from, to }: FoundEdge, node: string): NodeKey =>
  textOf(from) === node ? to : from

/**
 * The graph with the next level. Nodes and types of edges take turns, so that one with many neighbours leaves room for
 * the others. An edge is shown when both of its ends are; edges by which nodes were reached always are.
 */
export const expand = (graph: Growing, found: FoundEdges, limits: Limits): Growing => {
  const groups = groupsOf(graph.level, found.edges)
  const nodes = new Map(graph.nodes)
  const edges = new Map(graph.edges)
  const level: Array<NodeKey> = []
  const turns = Math.max(0, ...groups.map((group) => group.edges.length))
  for (let turn = 0; turn < turns && nodes.size < limits.nodes; turn++)
    for (const group of groups) {
      const edge = group.edges[turn]
      const other = edge === undefined ? undefined : otherEnd(edge, group.node)
      if (edge === undefined || other === undefined) continue
      if (nodes.has(textOf(other)) || nodes.size >= limits.nodes) continue
      nodes.set(textOf(other), other)
      edges.set(edgeTextOf(edge), edge)
      level.push(other)
    }
  for (const edge of groups.flatMap((group) => group.edges)) {
    // WHY less than the limit: each node that is still to come brings an edge.
    if (edges.size >= limits.edges - (limits.nodes - nodes.size)) break
    if (nodes.has(textOf(edge.from)) && nodes.has(textOf(edge.to)))
      edges.set(edgeTextOf(edge), edge)
  }
  return { nodes, edges, degrees: [...graph.degrees, ...found.degrees], level }
}

/** What the graph does not show at the nodes whose edges were looked for. */
export const omissions = ({ degrees, edges, nodes }: Growing): ReadonlyArray<Omission> => {
  const shown = new Map<string, number>()
  for (const { from, to, type } of edges.values())
    for (const end of new Set([textOf(from), textOf(to)]))
      shown.set(`${type} ${end}`, (shown.get(`${type} ${end}`) ?? 0) + 1)
  const order = [...nodes.keys()]
  const placeOf = new Map(order.map((node, at) => [node, at]))
  return degrees
    .map(({ node, type, count }) => ({
      node,
      type,
      more: count - (shown.get(`${type} ${textOf(node)}`) ?? 0)
    }))
    .filter(({ more }) => more > 0)
    .sort(
      (left, right) =>
        (placeOf.get(textOf(left.node)) ?? 0) - (placeOf.get(textOf(right.node)) ?? 0) ||
        EdgeType.literals.indexOf(left.type) - EdgeType.literals.indexOf(right.type)
    )
}

/** The graph without the nodes that are not among these, and without their edges. */
export const without = (graph: Growing, isKnown: (node: NodeKey) => boolean): Growing => {
  const known = ({ from, to }: FoundEdge) => isKnown(from) && isKnown(to)
  return {
    nodes: new Map([...graph.nodes].filter(([, node]) => isKnown(node))),
    edges: new Map([...graph.edges].filter(([, edge]) => known(edge))),
    degrees: graph.degrees.filter(({ node }) => isKnown(node)),
    level: graph.level.filter(isKnown)
  }
}
