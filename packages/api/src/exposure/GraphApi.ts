/** The operation of graphs: the connections of a thing. */
import * as Graph from "@attestry/core/Graph"
import * as GraphRoot from "@attestry/core/GraphRoot"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { noBody, Operation, rule } from "../shared/Operation.js"
import { org } from "../shared/PathParam.js"
import * as QueryParam from "../shared/QueryParam.js"

const forms = `\`${GraphRoot.FORMS.join("`, `")}\``

/** A root, as its text. WHY a transformation: a refusal has a sentence of its own instead of the pattern. */
const Root = Schema.transformOrFail(Schema.String, Schema.String, {
  strict: true,
  decode: (text, _, ast) =>
    Either.match(GraphRoot.parse(text), {
      onLeft: (message) => ParseResult.fail(new ParseResult.Type(ast, text, message)),
      onRight: () => ParseResult.succeed(text)
    }),
  encode: (text) => ParseResult.succeed(text)
}).annotations({
  jsonSchema: {
    type: "string",
    minLength: 1,
    maxLength: GraphRoot.LENGTH_MAX,
    pattern: GraphRoot.PATTERN,
    examples: ["environment:production"]
  }
})

/** The root of the graph, and the limits of the answer. */
const GetGraph = Schema.Struct({
  root: Root.annotations({
    description: `What the graph is about, by name: one of ${forms}. The id of a node can be a root.`
  }),
  depth: QueryParam.optional(
    QueryParam.integer(Graph.DEPTH_MIN, Graph.DEPTH_MAX),
    `How far the graph goes from its root; ${Graph.DEPTH_DEFAULT} by default.`
  ),
  limit: QueryParam.optional(
    QueryParam.integer(Graph.NODES_MIN, Graph.NODES_MAX),
    `How many nodes it has at most; ${Graph.NODES_DEFAULT} by default.`
  )
})

/** A node; its id can be the root of another graph, unless it is a flow. */
export const GraphNodeResponse = Schema.Struct({
  id: Schema.String,
  type: Graph.NodeType,
  label: Schema.String,
  /** Absent without an evaluation. */
  compliant: Schema.optionalWith(Schema.Boolean, { exact: true }),
  html_url: Schema.String
}).annotations({ identifier: "GraphNode" })

/** An edge between two nodes of the answer. */
export const GraphEdgeResponse = Schema.Struct({
  from: Schema.String,
  to: Schema.String,
  type: Graph.EdgeType,
  since: Schema.optionalWith(EpochSeconds, { exact: true }),
  /** Absent while it lasts. */
  until: Schema.optionalWith(EpochSeconds, { exact: true })
}).annotations({ identifier: "GraphEdge" })

/** Edges of a type at a node that the answer leaves out. */
export const GraphOmissionResponse = Schema.Struct({
  node: Schema.String,
  edge_type: Graph.EdgeType,
  /** The number of edges; from a thousand on, a lower bound. */
  more: Schema.Int
}).annotations({ identifier: "GraphOmission" })

/** A graph. */
export const GraphResponse = Schema.Struct({
  /** In the order in which they were reached; the root is the first. */
  nodes: Schema.Array(GraphNodeResponse),
  edges: Schema.Array(GraphEdgeResponse),
  truncated: Schema.Array(GraphOmissionResponse)
}).annotations({ identifier: "Graph" })

/** The operation of graphs. */
export class GraphApi extends HttpApiGroup.make("graph")
  .add(
    HttpApiEndpoint.get("get")`/graph/${org}`
      .setUrlParams(GetGraph)
      .addSuccess(GraphResponse)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Read the graph around an artifact, a commit or another thing")
      .annotate(
        OpenApi.Description,
        "Answers the neighbours of a root, and their neighbours, up to a depth: artifacts, " +
          "trails, flows, commits, attestations, physical environments, policies and controls. " +
          "Edges are followed both ways, newest first; beyond the limit, nodes and types of " +
          "edges take turns, and `truncated` lists the omitted ones. Archived environments are " +
          "not in graphs."
      )
  )
  .annotate(OpenApi.Title, "Graphs")
  .annotate(
    OpenApi.Description,
    "The connections of an artifact, a commit, a trail, an attestation, an environment, " +
      "a policy or a control."
  ) {}
