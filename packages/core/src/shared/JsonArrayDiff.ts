/**
 * Which items of a list in a JSON text are, letter for letter, items of a text that was read before.
 *
 * For texts that come again and again with little of them changed: what is written as before need not be
 * looked at, and comparing costs a small part of looking. Both texts are lists of items with something
 * around them; the first has passed a scan. Which items are found again decides nothing but what is saved:
 * one that is not found is simply new. DECISION B-123
 */
import * as JsonScanner from "./JsonScanner.js"

/** A text that passed a scan, and of each of its items where it begins and where it ends. */
export interface ItemList {
  readonly text: string
  readonly places: ReadonlyArray<number>
}

/** What became of a list. Items are known by their number. */
export interface Changes {
  /** The list as it is now. */
  readonly items: ItemList
  /** Items of the list before that are no longer there. */
  readonly gone: ReadonlyArray<number>
  /** Items that were not there before. */
  readonly come: ReadonlyArray<number>
}

const COMMA = 44

/** How far from where it is expected an item is looked for: so many may come or go at once. */
const NEARBY = [0, 1, -1, 2, -2, 3, -3]

/** So many items in a row are compared at once, as long as they are as they were. */
const RUNS = [64, 8]

/**
 * After so many in a row that are new, and more than an eighth of all, or when half of all are, the text is taken
 * for another altogether. WHY so many: what is deployed together often stands together.
 */
const STRANGERS_MAX = 12

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
  const come: Array<number> = []
  const comeMax = before.places.length / 4
  const strangersMax = Math.max(STRANGERS_MAX, comeMax / 4)
  let strangers = 0
  let place = head.length
  while (true) {
    let end = runAt(place, places)
    if (end < 0) {
      const length = lengthAt(place)
      end = length > 0 ? place + length : scan(text, place, JsonScanner.nothingFound())
      strangers = length > 0 ? 0 : strangers + 1
      if (length === 0) come.push(places.length / 2)
      if (end === JsonScanner.REJECTED || strangers > strangersMax || come.length > comeMax) {
        return undefined
      }
      places.push(place, end)
    } else strangers = 0
    place = JsonScanner.skipSpace(text, end)
    if (text.charCodeAt(place) !== COMMA) break
    place = JsonScanner.skipSpace(text, place + 1)
  }
  if (text.slice(place) !== tailOf(before)) return undefined
  return { items: { text, places }, gone: left(), come }
}
