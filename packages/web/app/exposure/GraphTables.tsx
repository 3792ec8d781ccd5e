/** A graph as tables of its nodes and edges. */
import * as Route from "@attestry/web/Route"
import type { GraphAnswer } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import { preferences } from "../shared/Preferences.js"
import * as Reveal from "../shared/Reveal.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { Timestamp } from "../shared/Timestamp.js"
import { fromState } from "../shared/Verdict.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"
import { EDGES, pageOf } from "./GraphWords.js"

type Node = GraphAnswer["nodes"][number]
type Edge = GraphAnswer["edges"][number]

const NAME_LENGTH = 32

const Thing = ({ node }: { readonly node: Node }) => (
  <a href={pageOf(node, Navigation.base)} title={Reveal.plain(node.label)}>
    <RevealedText text={Shorten.middle(node.label, NAME_LENGTH)} />
  </a>
)

const Nothing = () => <span class="quiet">–</span>

const nodeColumns = (route: Route.RouteOf<"Graph">): ReadonlyArray<Column<Node>> => [
  {
    name: "verdict",
    title: <span class="visually-hidden">Verdict</span>,
    cell: ({ compliant }) =>
      compliant === undefined ? null : <VerdictMark verdict={fromState(compliant)} />
  },
  { name: "name", title: "Name", isHeader: true, cell: (node) => <Thing node={node} /> },
  { name: "type", title: "What", isFlexible: true, cell: ({ type }) => type },
  {
    name: "graph",
    title: <span class="visually-hidden">Graph around it</span>,
    cell: ({ id, label, type }) =>
      type === "flow" ? null : (
        <a
          href={Navigation.hrefOf(Route.withQuery(route, { root: id }))}
          aria-label={`Graph around ${Reveal.plain(label)}`}
        >
          Graph
        </a>
      )
  }
]

const edgeColumns = (nodes: ReadonlyMap<string, Node>): ReadonlyArray<Column<Edge>> => {
  const end = (id: string) => {
    const node = nodes.get(id)
    return node === undefined ? (
      <Nothing />
    ) : (
      <span>
        <span class="quiet">{node.type}</span> <Thing node={node} />
      </span>
    )
  }
  const instant = (seconds: number | undefined) =>
    seconds === undefined ? <Nothing /> : <Timestamp seconds={seconds} />
  return [
    { name: "from", title: "From", isHeader: true, cell: ({ from }) => end(from) },
    { name: "how", title: "Connection", cell: ({ type }) => EDGES[type] },
    { name: "to", title: "To", isFlexible: true, cell: ({ to }) => end(to) },
    { name: "since", title: "Since", cell: ({ since }) => instant(since) },
    { name: "until", title: "Until", cell: ({ until }) => instant(until) }
  ]
}

export const GraphTables = ({
  route,
  graph: { edges, nodes }
}: {
  readonly route: Route.RouteOf<"Graph">
  readonly graph: GraphAnswer
}) => {
  const rowHeight = preferences.value.density === "compact" ? 28 : 36
  const byId = new Map(nodes.map((node) => [node.id, node]))
  return (
    <>
      <section class="block">
        <h2>Each thing</h2>
        <VirtualTable
          caption="Each thing"
          columns={nodeColumns(route)}
          rows={nodes}
          keyOf={({ id }) => id}
          rowHeight={rowHeight}
        />
      </section>
      <section class="block">
        <h2>Each connection</h2>
        <VirtualTable
          caption="Each connection"
          columns={edgeColumns(byId)}
          rows={edges}
          keyOf={({ from, to, type }) => [type, from, to].join(" ")}
          rowHeight={rowHeight}
        />
      </section>
    </>
  )
}
