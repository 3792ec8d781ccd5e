/** Prints a graph for Graphviz. Nodes are named by numbers, and foreign texts appear only in quoted labels. */
import { isWebLink } from "@attestry/core/WebLink"
import * as Json from "../shared/Json.js"
import type { Style } from "../shared/Style.js"

const SHAPES: { readonly [type: string]: string } = {
  artifact: "box3d",
  trail: "box",
  flow: "folder",
  commit: "circle",
  attestation: "note",
  environment: "component",
  policy: "hexagon",
  control: "octagon"
}

/** A quoted text on one line, with backslashes escaped. */
const quoted = (style: Style, text: unknown): string =>
  `"${style.text(text).replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`

const COLOURS = new Map<unknown, string>([
  [true, "darkgreen"],
  [false, "red"]
])

const nodeLine = (style: Style, node: Json.Fields, name: string): string => {
  const type = Json.text(node.type) ?? ""
  const colour = COLOURS.get(node.compliant)
  const url = Json.text(node.html_url)
  const attributes = [
    `label=${quoted(style, node.label)}`,
    `tooltip=${quoted(style, node.id)}`,
    `shape=${Object.hasOwn(SHAPES, type) ? SHAPES[type] : "ellipse"}`,
    ...(colour === undefined ? [] : [`color=${colour}`]),
    ...(url !== undefined && isWebLink(url) ? [`URL=${quoted(style, url)}`] : [])
  ]
  return `  ${name} [${attributes.join(" ")}]`
}

/** The lines of the graph, without edges to unknown nodes. */
export const lines = (style: Style, graph: Json.Fields): ReadonlyArray<string> => {
  const nodes = Json.objects(graph.nodes)
  const names = new Map(nodes.map(({ id }, at) => [id, `n${at}`]))
  return [
    "digraph attestry {",
    "  rankdir=LR",
    ...nodes.map((node, at) => nodeLine(style, node, `n${at}`)),
    ...Json.objects(graph.edges).flatMap(({ from, to, type }) => {
      const [start, end] = [names.get(from), names.get(to)]
      return start === undefined || end === undefined
        ? []
        : [`  ${start} -> ${end} [label=${quoted(style, type)}]`]
    }),
    "}"
  ]
}
