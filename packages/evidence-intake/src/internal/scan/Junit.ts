/**
 * Reads results of tests in the form of JUnit, with the counts of the client's reader of folders.
 *
 * Cases are counted, and the totals of a suite count where they are worse. A file without suites is refused, because no
 * tests are not passing tests.
 */
import * as Either from "effect/Either"
import type { EvidenceProblem } from "../../EvidenceProblem.js"
import type { XmlElement, XmlFormat } from "../Format.js"
import type { ReadContent } from "../ReadContent.js"
import * as Fields from "./Fields.js"
import * as Instants from "./Instants.js"
import * as TestsContent from "./TestsContent.js"
import { walk } from "./XmlWalk.js"

type Count = "total" | "failures" | "errors" | "skipped"
type Counts = Record<Count, number>

const COUNTS: ReadonlyArray<Count> = ["total", "failures", "errors", "skipped"]

/** The count that an element directly below a case adds to. */
const OUTCOMES: ReadonlyMap<string, Count> = new Map([
  ["failure", "failures"],
  ["error", "errors"],
  ["skipped", "skipped"]
])

/** The elements of a case that passed when it was run again. */
const FLAKY: ReadonlySet<string> = new Set(["flakyFailure", "flakyError"])

/** A suite, or the root element, while it is read. */
interface OpenSuite {
  readonly element: XmlElement
  hasInner: boolean
  duration: number
  /** The results of its own cases, and of nested suites. */
  readonly own: Counts
  readonly inner: Counts
}

const none = (): Counts => ({ total: 0, failures: 0, errors: 0, skipped: 0 })

const isSuite = ({ name }: XmlElement): boolean => name === "testsuite" || name === "testsuites"

/** A number of an attribute, also with commas between its digits; zero for any other text. */
const numberOf = (text: string | undefined): number => {
  const value = Number((text ?? "").replaceAll(",", ""))
  return Number.isFinite(value) && value >= 0 ? value : 0
}

/** The results of a suite: those of its cases, or its own totals where they are larger. */
const countsOf = ({ element, own, inner }: OpenSuite): Counts => {
  const attribute = (name: string) => element.attributes.get(name)
  const worst = (count: Count, written: string | undefined) =>
    Math.max(own[count], Math.trunc(numberOf(written)) - inner[count])
  return {
    total: worst("total", attribute("tests")),
    failures: worst("failures", attribute("failures")),
    errors: worst("errors", attribute("errors")),
    skipped: worst("skipped", attribute("skipped") ?? attribute("disabled"))
  }
}

/** Whether a suite has results of its own; a suite that only contains other suites has none. */
const isResult = ({ element, hasInner }: OpenSuite, counts: Counts): boolean =>
  counts.failures + counts.errors > 0 ||
  (element.name === "testsuite" && (counts.total > 0 || !hasInner))

/** The results of all suites together. */
interface Results {
  readonly counts: Counts
  suites: number
  duration: number
  createdAt: number | null
  flaky: number
  readonly failedNames: Array<string>
}

/** Adds a suite that was read to the results, and to the suite around it. */
const close = (suite: OpenSuite, parent: OpenSuite | undefined, results: Results): void => {
  const counts = countsOf(suite)
  for (const count of COUNTS)
    if (parent !== undefined) parent.inner[count] += counts[count] + suite.inner[count]
  if (!isResult(suite, counts)) return
  const { attributes } = suite.element
  const time = attributes.get("time")
  const at = Instants.fromText(attributes.get("timestamp"))
  results.suites += 1
  results.duration += time === undefined ? suite.duration : numberOf(time)
  if (at !== null) results.createdAt = Math.min(results.createdAt ?? at, at)
  for (const count of COUNTS) results.counts[count] += counts[count]
}

const nameOf = ({ attributes }: XmlElement): string => {
  const names = [attributes.get("classname") ?? "", attributes.get("name") ?? ""]
  return Fields.storable(names.filter((name) => name !== "").join(": "))
}

const isFailed = ({ children }: XmlElement): boolean =>
  children.some(({ name }) => name === "failure" || name === "error")

/** Adds a case to its suite. */
const addCase = (element: XmlElement, suite: OpenSuite, results: Results): void => {
  suite.own.total += 1
  suite.duration += numberOf(element.attributes.get("time"))
  for (const { name } of element.children) {
    const outcome = OUTCOMES.get(name)
    if (outcome !== undefined) suite.own[outcome] += 1
  }
  if (isFailed(element)) results.failedNames.push(nameOf(element))
  else if (element.children.some(({ name }) => FLAKY.has(name))) results.flaky += 1
}

const resultsOf = (root: XmlElement): Results => {
  const results: Results = {
    counts: none(),
    suites: 0,
    duration: 0,
    createdAt: null,
    flaky: 0,
    failedNames: []
  }
  const open: Array<OpenSuite> = []
  walk(root, {
    begin: (element) => {
      const current = open.at(-1)
      if (isSuite(element)) {
        if (current !== undefined) current.hasInner = true
        open.push({ element, hasInner: false, duration: 0, own: none(), inner: none() })
      } else if (element.name === "testcase" && current !== undefined) {
        addCase(element, current, results)
      }
      return true
    },
    end: (element) => {
      const suite = isSuite(element) ? open.pop() : undefined
      if (suite !== undefined) close(suite, open.at(-1), results)
    }
  })
  return results
}

const read = (root: XmlElement): Either.Either<ReadContent, EvidenceProblem> => {
  const { counts, suites, duration, createdAt, flaky, failedNames } = resultsOf(root)
  if (suites === 0) return Either.left(Fields.unreadable("it has no suite with results of tests"))
  return TestsContent.make({
    kind: "junit",
    format: { name: "JUnit XML", version: null },
    tool: null,
    createdAt,
    duration: Fields.seconds(duration),
    total: counts.total,
    failed: counts.failures + counts.errors,
    skipped: counts.skipped,
    other: 0,
    flaky,
    failedNames
  })
}

/** JUnit XML. */
export const format: XmlFormat = { rule: 16, name: "JUnit XML", isFormat: isSuite, read }
