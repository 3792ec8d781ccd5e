/**
 * Places the nodes of a graph: the root in the middle, and nodes at the same distance from it on one ring.
 *
 * A ring with few nodes shows their names, one with many only marks. A node is placed near the node from which it was
 * reached.
 */
import type { GraphAnswer } from "../shared/Contract.js"

/** The most nodes of a ring whose names are shown. */
export const LABELLED_MAX = 18

/** How much of a ring a node takes, with its name and without. */
const ROOM = { labelled: 120, bare: 24 } as const

/** The least distance of a ring from the one before it. */
const GAP = 132

/** The margin around the outermost ring, at the sides and above. */
const MARGIN = { x: 72, y: 36 } as const

type Node = GraphAnswer["nodes"][number]

/** A node and its place, from the left and from above. */
export interface PlacedNode {
  readonly node: Node
  readonly ring: number
  readonly x: number
  readonly y: number
  readonly isLabelled: boolean
}

/** A drawing. */
export interface Rings {
  readonly width: number
  readonly height: number
  /** The radius of each ring; that of the root is 0. */
  readonly radii: ReadonlyArray<number>
  /** The root, then ring by ring, each in the order of its angles. */
  readonly nodes: ReadonlyArray<PlacedNode>
}

interface Reached {
  readonly node: Node
  /** The id of the node by which it was reached. */
  readonly by: string | undefined
}

/** The nodes by their distance from the first; unconnected nodes are on the last ring. */
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

/** The radius of each ring: large enough for its names and nodes. */
const radiiOf = (rings: ReadonlyArray<ReadonlyArray<Reached>>): ReadonlyArray<number> => {
  const radii: Array<number> = []
  for (const [ring, { length }] of rings.entries()) {
    const room = length <= LABELLED_MAX ? ROOM.labelled : ROOM.bare
    radii.push(ring === 0 ? 0 : Math.max((radii[ring - 1] ?? 0) + GAP, (length * room) / TURN))
  }
  return radii.map(Math.round)
}

/** The mean of angles, of which a whole turn makes no difference. */
const meanAngle = (angles: ReadonlyArray<number>): number =>
  Math.atan2(
    angles.reduce((sum, angle) => sum + Math.sin(angle), 0),
    angles.reduce((sum, angle) => sum + Math.cos(angle), 0)
  )

/** The angles of a ring: all nodes equally far apart, turned to where the nodes before them are. */
const anglesOf = (wanted: ReadonlyArray<number>): ReadonlyArray<number> => {
  const step = TURN / wanted.length
  const turn = meanAngle(wanted.map((angle, at) => angle - at * step))
  return wanted.map((_, at) => turn + at * step)
}

/** The drawing of a graph. */
export const draw = (graph: GraphAnswer): Rings => {
  const rings = ringsOf(graph)
  const radii = radiiOf(rings)
  const outer = radii.at(-1) ?? 0
  const [width, height] = [2 * (outer + MARGIN.x), 2 * (outer + MARGIN.y)]
  const angleOf = new Map<string, number>()
  const nodes = rings.flatMap((ring, at) => {
    // WHY upwards first: the newest of the first ring is where reading begins.
    const wish = ({ by }: Reached, place: number) =>
      (by === undefined ? undefined : angleOf.get(by)) ??
      -TURN / 4 + (place * TURN) / Math.max(1, ring.length)
    const sorted = ring
      .map((one, place) => ({ one, angle: wish(one, place) }))
      .sort((left, right) => left.angle - right.angle)
    const angles = anglesOf(sorted.map(({ angle }) => angle))
    return sorted.map(({ one: { node } }, place): PlacedNode => {
      const angle = angles[place] ?? 0
      // The root has no angle, so that the first ring begins above it.
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
