/** Serves the operation of graphs. */
import { GraphApi, type GraphResponse } from "@attestry/api/GraphApi"
import * as Graph from "@attestry/core/Graph"
import * as GraphRoot from "@attestry/core/GraphRoot"
import { Graphs, type GraphView } from "@attestry/core/Graphs"
import * as Effect from "effect/Effect"
import { ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import * as Links from "../../shared/internal/Links.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"

/** The page of a node. */
const pageOf = (
  base: string,
  org: string,
  { flow, label, node: { key, type }, trail }: Graph.NodeDescription
): string => {
  const at = { org, flow: flow ?? "", trail: trail ?? "" }
  switch (type) {
    case "artifact":
      return Links.contentPage(base, { org, fingerprint: key })
    case "commit":
      return Links.searchPage(base, { org, text: key })
    case "trail":
      return Links.trailPage(base, at)
    case "attestation":
      return Links.trailPage(base, at, key)
    case "flow":
      return Links.flowPage(base, at)
    case "environment":
      return Links.namedPage(base, { org, list: "environments", name: label })
    case "policy":
      return Links.namedPage(base, { org, list: "policies", name: label })
    case "control":
      return Links.namedPage(base, { org, list: "controls", name: key })
  }
}

const responseOf = (
  base: string,
  org: string,
  { edges, nodes, omissions }: GraphView
): typeof GraphResponse.Type => {
  const ids = new Map(nodes.map((one) => [Graph.textOf(one.node), GraphRoot.idOf(one)]))
  const idOf = (node: Graph.NodeKey): string => ids.get(Graph.textOf(node)) ?? ""
  return {
    nodes: nodes.map((one) => ({
      id: GraphRoot.idOf(one),
      type: one.node.type,
      label: one.label,
      ...(one.compliant === null ? {} : { compliant: one.compliant }),
      html_url: pageOf(base, org, one)
    })),
    edges: edges.map(({ from, since, to, type, until }) => ({
      from: idOf(from),
      to: idOf(to),
      type,
      ...(since === null ? {} : { since }),
      ...(until === null ? {} : { until })
    })),
    truncated: omissions.map(({ more, node, type }) => ({
      node: idOf(node),
      edge_type: type,
      more
    }))
  }
}

/** Serves the operation of graphs. */
export const GraphHandlers = group(
  GraphApi,
  Effect.gen(function* () {
    const graphs = yield* Graphs
    const base = yield* PublicUrl
    return {
      get: ({ path: { org }, urlParams: { depth, limit, root } }) =>
        // WHY: the contract lets nothing through that is no root.
        Effect.orDie(GraphRoot.parse(root)).pipe(
          Effect.flatMap((asked) =>
            graphs.get(org, asked, {
              depth: depth ?? Graph.DEPTH_DEFAULT,
              limit: limit ?? Graph.NODES_DEFAULT
            })
          ),
          toWire,
          Effect.map((graph) => ok(responseOf(base, org, graph)))
        )
    }
  })
)
