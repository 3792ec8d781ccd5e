/**
 * Which items of a JSON array are, character for character, items of an earlier text's array.
 *
 * Comparing characters costs a small part of scanning them. Both texts are arrays of items with something around
 * them; the earlier one has passed a scan. INVARIANT: an item that is not found again counts as added, so what is
 * found decides only what is saved.
 */
import * as JsonScanner from "./JsonScanner.js"

/** A text that passed a scan, and of each of its items where it begins and where it ends. */
export interface ItemList {
  readonly text: string
  readonly places: ReadonlyArray<number>
}

/** How an array differs from an earlier one. Items are named by their number. */
export interface Changes {
  /** The array as it is now. */
  readonly items: ItemList
  /** Items of the earlier array that are not found again. */
  readonly removed: ReadonlyArray<number>
  /** Items that are not found in the earlier array. */
  readonly added: ReadonlyArray<number>
}

const COMMA = 44

/** Offsets from the expected place at which an item is looked for. */
const NEARBY = [0, 1, -1, 2, -2, 3, -3]

/** Lengths of runs of items that are compared at once. */
const RUNS = [64, 8]

/**
 * The texts count as unrelated after so many unmatched items in a row that are more than an eighth of all, or when
 * half of all items are unmatched. WHY so many: artifacts that are deployed together often stand together.
 */
const UNMATCHED_MAX = 12

/** The text of an item. */
export const textOf = ({ text, places }: ItemList, item: number): string =>
  text.slice(places[2 * item], places[2 * item + 1])

/** What stands before the first item. */
const headOf = ({ text, places }: ItemList): string => text.slice(0, places[0])

/** What stands after the last item. */
const tailOf = ({ text, places }: ItemList): string =>
  text.slice(JsonScanner.skipSpace(text, places.at(-1) ?? 0))

/** Finds items of a list again in another text: each at most once, and close to where it would be next. */
const finder = ({ text: old, places }: ItemList, text: string) => {
  const count = places.length / 2
  const isTaken = new Uint8Array(count)
  let expected = 0
  /** The last item that is taken. */
  let highest = -1
  const take = (item: number) => {
    isTaken[item] = 1
    expected = item + 1
    highest = Math.max(highest, item)
  }
  /** The length of so many items from one on that stand there as they did; 0 when they do not. */
  const lengthOf = (first: number, length: number, at: number): number => {
    const begin = places[2 * first] ?? 0
    const end = places[2 * (first + length) - 1] ?? begin
    return text.slice(at, at + end - begin) === old.slice(begin, end) ? end - begin : 0
  }
  return {
    /**
     * Where the next items end that stand there one after another, as they did; -1 when they do not. Tells
     * the place of each.
     */
    runAt: (at: number, found: Array<number>): number => {
      if (expected <= highest) return -1
      const first = expected
      const run = RUNS.find((length) => lengthOf(first, length, at) > 0)
      if (run === undefined) return -1
      const shift = at - (places[2 * first] ?? 0)
      for (let item = first; item < first + run; item++) {
        take(item)
        found.push((places[2 * item] ?? 0) + shift, (places[2 * item + 1] ?? 0) + shift)
      }
      return found.at(-1) ?? -1
    },
    /** The length of the item that stands there; 0 when it is none of the list. */
    lengthAt: (at: number): number => {
      for (const near of NEARBY) {
        const item = expected + near
        const isFree = item >= 0 && item < count && isTaken[item] === 0
        const length = isFree ? lengthOf(item, 1, at) : 0
        if (length > 0) {
          take(item)
          return length
        }
      }
      // WHY: most items that are new stand in the place of one that is gone.
      expected += 1
      return 0
    },
    left: (): ReadonlyArray<number> => {
      const left: Array<number> = []
      for (let item = 0; item < count; item++) if (isTaken[item] === 0) left.push(item)
      return left
    }
  }
}

/**
 * What became of a list, if its text differs in items alone and most of them are as they were; nothing when
 * the text has to be looked at as a whole, whatever the reason.
 *
 * INVARIANT: `scan` is the one that items of the text before have passed; so a text that is given back here
 * passes as a whole.
 */
export const between = (
  scan: JsonScanner.Scan,
  before: ItemList,
  text: string
): Changes | undefined => {
  const head = headOf(before)
  if (before.places.length === 0 || text.slice(0, head.length) !== head) return undefined
  const { runAt, lengthAt, left } = finder(before, text)
  const places: Array<number> = []
  const added: Array<number> = []
  const addedMax = before.places.length / 4
  const unmatchedMax = Math.max(UNMATCHED_MAX, addedMax / 4)
  let unmatched = 0
  let place = head.length
  while (true) {
    let end = runAt(place, places)
    if (end < 0) {
      const length = lengthAt(place)
      end = length > 0 ? place + length : scan(text, place, JsonScanner.nothingFound())
      unmatched = length > 0 ? 0 : unmatched + 1
      if (length === 0) added.push(places.length / 2)
      if (end === JsonScanner.REJECTED || unmatched > unmatchedMax || added.length > addedMax) {
        return undefined
      }
      places.push(place, end)
    } else unmatched = 0
    place = JsonScanner.skipSpace(text, end)
    if (text.charCodeAt(place) !== COMMA) break
    place = JsonScanner.skipSpace(text, place + 1)
  }
  if (text.slice(place) !== tailOf(before)) return undefined
  return { items: { text, places }, removed: left(), added }
}
