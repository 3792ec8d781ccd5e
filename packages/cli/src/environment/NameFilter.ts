/** `--NOUN NAME` and `--exclude-NOUN NAME`: include or exclude names, or patterns between slashes; not both. */
import type { Arguments } from "../shared/Arguments.js"
import { usage } from "../shared/CommandFailure.js"

/** Decides which names a report includes. */
export interface NameFilter {
  readonly accepts: (name: string) => boolean
  /** The included names; undefined if the flags have patterns or exclusions. */
  readonly names: ReadonlyArray<string> | undefined
  /** Whether every name is included. */
  readonly isOpen: boolean
}

type Test = (name: string) => boolean

/** Whether a text is a pattern between slashes. */
export const isPattern = (text: string): boolean => text.length > 2 && /^\/.*\/$/s.test(text)

/** The test of a name or a pattern. */
export const testOf = async (flag: string, text: string): Promise<Test> => {
  if (!isPattern(text)) return (name) => name === text
  const PolicyPattern = await import("@attestry/core/PolicyPattern")
  const Either = await import("effect/Either")
  const compiled = PolicyPattern.compile(text.slice(1, -1))
  if (Either.isRight(compiled)) return compiled.right.test
  throw usage(`--${flag}: ${compiled.left.message}`)
}

/** The filter from the flags of a noun. */
export const of = async (args: Arguments, noun: string): Promise<NameFilter> => {
  const included = args.texts(noun)
  const excluded = args.texts(`exclude-${noun}`)
  if (included.length > 0 && excluded.length > 0)
    throw usage(`--${noun} and --exclude-${noun} are not given together`)
  const flag = included.length > 0 ? noun : `exclude-${noun}`
  const tests = await Promise.all([...included, ...excluded].map((text) => testOf(flag, text)))
  const isOpen = tests.length === 0
  const hits = (name: string): boolean => tests.some((test) => test(name))
  return {
    isOpen,
    names: included.length > 0 && !included.some(isPattern) ? included : undefined,
    accepts: included.length > 0 ? hits : (name) => !hits(name)
  }
}
