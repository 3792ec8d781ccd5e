/**
 * The part of a graph that a caller reads: nodes and edges with readable ends, without stubs for the others.
 *
 * Trails, attestations and flows are read with their flow. An artifact or a commit is read at the other end of its
 * edges: a report, an attestation or a run.
 */
import * as Effect from "effect/Effect"
import { type GrantedWithin, Reaches, readableWithin } from "../../access/Reaches.js"
import type { Artifact } from "../../artifact/Artifact.js"
import { ArtifactStore } from "../../artifact/ArtifactStore.js"
import { Fingerprint } from "../../artifact/Fingerprint.js"
import * as Placement from "../../artifact/Placement.js"
import { AttestationStore } from "../../attestation/AttestationStore.js"
import { AttestationId, type FlowId, TrailId } from "../../shared/Identifier.js"
import type { StoreError } from "../../shared/StoreError.js"
import { ReadModels } from "../../snapshot/ReadModels.js"
import type { ThingKind } from "../../space/ThingPlace.js"
import { TrailStore } from "../../trail/TrailStore.js"
import * as Graph from "../Graph.js"

/** A node and the thing in whose space it is. */
interface PlacedNode {
  readonly node: Graph.NodeKey
  readonly kind: ThingKind
  readonly id: string
}

const keysOf = (nodes: ReadonlyArray<Graph.NodeKey>, type: Graph.NodeType) =>
  nodes.filter((node) => node.type === type).map(({ key }) => key)

const distinct = (nodes: ReadonlyArray<Graph.NodeKey>): ReadonlyArray<Graph.NodeKey> => [
  ...new Map(nodes.map((node) => [Graph.textOf(node), node])).values()
]

/** The newest edges of each node and type, at most so many of each, and how many of each there are. */
const cut = (
  level: ReadonlyArray<Graph.NodeKey>,
  edges: ReadonlyArray<Graph.FoundEdge>,
  limit: number
): Graph.FoundEdges => {
  const shown = new Set<Graph.FoundEdge>()
  const degrees: Array<Graph.Degree> = []
  for (const node of level)
    for (const type of Graph.EdgeType.literals) {
      const text = Graph.textOf(node)
      const own = edges.filter(
        (edge) =>
          edge.type === type && (Graph.textOf(edge.from) === text || Graph.textOf(edge.to) === text)
      )
      if (own.length === 0) continue
      degrees.push({ node, type, count: own.length })
      for (const edge of [...own].sort(Graph.byNewest).slice(0, limit)) shown.add(edge)
    }
  return { edges: [...shown], degrees }
}

