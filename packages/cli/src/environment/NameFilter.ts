/** `--NOUN NAME` and `--exclude-NOUN NAME`: names, and patterns between slashes; one side or the other. */
import type { Arguments } from "../shared/Arguments.js"
import { usage } from "../shared/CommandFailure.js"

/** The names that a report includes. */
export interface NameFilter {
  readonly accepts: (name: string) => boolean
  /** The names if the flags have names only; undefined for patterns and exclusions. */
  readonly names: ReadonlyArray<string> | undefined
  /** Whether everything is accepted. */
  readonly isOpen: boolean
}

type Test = (name: string) => boolean

const isPattern = (text: string): boolean => text.length > 2 && /^\/.*\/$/s.test(text)

const testOf = async (flag: string, text: string): Promise<Test> => {
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
