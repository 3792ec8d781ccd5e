/**
 * Lays out a graph: the root in the middle, and nodes at the same distance from it on one ring.
 *
 * Names are shown only on rings with few nodes. A node is placed near the node from which it was reached.
 */
import type { GraphAnswer } from "../shared/Contract.js"

/** A ring shows names up to this many nodes. */
export const LABELLED_MAX = 18

/** The arc length that a node takes, with and without its name. */
const ROOM = { labelled: 120, bare: 24 } as const

/** The minimum distance between rings. */
const GAP = 132

/** The horizontal and vertical margin around the outermost ring. */
const MARGIN = { x: 72, y: 36 } as const

type Node = GraphAnswer["nodes"][number]

/** A node and its position, from the left and from the top. */
export interface PlacedNode {
  readonly node: Node
  readonly ring: number
  readonly x: number
  readonly y: number
  readonly isLabelled: boolean
}

/** The layout. */
export interface Rings {
  readonly width: number
  readonly height: number
  /** The radius of each ring; 0 for the root. */
  readonly radii: ReadonlyArray<number>
  /** The root, then ring by ring, each ordered by angle. */
  readonly nodes: ReadonlyArray<PlacedNode>
}

interface Reached {
  readonly node: Node
  /** The id of the node from which it was reached. */
  readonly by: string | undefined
}

/** The nodes by distance from the first node; unconnected nodes are on the last ring. */
export const ringsOf = ({ edges, nodes }: GraphAnswer): ReadonlyArray<ReadonlyArray<Reached>> => {
  const [root, ...others] = nodes
  if (root === undefined) return []
  const near = new Map<string, Array<string>>(nodes.map(({ id }) => [id, []]))
  for (const { from, to } of edges) {
    near.get(from)?.push(to)
    near.get(to)?.push(from)
  }
  const rings: Array<ReadonlyArray<Reached>> = [[{ node: root, by: undefined }]]
  let left = others
  for (let last = rings[0] ?? []; last.length > 0 && left.length > 0; last = rings.at(-1) ?? []) {
    const reachedBy = (node: Node) =>
      last.find((one) => near.get(one.node.id)?.includes(node.id) === true)?.node.id
    const next = left.flatMap((node) => {
      const by = reachedBy(node)
      return by === undefined ? [] : [{ node, by }]
    })
    const found = new Set(next.map(({ node }) => node.id))
    left = left.filter(({ id }) => !found.has(id))
    if (next.length === 0) break
    rings.push(next)
  }
  return left.length === 0
    ? rings
    : [...rings, left.map((node): Reached => ({ node, by: undefined }))]
}

const TURN = 2 * Math.PI

/** The radius of each ring: large enough for its nodes and names. */
const radiiOf = (rings: ReadonlyArray<ReadonlyArray<Reached>>): ReadonlyArray<number> => {
  const radii: Array<number> = []
  for (const [ring, { length }] of rings.entries()) {
    const room = length <= LABELLED_MAX ? ROOM.labelled : ROOM.bare
    radii.push(ring === 0 ? 0 : Math.max((radii[ring - 1] ?? 0) + GAP, (length * room) / TURN))
  }
  return radii.map(Math.round)
}

/** The circular mean of angles. */
const meanAngle = (angles: ReadonlyArray<number>): number =>
  Math.atan2(
    angles.reduce((sum, angle) => sum + Math.sin(angle), 0),
    angles.reduce((sum, angle) => sum + Math.cos(angle), 0)
  )

/** The angles of a ring: evenly spaced, rotated towards the nodes from which they were reached. */
const anglesOf = (wanted: ReadonlyArray<number>): ReadonlyArray<number> => {
  const step = TURN / wanted.length
  const turn = meanAngle(wanted.map((angle, at) => angle - at * step))
  return wanted.map((_, at) => turn + at * step)
}

export const draw = (graph: GraphAnswer): Rings => {
  const rings = ringsOf(graph)
  const radii = radiiOf(rings)
  const outer = radii.at(-1) ?? 0
  const [width, height] = [2 * (outer + MARGIN.x), 2 * (outer + MARGIN.y)]
  const angleOf = new Map<string, number>()
  const nodes = rings.flatMap((ring, at) => {
    // WHY start at the top: readers begin there, and the first ring starts with its newest node.
    const wish = ({ by }: Reached, place: number) =>
      (by === undefined ? undefined : angleOf.get(by)) ??
      -TURN / 4 + (place * TURN) / Math.max(1, ring.length)
    const sorted = ring
      .map((one, place) => ({ one, angle: wish(one, place) }))
      .sort((left, right) => left.angle - right.angle)
    const angles = anglesOf(sorted.map(({ angle }) => angle))
    return sorted.map(({ one: { node } }, place): PlacedNode => {
      const angle = angles[place] ?? 0
      // The root gets no angle, so the first ring starts above it.
      if (at > 0) angleOf.set(node.id, angle)
      const radius = radii[at] ?? 0
      return {
        node,
        ring: at,
        x: Math.round(width / 2 + radius * Math.cos(angle)),
        y: Math.round(height / 2 + radius * Math.sin(angle)),
        isLabelled: ring.length <= LABELLED_MAX
      }
    })
  })
  return { width, height, radii, nodes }
}
