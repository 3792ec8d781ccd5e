/** Flips as lanes: one per row, over the replayed time. */
import type { BacktestFlip } from "../../shared/Contract.js"
import { fromState, type Verdict } from "../../shared/Verdict.js"
import { rowOf } from "./BacktestState.js"

/** A flip on its lane; positions are from 0 to 1. */
export interface FlipSegment {
  readonly from: number
  readonly to: number
  readonly wouldBe: Verdict
  readonly flip: BacktestFlip
}

/** The flips of one row, oldest first. */
export interface FlipLane {
  readonly key: string
  readonly name: string
  readonly fingerprint: string
  /** The member of a logical environment in which the row runs. */
  readonly member: string | undefined
  readonly segments: ReadonlyArray<FlipSegment>
  readonly seconds: number
}

export interface EnvironmentLanes {
  readonly environment: string
  /** The rows with the longest flips. */
  readonly lanes: ReadonlyArray<FlipLane>
  /** The number of rows that are not drawn. */
  readonly more: number
}

/** The time axis, in epoch seconds. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** The minimum width of a segment as a share of the lane, so that a short flip stays visible. */
export const WIDTH_MIN = 0.006

/** At most this many rows of an environment are drawn. */
export const LANES_MAX = 12

/** The key of a flip in the URL. */
export const keyOf = (flip: BacktestFlip): string =>
  [
    flip.environment,
    flip.fingerprint,
    flip.first_index,
    flip.from,
    flip.member ?? "",
    flip.name
  ].join("~")

const secondsOf = ({ from, to }: BacktestFlip, span: Span): number =>
  Math.max(0, (to ?? span.to) - from)

/** The time drawn before the first flip, as a share of the time after it. */
const MARGIN = 0.04

/** From shortly before the first flip to the end of the window, but never before its start. */
export const spanOf = (flips: ReadonlyArray<BacktestFlip>, window: Span): Span => {
  const first = flips.reduce((least, { from }) => Math.min(least, from), window.to)
  const from = Math.max(window.from, first - (window.to - first) * MARGIN)
  return { from, to: Math.max(window.to, from + 1) }
}

const segmentOf = (flip: BacktestFlip, span: Span): FlipSegment => {
  const length = span.to - span.from
  const place = (at: number) => Math.min(1, Math.max(0, (at - span.from) / length))
  const from = Math.min(place(flip.from), 1 - WIDTH_MIN)
  return {
    from,
    to: Math.min(1, Math.max(place(flip.to ?? span.to), from + WIDTH_MIN)),
    wouldBe: fromState(flip.would_be),
    flip
  }
}

const laneOf = (key: string, flips: ReadonlyArray<BacktestFlip>, span: Span): FlipLane => {
  const ordered = [...flips].sort((a, b) => a.from - b.from)
  return {
    key,
    name: ordered[0]?.name ?? "",
    fingerprint: ordered[0]?.fingerprint ?? "",
    member: ordered[0]?.member,
    segments: ordered.map((flip) => segmentOf(flip, span)),
    seconds: ordered.reduce((sum, flip) => sum + secondsOf(flip, span), 0)
  }
}

const grouped = <A>(items: ReadonlyArray<A>, keyOfItem: (item: A) => string) => {
  const groups = new Map<string, Array<A>>()
  for (const item of items) {
    const group = groups.get(keyOfItem(item))
    if (group === undefined) groups.set(keyOfItem(item), [item])
    else group.push(item)
  }
  return groups
}

/** The lanes by environment, in the order in which environments arrived. */
export const lanesOf = (
  flips: ReadonlyArray<BacktestFlip>,
  span: Span
): ReadonlyArray<EnvironmentLanes> =>
  [...grouped(flips, ({ environment }) => environment)].map(([environment, own]) => {
    const lanes = [...grouped(own, rowOf)]
      .map(([key, ofRow]) => laneOf(key, ofRow, span))
      .sort((a, b) => b.seconds - a.seconds || (a.key < b.key ? -1 : 1))
    return {
      environment,
      lanes: lanes.slice(0, LANES_MAX),
      more: Math.max(0, lanes.length - LANES_MAX)
    }
  })
