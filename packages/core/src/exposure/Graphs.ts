/** Reads the graph around an artifact, a commit, a trail, an attestation, an environment, a policy or a control. */

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import { AttestationStore } from "../attestation/AttestationStore.js"
import { ControlNotFound } from "../control/Control.js"
import { ControlStore } from "../control/ControlStore.js"
import * as EnvironmentLookup from "../environment/EnvironmentLookup.js"
import { EnvironmentStore } from "../environment/EnvironmentStore.js"
import { FlowNotFound } from "../flow/Flow.js"
import { FlowStore } from "../flow/FlowStore.js"
import { PolicyNotFound } from "../policy/Policy.js"
import { PolicyStore } from "../policy/PolicyStore.js"
import type { OrgName } from "../shared/Identifier.js"
import { Transaction } from "../shared/Transaction.js"
import { ReadModels } from "../snapshot/ReadModels.js"
import { TrailNotFound } from "../trail/Trail.js"
import { TrailStore } from "../trail/TrailStore.js"
import * as Graph from "./Graph.js"
import * as GraphRoot from "./GraphRoot.js"

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
    const store = yield* ReadModels
    const attestations = yield* AttestationStore
    const controls = yield* ControlStore
    const environments = yield* EnvironmentStore
    const flows = yield* FlowStore
    const policies = yield* PolicyStore
    const trails = yield* TrailStore
    const transaction = yield* Transaction

    const trailKey = ({ org, orgId }: Access.Granted, { flow, trail }: GraphRoot.TrailRoot) =>
      Effect.gen(function* () {
        const { id } = yield* Effect.flatMap(
          flows.findByName({ org: orgId, name: flow }),
          Either.fromOption(() => new FlowNotFound({ org, flow }))
        )
        return yield* Effect.flatMap(
          trails.findByName({ org: orgId, flow: id, name: trail }),
          Either.fromOption(() => new TrailNotFound({ org, flow, trail }))
        )
      })

    /** The node of a root. Of artifacts and commits there are no lists, so that any of them has one. */
    const locate = (granted: Access.Granted, root: GraphRoot.GraphRoot) => {
      const { org, orgId } = granted
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
          return attestations
            .find(orgId, root.id)
            .pipe(
              Effect.flatMap(
                Either.fromOption(
                  () => new Graph.GraphRootNotFound({ org, root: GraphRoot.print(root) })
                )
              ),
              Effect.map(node("attestation"))
            )
        case "environment":
          return environments.findByName({ org: orgId, name: root.environment }).pipe(
            Effect.flatMap(EnvironmentLookup.present(granted, root.environment)),
            Effect.map(({ environment }) => node("environment")(environment))
          )
        case "policy":
          return policies
            .findByName({ org: orgId, name: root.policy })
            .pipe(
              Effect.flatMap(
                Either.fromOption(() => new PolicyNotFound({ org, policy: root.policy }))
              ),
              Effect.map(node("policy"))
            )
        case "control":
          return controls.find({ org: orgId, identifier: root.control }).pipe(
            Effect.flatMap(
              Either.fromOption(() => new ControlNotFound({ org, control: root.control }))
            ),
            Effect.map(({ identifier }) => node("control")({ id: identifier }))
          )
      }
    }

    const grow = ({ orgId }: Access.Granted, root: Graph.NodeKey, { depth, limit }: GraphSize) =>
      Effect.gen(function* () {
        let graph = Graph.start(root)
        for (let level = 0; level < depth && graph.level.length > 0; level++) {
          const found = yield* store.graphEdges(orgId, graph.level, { limit, reach: Graph.REACH })
          graph = Graph.expand(graph, found, Graph.limitsOf(limit))
        }
        return graph
      })

    const shown = ({ orgId }: Access.Granted, grown: Graph.Growing) =>
      Effect.map(store.graphNodes(orgId, [...grown.nodes.values()]), (described): GraphView => {
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
      const granted = yield* Access.authorize(yield* CurrentActor, org, "org.read")
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