/** Makes the reads. A caller who reads the whole org costs no further query. */
export const make = Effect.gen(function* () {
  const store = yield* ReadModels
  const reaches = yield* Reaches
  const artifacts = yield* ArtifactStore
  const attestations = yield* AttestationStore
  const trails = yield* TrailStore

  /** The nodes whose own thing has a place, with that thing. */
  const placed = ({ orgId }: GrantedWithin, nodes: ReadonlyArray<Graph.NodeKey>) =>
    Effect.gen(function* () {
      const ofTrails = yield* trails.listByIds(
        orgId,
        keysOf(nodes, "trail").map((key) => TrailId.make(key))
      )
      const ofAttestations = yield* attestations.listByIds(
        orgId,
        keysOf(nodes, "attestation").map((key) => AttestationId.make(key))
      )
      const flows = new Map<string, FlowId>(
        [...ofTrails, ...ofAttestations].map(({ flow_id, id }) => [id, flow_id])
      )
      return nodes.flatMap((node): ReadonlyArray<PlacedNode> => {
        switch (node.type) {
          case "artifact":
          case "commit":
            return []
          case "trail":
          case "attestation": {
            const id = flows.get(node.key)
            return id === undefined ? [] : [{ node, kind: "flow", id }]
          }
          default:
            return [{ node, kind: node.type, id: node.key }]
        }
      })
    })

  /** The texts of the nodes that the caller reads by their own place. */
  const readable = (granted: GrantedWithin, nodes: ReadonlyArray<Graph.NodeKey>) =>
    Effect.gen(function* () {
      const found = yield* placed(granted, nodes)
      const kept = yield* Effect.forEach(
        ["flow", "environment", "policy", "control"] as const,
        (kind) =>
          reaches.keepReadable(granted, {
            kind,
            things: found.filter((each) => each.kind === kind),
            idOf: ({ id }) => id
          })
      )
      return new Set(kept.flat().map(({ node }) => Graph.textOf(node)))
    })

  const recordsOf = (granted: GrantedWithin, key: string) =>
    artifacts.listByContent({
      org: granted.orgId,
      ...readableWithin(granted),
      fingerprint: Fingerprint.make(key)
    })

  /** Whether a readable flow knows both artifacts: only flows know what replaced what. */
  const isKnownPair = (granted: GrantedWithin, { from, to }: Graph.FoundEdge) =>
    Effect.gen(function* () {
      const flows = new Set((yield* recordsOf(granted, from.key)).map(({ flow_id }) => flow_id))
      return (yield* recordsOf(granted, to.key)).some(({ flow_id }) => flows.has(flow_id))
    })

  /** The edges at the nodes of a level. */
  const edges = (
    granted: GrantedWithin,
    level: ReadonlyArray<Graph.NodeKey>,
    limit: number
  ): Effect.Effect<Graph.FoundEdges, StoreError> =>
    Effect.gen(function* () {
      const { orgId } = granted
      if (granted.readable._tag === "Whole")
        return yield* store.graphEdges(orgId, level, { limit, reach: Graph.REACH })
      // WHY all within reach: what is hidden takes no room from what is readable.
      const all = yield* store.graphEdges(orgId, level, { limit: Graph.REACH, reach: Graph.REACH })
      const known = yield* readable(
        granted,
        distinct(all.edges.flatMap(({ from, to }) => [from, to]))
      )
      const isFree = ({ type }: Graph.NodeKey) => type === "artifact" || type === "commit"
      const isReadable = (node: Graph.NodeKey) => isFree(node) || known.has(Graph.textOf(node))
      const kept = yield* Effect.filter(
        all.edges.filter(({ from, to }) => isReadable(from) && isReadable(to)),
        (edge) => (edge.type === "replaced" ? isKnownPair(granted, edge) : Effect.succeed(true))
      )
      return cut(level, kept, limit)
    })

  const nameInRuntime = (granted: GrantedWithin, fingerprint: Fingerprint) =>
    Effect.gen(function* () {
      const places = yield* reaches.keepReadable(granted, {
        kind: "environment",
        things: yield* store.placements(granted.orgId, [fingerprint]),
        idOf: ({ environment }) => environment
      })
      const newest = Placement.runsOf(places).at(-1)?.newest
      const rows = yield* store.placedRows(granted.orgId, newest === undefined ? [] : [newest])
      return rows.map(({ name }) => name).sort()[0]
    })

  const complianceOf = ({ org_id, id, trail_id }: Artifact) =>
    Effect.map(trails.listEvaluations(org_id, [trail_id]), ([evaluation]) => {
      const record = evaluation?.records.find(({ artifact_id }) => artifact_id === id)
      return record?.is_compliant ?? null
    })

  /** An artifact by its newest record in a readable flow, else by its name where it began to run last. */
  const describeArtifact = (granted: GrantedWithin, node: Graph.NodeKey) =>
    Effect.gen(function* () {
      const [newest] = yield* recordsOf(granted, node.key)
      const description = { node, flow: null, trail: null }
      if (newest !== undefined)
        return {
          ...description,
          label: newest.report.filename,
          compliant: yield* complianceOf(newest)
        }
      const name = yield* nameInRuntime(granted, Fingerprint.make(node.key))
      return { ...description, label: name ?? node.key.slice(0, 12), compliant: null }
    })

  /** The descriptions of nodes, in any order. */
  const nodes = (
    granted: GrantedWithin,
    keys: ReadonlyArray<Graph.NodeKey>
  ): Effect.Effect<ReadonlyArray<Graph.NodeDescription>, StoreError> =>
    Effect.gen(function* () {
      const described = yield* store.graphNodes(granted.orgId, keys)
      return granted.readable._tag === "Whole"
        ? described
        : yield* Effect.forEach(described, (each) =>
            each.node.type === "artifact"
              ? describeArtifact(granted, each.node)
              : Effect.succeed(each)
          )
    })

  return { edges, nodes } as const
})
