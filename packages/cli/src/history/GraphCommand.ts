/** `attestry graph`: the graph around an artifact, a commit or another node. SPEC §4.3 */
import type { Arguments } from "../shared/Arguments.js"
import { usage } from "../shared/CommandFailure.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Json from "../shared/Json.js"
import { type Style, verdict } from "../shared/Style.js"
import * as Table from "../shared/Table.js"
import * as GraphDot from "./GraphDot.js"

const ROOT = /^(fingerprint:[0-9a-f]{64}|commit:[0-9a-f]{40}|trail:[^/:]+\/[^/:]+)$/
const NAMED = /^(attestation|environment|policy|control):[^/:]+$/

const FORMS =
  "fingerprint:…, commit:…, trail:FLOW/TRAIL, attestation:ID, environment:NAME, policy:NAME, control:ID"

/** The root; a fingerprint or a commit needs no prefix. */
const rootOf = ([text = ""]: ReadonlyArray<string>): string => {
  if (/^[0-9a-f]{64}$/.test(text)) return `fingerprint:${text}`
  if (/^[0-9a-f]{40}$/.test(text)) return `commit:${text}`
  if (ROOT.test(text) || NAMED.test(text)) return text
  throw usage(`\`${text}\` is nothing that a graph can be about`, `give one of ${FORMS}`)
}

const sizeOf = (args: Arguments): Json.Fields => {
  const [depth, limit] = [args.number("depth"), args.number("limit")]
  return {
    ...(depth === undefined ? {} : { depth }),
    ...(limit === undefined ? {} : { limit })
  }
}

/** An id; a terminal shows a digest in it shortened. */
const idOf = (style: Style, id: unknown): string => {
  const [type = "", ...rest] = String(id ?? "").split(":")
  const name = rest.join(":")
  return /^[0-9a-f]{40,}$/.test(name) ? `${style.text(type)}:${style.short(name)}` : style.text(id)
}

const nodeRow = (style: Style, node: Json.Fields): ReadonlyArray<string> => [
  style.text(node.type),
  style.text(node.label),
  node.compliant === undefined ? "–" : verdict(style, node.compliant),
  idOf(style, node.id)
]

const instant = (style: Style, seconds: unknown): string =>
  seconds === undefined ? "–" : style.instant(seconds)

const edgeRow = (style: Style, edge: Json.Fields): ReadonlyArray<string> => [
  idOf(style, edge.from),
  style.text(edge.type),
  idOf(style, edge.to),
  instant(style, edge.since),
  instant(style, edge.until)
]

const omissionLine = (style: Style, { edge_type, more, node }: Json.Fields): string =>
  `and ${style.text(more)} more ${style.text(edge_type)} at ${idOf(style, node)}`

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`

const tables = (style: Style, graph: Json.Fields): ReadonlyArray<string> => {
  const [nodes, edges] = [Json.objects(graph.nodes), Json.objects(graph.edges)]
  return [
    ...Table.lines([
      ["TYPE", "NAME", "VERDICT", "ID"],
      ...nodes.map((node) => nodeRow(style, node))
    ]),
    "",
    ...Table.lines([
      ["FROM", "EDGE", "TO", "SINCE", "UNTIL"],
      ...edges.map((edge) => edgeRow(style, edge))
    ]),
    ...Json.objects(graph.truncated).map((one) => omissionLine(style, one)),
    `${plural(nodes.length, "node")}, ${plural(edges.length, "edge")}`
  ]
}

/** Runs `attestry graph`. */
export const run: CommandModule["run"] = async ({ api }, args) => {
  const urlParams = { root: rootOf(args.positionals), ...sizeOf(args) }
  const graph = Json.object(await (await api()).call("graph.get", { urlParams }))
  const { edges, nodes, truncated } = graph
  return {
    value: { schema: "attestry.cli/graph/v1", nodes, edges, truncated },
    items: Json.objects(nodes),
    quiet: Json.objects(nodes)
      .map(({ id }) => String(id))
      .join("\n"),
    lines: (style) => (args.has("dot") ? GraphDot.lines(style, graph) : tables(style, graph))
  }
}
