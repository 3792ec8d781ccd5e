/**
 * Decides which objects of a bucket count, by `--include` and `--exclude`.
 *
 * A plain text is the beginning of keys, as in existing clients; `/…/` is a pattern of the whole key; a text with `*`,
 * `?` or `[…]` matches a key, or a folder with everything below it, segment by segment, and `**` stands for any
 * number of segments. An object counts if an inclusion matches, or there is none, and no exclusion matches.
 */
import * as NamePattern from "../../artifact/NamePattern.js"
import type { Arguments } from "../../shared/Arguments.js"
import { usage } from "../../shared/CommandFailure.js"
import * as NameFilter from "../NameFilter.js"

/** Tests a key. */
export type KeyTest = (key: string) => boolean

type Segment = "any" | NonNullable<ReturnType<typeof NamePattern.compile>>

const segmentOf = (flag: string, text: string, whole: string): Segment => {
  if (text === "**") return "any"
  const elements = NamePattern.compile(text)
  if (elements === undefined)
    throw usage(`--${flag}: \`${whole}\` is no pattern: a bracket is open`)
  return elements
}

/** Adds the positions behind segments that match nothing. */
const closed = (segments: ReadonlyArray<Segment>, positions: Iterable<number>): Set<number> => {
  const all = new Set(positions)
  // WHY: a set is iterated with the members that the loop adds.
  for (const at of all) if (segments[at] === "any") all.add(at + 1)
  return all
}

const globOf = (flag: string, text: string): KeyTest => {
  const segments = text
    .replace(/\/$/, "")
    .split("/")
    .map((segment) => segmentOf(flag, segment, text))
  return (key) => {
    let positions = closed(segments, [0])
    for (const name of key.split("/")) {
      const next = [...positions].flatMap((at) => {
        const segment = segments[at]
        if (segment === "any") return [at]
        return segment !== undefined && NamePattern.matches(segment, name) ? [at + 1] : []
      })
      positions = closed(segments, next)
      if (positions.has(segments.length)) return true
    }
    return false
  }
}

const testOf = async (flag: string, text: string): Promise<KeyTest> => {
  if (NameFilter.isPattern(text)) return NameFilter.testOf(flag, text)
  return NamePattern.hasMeta(text) ? globOf(flag, text) : (key) => key.startsWith(text)
}

/** The test of the flags. */
export const of = async (args: Arguments): Promise<KeyTest> => {
  const testsOf = (flag: string) => Promise.all(args.texts(flag).map((text) => testOf(flag, text)))
  const [included, excluded] = [await testsOf("include"), await testsOf("exclude")]
  return (key) =>
    (included.length === 0 || included.some((test) => test(key))) &&
    !excluded.some((test) => test(key))
}
