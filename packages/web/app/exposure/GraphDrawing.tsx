/** A graph as rings around its root. Every node links to its page; the tables below have the same content. */
import { useEffect, useMemo, useRef } from "preact/hooks"
import type { GraphAnswer } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import * as Reveal from "../shared/Reveal.js"
import { RevealedText } from "../shared/RevealedText.js"
import { fromState } from "../shared/Verdict.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { draw, type PlacedNode, type Rings } from "./GraphRings.js"
import { EDGES, pageOf, shortName, spoken } from "./GraphWords.js"

const Mark = ({ compliant }: { readonly compliant: boolean | undefined }) =>
  compliant === undefined ? (
    <span class="graph-dot" aria-hidden="true" />
  ) : (
    <VerdictMark verdict={fromState(compliant)} />
  )

/** WHY percentages: on paper the drawing is as wide as the page. */
const NodeLink = ({ of, placed }: { readonly of: Rings; readonly placed: PlacedNode }) => {
  const { isLabelled, node, ring, x, y } = placed
  const name = Reveal.plain(spoken(node))
  return (
    <a
      class={ring === 0 ? "graph-node graph-root" : "graph-node"}
      style={{ left: `${(100 * x) / of.width}%`, top: `${(100 * y) / of.height}%` }}
      href={pageOf(node, Navigation.base)}
      title={name}
    >
      <Mark compliant={node.compliant} />
      {isLabelled ? (
        <span class="graph-name">
          <span class="graph-label">
            <RevealedText text={shortName(node)} />
          </span>{" "}
          <span class="graph-type">{node.type}</span>
        </span>
      ) : (
        <span class="visually-hidden">
          {Reveal.plain(node.label)} {node.type}
        </span>
      )}
    </a>
  )
}

export const GraphDrawing = ({ graph }: { readonly graph: GraphAnswer }) => {
  const rings = useMemo(() => draw(graph), [graph])
  const scroller = useRef<HTMLElement>(null)
  useEffect(() => {
    const box = scroller.current
    if (box === null) return
    box.scrollLeft = (box.scrollWidth - box.clientWidth) / 2
    box.scrollTop = (box.scrollHeight - box.clientHeight) / 2
  }, [rings])
  const { height, nodes, radii, width } = rings
  const places = new Map(nodes.map((placed) => [placed.node.id, placed]))
  return (
    <section
      ref={scroller}
      class="graph-scroller"
      aria-label="Drawing"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard.
      tabIndex={0}
    >
      <div class="graph-field" style={{ width: `${width}px`, aspectRatio: `${width} / ${height}` }}>
        <svg class="graph-lines" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
          {radii.slice(1).map((radius) => (
            <circle key={radius} class="graph-ring" cx={width / 2} cy={height / 2} r={radius} />
          ))}
          {graph.edges.map(({ from, to, type, until }) => {
            const [start, end] = [places.get(from), places.get(to)]
            return start === undefined || end === undefined ? null : (
              <line
                key={`${type} ${from} ${to}`}
                class={until === undefined ? "graph-edge" : "graph-edge graph-ended"}
                x1={start.x}
                y1={start.y}
                x2={end.x}
                y2={end.y}
              >
                <title>{`${start.node.label} ${EDGES[type]} ${end.node.label}`}</title>
              </line>
            )
          })}
        </svg>
        {nodes.map((placed) => (
          <NodeLink key={placed.node.id} of={rings} placed={placed} />
        ))}
      </div>
    </section>
  )
}
