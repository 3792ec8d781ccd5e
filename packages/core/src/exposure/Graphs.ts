/** Reads the graph around an artifact, a commit, a trail, an attestation, an environment, a policy or a control. */

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type GrantedWithin, Reaches } from "../access/Reaches.js"
import { AttestationStore } from "../attestation/AttestationStore.js"
import { ControlNotFound } from "../control/Control.js"
import { ControlStore } from "../control/ControlStore.js"
import { EnvironmentStore } from "../environment/EnvironmentStore.js"
import * as PlacedEnvironments from "../environment/internal/PlacedEnvironments.js"
import * as ReadableFlows from "../flow/internal/ReadableFlows.js"
import { PolicyNotFound } from "../policy/Policy.js"
import { PolicyStore } from "../policy/PolicyStore.js"
import type { AttestationId, ControlIdentifier, OrgName, PolicyName } from "../shared/Identifier.js"
import { Transaction } from "../shared/Transaction.js"
import { TrailNotFound } from "../trail/Trail.js"
import { TrailStore } from "../trail/TrailStore.js"
import * as Graph from "./Graph.js"
import * as GraphRoot from "./GraphRoot.js"
import * as ReadableGraph from "./internal/ReadableGraph.js"

/** How large a graph is asked for. */
export interface GraphSize {
  /** How far it goes from its root. */
  readonly depth: number
  /** How many nodes it has at most. */
  readonly limit: number
}

/** A graph as it is shown: nodes in the order in which they were reached, the root first. */
export interface GraphView {
  readonly nodes: ReadonlyArray<Graph.NodeDescription>
  readonly edges: ReadonlyArray<Graph.FoundEdge>
  readonly omissions: ReadonlyArray<Graph.Omission>
}

/** Use cases of graphs. */
export class Graphs extends Effect.Service<Graphs>()("@attestry/core/Graphs", {
  effect: Effect.gen(function* () {
    const reaches = yield* Reaches
    const readable = yield* ReadableGraph.make
    const present = yield* PlacedEnvironments.make
    const attestations = yield* AttestationStore
    const controls = yield* ControlStore
    const environments = yield* EnvironmentStore
    const flows = yield* ReadableFlows.make
    const policies = yield* PolicyStore
    const trails = yield* TrailStore
    const transaction = yield* Transaction

    const trailKey = (granted: GrantedWithin, { flow, trail }: GraphRoot.TrailRoot) =>
      Effect.gen(function* () {
        const { org, orgId } = granted
        const { id } = yield* flows.find(granted, flow)
        return yield* Effect.flatMap(
          trails.findByName({ org: orgId, flow: id, name: trail }),
          Either.fromOption(() => new TrailNotFound({ org, flow, trail }))
        )
      })

    const attestationKey = (granted: GrantedWithin, root: GraphRoot.GraphRoot, id: AttestationId) =>
      Effect.gen(function* () {
        const { org, orgId } = granted
        const notFound = () => new Graph.GraphRootNotFound({ org, root: GraphRoot.print(root) })
        const found = yield* attestations.find(orgId, id)
        return yield* reaches.permitFound(granted, found, {
          kind: "flow",
          idOf: (attestation) => attestation.flow_id,
          notFound
        })
      })

    const policyKey = (granted: GrantedWithin, name: PolicyName) =>
      Effect.gen(function* () {
        const { org, orgId } = granted
        const notFound = () => new PolicyNotFound({ org, policy: name })
        const found = yield* policies.findByName({ org: orgId, name })
        return yield* reaches.permitFound(granted, found, {
          kind: "policy",
          idOf: (policy) => policy.id,
          notFound
        })
      })

    const controlKey = (granted: GrantedWithin, identifier: ControlIdentifier) =>
      Effect.gen(function* () {
        const { org, orgId } = granted
        const notFound = () => new ControlNotFound({ org, control: identifier })
        const found = yield* controls.find({ org: orgId, identifier })
        yield* reaches.permitFound(granted, found, {
          kind: "control",
          idOf: () => identifier,
          notFound
        })
        return { id: identifier }
      })

    /** The node of a root. Of artifacts and commits there are no lists, so that any of them has one. */
    const locate = (granted: GrantedWithin, root: GraphRoot.GraphRoot) => {
      const node = (type: Graph.NodeType) => (found: { readonly id: string }) => ({
        type,
        key: found.id
      })
      switch (root._tag) {
        case "fingerprint":
          return Effect.succeed<Graph.NodeKey>({ type: "artifact", key: root.fingerprint })
        case "commit":
          return Effect.succeed<Graph.NodeKey>({ type: "commit", key: root.commit })
        case "trail":
          return Effect.map(trailKey(granted, root), node("trail"))
        case "attestation":
          return Effect.map(attestationKey(granted, root, root.id), node("attestation"))
        case "environment":
          return environments.findByName({ org: granted.orgId, name: root.environment }).pipe(
            Effect.flatMap(present(granted, root.environment)),
            Effect.map(({ environment }) => node("environment")(environment))
          )
        case "policy":
          return Effect.map(policyKey(granted, root.policy), node("policy"))
        case "control":
          return Effect.map(controlKey(granted, root.control), node("control"))
      }
    }

    const grow = (granted: GrantedWithin, root: Graph.NodeKey, { depth, limit }: GraphSize) =>
      Effect.gen(function* () {
        let graph = Graph.start(root)
        for (let level = 0; level < depth && graph.level.length > 0; level++) {
          const found = yield* readable.edges(granted, graph.level, limit)
          graph = Graph.expand(graph, found, Graph.limitsOf(limit))
        }
        return graph
      })

    const shown = (granted: GrantedWithin, grown: Graph.Growing) =>
      Effect.map(readable.nodes(granted, [...grown.nodes.values()]), (described): GraphView => {
        const byNode = new Map(described.map((one) => [Graph.textOf(one.node), one]))
        const graph = Graph.without(grown, (node) => byNode.has(Graph.textOf(node)))
        return {
          nodes: [...graph.nodes.keys()].flatMap((node) => byNode.get(node) ?? []),
          edges: [...graph.edges.values()],
          omissions: Graph.omissions(graph)
        }
      })

    /** The graph around a root, all of it as of one moment. */
    const get = Effect.fn("Graphs.get")(function* (
      org: OrgName,
      root: GraphRoot.GraphRoot,
      size: GraphSize
    ) {
      const granted = yield* reaches.authorize(org, "org.read")
      return yield* transaction.snapshot(
        granted.orgId,
        Effect.gen(function* () {
          const graph = yield* grow(granted, yield* locate(granted, root), size)
          const isNamed = root._tag !== "fingerprint" && root._tag !== "commit"
          return graph.edges.size > 0 || isNamed
            ? yield* shown(granted, graph)
            : yield* new Graph.GraphRootNotFound({ org, root: GraphRoot.print(root) })
        })
      )
    })

    return { get } as const
  })
}) {}
