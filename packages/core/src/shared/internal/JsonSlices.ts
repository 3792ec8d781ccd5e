/**
 * `JSON.parse` for large texts in slices, so that the event loop runs in between.
 *
 * It accepts, refuses and returns exactly what `JSON.parse` does. Lists and objects larger than a slice are
 * assembled here; `JSON.parse` reads the rest. The caller has checked the nesting. Another request waits for a slice,
 * not for a body.
 */
import * as JsonCursor from "./JsonCursor.js"

/** The characters of one slice. */
const SLICE = 32_768

const COMMA = 44
const COLON = 58
const QUOTE = 34
const LIST = 91
const LIST_END = 93
const OBJECT = 123
const OBJECT_END = 125

/** A text that is not JSON. */
export class NotJson extends Error {}

const malformed = (): never => {
  throw new NotJson("not a JSON text")
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return malformed()
  }
}

/** A text, and the characters of one slice. */
interface Source {
  readonly text: string
  readonly slice: number
}

/** Consecutive entries of a list or object: where they end, and whether they include the last. */
interface Run {
  readonly end: number
  readonly isLast: boolean
}

/** The entries from an offset on that fit into a slice; none when the first alone does not. */
const runFrom = ({ text, slice }: Source, from: number, close: number): Run | undefined => {
  const until = from + slice
  let depth = 0
  let comma = JsonCursor.NO_END
  let at = from
  while (at < text.length && at < until) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      const end = JsonCursor.endOfString(text, at)
      if (end === JsonCursor.NO_END) return malformed()
      at = end
      continue
    }
    if (code === LIST || code === OBJECT) depth += 1
    else if (code === LIST_END || code === OBJECT_END) {
      if (depth === 0) return code === close ? { end: at, isLast: true } : malformed()
      depth -= 1
    } else if (code === COMMA && depth === 0) comma = at
    at += 1
  }
  return comma === JsonCursor.NO_END ? undefined : { end: comma, isLast: false }
}

interface Read {
  readonly value: unknown
  readonly end: number
}

/** How the entries of a list or an object are assembled. */
interface Assembly {
  readonly value: unknown
  readonly close: number
  /** Adds consecutive entries, given as text. */
  readonly take: (entries: string) => void
  /** Adds one large entry; returns its end. */
  readonly takeOne: (at: number) => Generator<void, number>
}

function* assemble(source: Source, open: number, assembly: Assembly): Generator<void, Read> {
  const { text } = source
  const { value, close } = assembly
  let place = yield* JsonCursor.overSpace(text, open + 1)
  if (text.charCodeAt(place) === close) return { value, end: place + 1 }
  while (true) {
    const run = runFrom(source, place, close)
    if (run === undefined) {
      const end = yield* JsonCursor.overSpace(text, yield* assembly.takeOne(place))
      if (text.charCodeAt(end) === close) return { value, end: end + 1 }
      if (text.charCodeAt(end) !== COMMA) return malformed()
      place = yield* JsonCursor.overSpace(text, end + 1)
    } else {
      const entries = text.slice(place, run.end)
      // WHY: brackets around nothing would parse as an empty list, and not as a missing item.
      if (entries.trim() === "") return malformed()
      assembly.take(entries)
      if (run.isLast) return { value, end: run.end + 1 }
      place = yield* JsonCursor.overSpace(text, run.end + 1)
    }
    yield
  }
}

const listOf = (source: Source): Assembly => {
  const items: Array<unknown> = []
  return {
    value: items,
    close: LIST_END,
    take: (entries) => {
      const read = parsed(`[${entries}]`)
      if (Array.isArray(read)) for (const item of read) items.push(item)
    },
    takeOne: function* (at) {
      const { value, end } = yield* readValue(source, at)
      items.push(value)
      return end
    }
  }
}

/** WHY not assigned: a member called `__proto__` would be lost. */
const put = (members: object, name: string, value: unknown): void => {
  Object.defineProperty(members, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true
  })
}

const objectOf = (source: Source): Assembly => {
  const { text } = source
  const members = {}
  return {
    value: members,
    close: OBJECT_END,
    take: (entries) => {
      const read = parsed(`{${entries}}`)
      if (typeof read !== "object" || read === null) return
      for (const [name, value] of Object.entries(read)) put(members, name, value)
    },
    takeOne: function* (at) {
      if (text.charCodeAt(at) !== QUOTE) return malformed()
      const nameEnd = JsonCursor.endOfString(text, at)
      const colon = yield* JsonCursor.overSpace(text, nameEnd)
      if (text.charCodeAt(colon) !== COLON) return malformed()
      const name = String(parsed(text.slice(at, nameEnd)))
      const { value, end } = yield* readValue(source, colon + 1)
      put(members, name, value)
      return end
    }
  }
}

function* readValue(source: Source, from: number): Generator<void, Read> {
  const { text, slice } = source
  const at = yield* JsonCursor.overSpace(text, from)
  const code = text.charCodeAt(at)
  const isContainer = code === LIST || code === OBJECT
  const end = isContainer
    ? JsonCursor.endWithin(text, at, slice)
    : yield* JsonCursor.endOf(text, at)
  if (end !== JsonCursor.NO_END) return { value: parsed(text.slice(at, end)), end }
  if (!isContainer) return malformed()
  return yield* assemble(source, at, code === LIST ? listOf(source) : objectOf(source))
}

/** Parses a text; throws `NotJson`. Yields after each slice. */
export function* parse(text: string, slice = SLICE): Generator<void, unknown> {
  const { value, end } = yield* readValue({ text, slice }, 0)
  return (yield* JsonCursor.overSpace(text, end)) === text.length ? value : malformed()
}
