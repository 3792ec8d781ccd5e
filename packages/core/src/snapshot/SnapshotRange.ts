/**
 * A range of snapshots in lists and in the event log: `A..B`. Ends are swapped and clamped: a list of nothing is a
 * list.
 *
 * A range never fails: its ends are clamped to the existing snapshots, and without snapshots it is empty. `NOW`
 * means the latest.
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SnapshotExpression from "./SnapshotExpression.js"

/** One end of a range. */
export const Bound = Schema.Union(
  SnapshotExpression.Index,
  SnapshotExpression.Behind,
  SnapshotExpression.Now
)
/** One end of a range. */
export type Bound = typeof Bound.Type

/** A range of snapshots; resolving decides which end is the older one. */
export const SnapshotRange = Schema.Struct({ from: Bound, to: Bound })
/** A range of snapshots; resolving decides which end is the older one. */
export type SnapshotRange = typeof SnapshotRange.Type

/** Text that is no range; `bound` is the side that does not parse. */
export class InvalidSnapshotRange extends Schema.TaggedError<InvalidSnapshotRange>()(
  "InvalidSnapshotRange",
  { range: Schema.String, bound: Schema.String }
) {
  override get message() {
    return `\`${this.bound}\` is not a valid snapshot index`
  }
}

const now: Bound = { _tag: "Now" }

/** Every snapshot, oldest to latest: the default range. */
export const everything: SnapshotRange = { from: { _tag: "Index", n: 1 }, to: now }

const NUMBER = /^(-|~)?[0-9]/

/** Parses one end: `N`, `-N`, `~N`, `NOW`, or the empty text for `NOW`. */
export const parseBound = (text: string): Option.Option<Bound> =>
  text === "" || text.toUpperCase() === "NOW"
    ? Option.some(now)
    : NUMBER.test(text)
      ? Option.filter(SnapshotExpression.parseForm(text), Schema.is(Bound))
      : Option.none()

/** Parses a range; a single end reaches to `NOW`, and the empty text is everything. */
export const parse = (text: string): Either.Either<SnapshotRange, InvalidSnapshotRange> => {
  if (text === "") return Either.right(everything)
  const cut = text.indexOf("..")
  const from = cut < 0 ? text : text.slice(0, cut)
  const to = cut < 0 ? "" : text.slice(cut + 2)
  const read = (bound: string) =>
    Either.fromOption(parseBound(bound), () => new InvalidSnapshotRange({ range: text, bound }))
  return Either.all({ from: read(from), to: read(to) })
}

const printBound = (bound: Bound): string =>
  bound._tag === "Now" ? "NOW" : SnapshotExpression.print(bound)

/** The text of a range; the inverse of `parse`. */
export const print = ({ from, to }: SnapshotRange): string =>
  `${printBound(from)}..${printBound(to)}`

/** A range of existing indexes, both ends included. INVARIANT: `1 <= first <= last`. */
export interface Span {
  readonly first: number
  readonly last: number
}

/** The index of an end, clamped to the existing ones; 0 without any. */
export const clampedIndex = (bound: Bound, latestIndex: number): number => {
  const index =
    bound._tag === "Now"
      ? latestIndex
      : bound._tag === "Behind"
        ? latestIndex - bound.n
        : bound.n < 0
          ? latestIndex + 1 + bound.n
          : bound.n
  return Math.min(Math.max(index, 1), latestIndex)
}

/** The indexes of a range, in any order of its ends; none without snapshots. */
export const resolve = (range: SnapshotRange, latestIndex: number): Option.Option<Span> => {
  if (latestIndex < 1) return Option.none()
  const ends = [clampedIndex(range.from, latestIndex), clampedIndex(range.to, latestIndex)]
  return Option.some({ first: Math.min(...ends), last: Math.max(...ends) })
}

/** One page of a list: pages count from 1; newest first unless reversed. */
export interface Window {
  readonly page: number
  readonly perPage: number
  readonly reverse: boolean
}

/** The part of a span on one page; none when the page lies beyond the end. */
export const pageOf = (
  { first, last }: Span,
  { page, perPage, reverse }: Window
): Option.Option<Span> => {
  const skipped = (page - 1) * perPage
  if (skipped > last - first) return Option.none()
  return Option.some(
    reverse
      ? { first: first + skipped, last: Math.min(last, first + skipped + perPage - 1) }
      : { first: Math.max(first, last - skipped - perPage + 1), last: last - skipped }
  )
}
