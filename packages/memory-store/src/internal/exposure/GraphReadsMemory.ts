/** The graph of `ReadModels` in memory: every edge of the org, of which those at the asked nodes are given. */

import * as Graph from "@attestry/core/Graph"
import type { OrgId } from "@attestry/core/Identifier"
import type { ReadModels } from "@attestry/core/ReadModels"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import { artifacts } from "../artifact/ArtifactStoreMemory.js"
import { attestations } from "../attestation/AttestationStoreMemory.js"
import { evaluations } from "../compliance/EvaluationsMemory.js"
import { controls } from "../control/ControlStoreMemory.js"
import { environments } from "../environment/EnvironmentRowsMemory.js"
import { flows } from "../flow/FlowStoreMemory.js"
import * as HistoryTables from "../history/HistoryTables.js"
import { policies, versions } from "../policy/PolicyStoreMemory.js"
import { MemoryState, type MemoryTable } from "../shared/MemoryState.js"
import { histories } from "../snapshot/SnapshotStoreMemory.js"
import { trails } from "../trail/TrailStoreMemory.js"
import { exposuresOf } from "./ExposureReadsMemory.js"
import * as GraphEdges from "./GraphEdges.js"
import * as GraphNodes from "./GraphNodes.js"

/** The edges by the texts of their ends. */
const byEnds = (
  all: ReadonlyArray<Graph.FoundEdge>,
  level: ReadonlyArray<Graph.NodeKey>
): ReadonlyMap<string, ReadonlyArray<Graph.FoundEdge>> => {
  const found = new Map<string, Array<Graph.FoundEdge>>(
    level.map((node) => [Graph.textOf(node), []])
  )
  for (const edge of all)
    for (const end of new Set([Graph.textOf(edge.from), Graph.textOf(edge.to)]))
      found.get(end)?.push(edge)
  return found
}

/** The edges at the nodes of a level: the newest of each node and type, and how many there are. */
const select = (
  all: ReadonlyArray<Graph.FoundEdge>,
  level: ReadonlyArray<Graph.NodeKey>,
  { limit, reach }: { readonly limit: number; readonly reach: number }
): Graph.FoundEdges => {
  const edgesAt = byEnds(all, level)
  const groups = level.flatMap((node) => {
    const own = edgesAt.get(Graph.textOf(node)) ?? []
    return Graph.EdgeType.literals.map((type) => ({
      node,
      type,
      own: own
        .filter((edge) => edge.type === type)
        .sort(Graph.byNewest)
        .slice(0, reach)
    }))
  })
  const found = groups.flatMap(({ own }) => own.slice(0, limit))
  return {
    edges: [...new Map(found.map((edge) => [Graph.edgeTextOf(edge), edge])).values()],
    degrees: groups.flatMap(({ node, own, type }) =>
      own.length === 0 ? [] : [{ node, type, count: own.length }]
    )
  }
}

type Edges = ReadonlyArray<Graph.FoundEdge>

/** Reads each table that edges are made of. */
const SOURCES: ReadonlyArray<(state: MemoryState) => Effect.Effect<unknown>> = [
  (state) => state.read(trails),
  (state) => state.read(artifacts),
  (state) => state.read(attestations),
  (state) => state.read(environments),
  (state) => state.read(histories),
  (state) => state.read(HistoryTables.attachments),
  (state) => state.read(policies),
  (state) => state.read(versions),
  (state) => state.read(controls)
]

/** The graph of `ReadModels` in memory. */
export const make: Effect.Effect<
  Pick<ReadModels["Type"], "graphEdges" | "graphNodes">,
  never,
  MemoryState
> = Effect.map(MemoryState, (state) => {
  const ofOrg = <V extends { readonly org_id: string }>(source: MemoryTable<V>, org: OrgId) =>
    Effect.map(state.read(source), (rows) =>
      Array.from(HashMap.values(rows)).filter(({ org_id }) => org_id === org)
    )
  const listsOf = <V extends { readonly org_id: string }>(
    source: MemoryTable<ReadonlyArray<V>>,
    org: OrgId
  ) =>
    Effect.map(state.read(source), (rows) =>
      Array.from(HashMap.values(rows))
        .flat()
        .filter(({ org_id }) => org_id === org)
    )

  const active = (org: OrgId) =>
    Effect.gen(function* () {
      const snapshots = yield* state.read(histories)
      const attached = yield* state.read(HistoryTables.attachments)
      return Array.from(yield* state.read(environments)).flatMap(([at, stored]) => {
        const { environment } = stored
        const isPending = stored.isPending || stored.isBehind
        if (environment.org_id !== org || environment.archived_at !== null) return []
        const history = Option.getOrElse(HashMap.get(snapshots, at), () => [])
        const attachments = Option.getOrElse(HashMap.get(attached, at), () => [])
        const exposures = exposuresOf(environment, history)
        return [{ environment, isPending, history, exposures, attachments }]
      })
    })

  const recordsOf = (org: OrgId) =>
    Effect.all({
      trails: ofOrg(trails, org),
      artifacts: listsOf(artifacts, org),
      attestations: listsOf(attestations, org),
      environments: active(org),
      policies: ofOrg(policies, org),
      versions: ofOrg(versions, org),
      controls: ofOrg(controls, org)
    })

  const sourcesOf = (org: OrgId) =>
    Effect.all({ flows: ofOrg(flows, org), evaluations: ofOrg(evaluations, org) }).pipe(
      Effect.zipWith(recordsOf(org), (more, records) => ({ ...records, ...more }))
    )

  /** The edges that were made last, and the tables that they were made of. */
  let last: { readonly tables: ReadonlyArray<unknown>; readonly edges: Edges } | undefined

  /** Every edge of an org. WHY kept: every level of a graph asks. A table that did not change is the same value. */
  const edgesOf = (org: OrgId) =>
    Effect.gen(function* () {
      const tables = [org, ...(yield* Effect.all(SOURCES.map((source) => source(state))))]
      if (last?.tables.every((each, at) => each === tables[at])) return last.edges
      const edges = GraphEdges.of(yield* recordsOf(org))
      last = { tables, edges }
      return edges
    })

  return {
    graphEdges: (org, level, reach) =>
      Effect.map(edgesOf(org), (edges) => select(edges, level, reach)),
    graphNodes: (org, nodes) =>
      Effect.map(sourcesOf(org), (sources) => GraphNodes.describe(sources, nodes))
  }
})
