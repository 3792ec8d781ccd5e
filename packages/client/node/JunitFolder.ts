/**
 * The results of test suites, from the XML files of test runners in a folder.
 *
 * A strict parser reads files as streams and knows the five entities of XML alone, so entities cannot expand. Cases
 * are counted; the totals of a suite count where they are worse. Nested suites have results of their own.
 */
import { createReadStream } from "node:fs"
import { lstat, readdir } from "node:fs/promises"
import { join } from "node:path"
import type { JunitPayload } from "@attestry/core/AttestationPayload"
import * as Effect from "effect/Effect"
import { SaxesParser, type SaxesTagPlain } from "saxes"
import { EvidenceError } from "./EvidenceError.js"

/** The results of one suite. */
export type SuiteResult = JunitPayload["junit_results"][number]

/** The limits of a folder. */
export interface JunitOptions {
  /** The largest number of XML files; 10,000 by default. */
  readonly filesMax?: number
  /** The largest number of bytes of a file; 64 MiB by default. */
  readonly fileBytesMax?: number
}

const FILES_MAX = 10_000
const FILE_BYTES_MAX = 67_108_864
const SUITES_MAX = 10_000
const DEPTH_MAX = 64

/** The results of cases. */
interface Counts {
  total: number
  failures: number
  errors: number
  skipped: number
}

/** A suite, or the root element, while it is read. */
interface OpenSuite {
  readonly attributes: Readonly<Record<string, string>>
  readonly isRoot: boolean
  hasInner: boolean
  duration: number
  /** The results of its own cases, and of nested suites. */
  readonly own: Counts
  readonly inner: Counts
}

const none = (): Counts => ({ total: 0, failures: 0, errors: 0, skipped: 0 })

const numberOf = (text: string | undefined): number => {
  const value = Number((text ?? "").replaceAll(",", ""))
  return Number.isFinite(value) && value >= 0 ? value : 0
}

const countOf = (text: string | undefined): number => Math.trunc(numberOf(text))

const secondsOf = (text: string | undefined): number | undefined => {
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/.test(text ?? "")
  const millis = text === undefined ? Number.NaN : Date.parse(hasZone ? text : `${text}Z`)
  return Number.isFinite(millis) ? millis / 1_000 : undefined
}

/**
 * The results of a suite: those of its cases, or its own totals where they are larger. A failure that only a total
 * shows, such as one of the set-up, counts. DECISIONS.md, "Unproven is not compliant"
 */
const countsOf = ({ attributes, own, inner }: OpenSuite): Counts => {
  const worst = (kind: keyof Counts, written: string | undefined) =>
    Math.max(own[kind], countOf(written) - inner[kind])
  return {
    total: worst("total", attributes.tests),
    failures: worst("failures", attributes.failures),
    errors: worst("errors", attributes.errors),
    skipped: worst("skipped", attributes.skipped ?? attributes.disabled)
  }
}

/** Whether a suite has results of its own; a suite that only contains other suites has none. */
const isResult = ({ isRoot, hasInner }: OpenSuite, counts: Counts): boolean =>
  counts.failures + counts.errors > 0 || (!isRoot && (counts.total > 0 || !hasInner))

const resultOf = ({ attributes, duration }: OpenSuite, counts: Counts): SuiteResult => {
  const timestamp = secondsOf(attributes.timestamp)
  return {
    name: attributes.name ?? "",
    ...counts,
    duration: attributes.time === undefined ? duration : numberOf(attributes.time),
    ...(timestamp === undefined ? {} : { timestamp })
  }
}

type Outcome = "failures" | "errors" | "skipped"
const OUTCOMES: { readonly [element: string]: Outcome } = {
  failure: "failures",
  error: "errors",
  skipped: "skipped"
}

/** Collects suites from the elements of one file. */
const makeCollector = (path: string) => {
  const results: Array<SuiteResult> = []
  const open: Array<OpenSuite> = []
  const elements: Array<string> = []
  const refuse = (detail: string): never => {
    throw new EvidenceError({ path, detail })
  }

  const begin = ({ name, attributes }: SaxesTagPlain): void => {
    const isSuite = name === "testsuite" || name === "testsuites"
    if (elements.length === 0 && !isSuite) refuse(`\`${name}\` is no report of JUnit`)
    if (elements.length >= DEPTH_MAX) refuse("it is nested too deeply")
    const parent = elements.at(-1)
    const current = open.at(-1)
    elements.push(name)
    if (isSuite) {
      if (current !== undefined) current.hasInner = true
      const isRoot = name === "testsuites"
      open.push({ attributes, isRoot, hasInner: false, duration: 0, own: none(), inner: none() })
    } else if (name === "testcase" && current !== undefined) {
      current.own.total += 1
      current.duration += numberOf(attributes.time)
    } else if (parent === "testcase" && current !== undefined && Object.hasOwn(OUTCOMES, name)) {
      const outcome = OUTCOMES[name]
      if (outcome !== undefined) current.own[outcome] += 1
    }
  }

  const end = (): void => {
    const name = elements.pop()
    const closed = name === "testsuite" || name === "testsuites" ? open.pop() : undefined
    if (closed === undefined) return
    const counts = countsOf(closed)
    const parent = open.at(-1)
    for (const kind of ["total", "failures", "errors", "skipped"] as const) {
      if (parent !== undefined) parent.inner[kind] += counts[kind] + closed.inner[kind]
    }
    if (isResult(closed, counts)) results.push(resultOf(closed, counts))
    if (results.length > SUITES_MAX) refuse(`it holds more than ${SUITES_MAX} suites`)
  }

  return { begin, end, results }
}

const readFile = async (path: string, bytesMax: number): Promise<ReadonlyArray<SuiteResult>> => {
  const collector = makeCollector(path)
  const parser = new SaxesParser()
  parser.on("error", (cause) => {
    throw new EvidenceError({ path, detail: "it is not well-formed XML", cause })
  })
  parser.on("opentag", collector.begin)
  parser.on("closetag", collector.end)
  const decoder = new TextDecoder("utf-8", { fatal: true })
  let size = 0
  for await (const bytes of createReadStream(path)) {
    size += bytes.byteLength
    if (size > bytesMax)
      throw new EvidenceError({ path, detail: `it has more than ${bytesMax} bytes` })
    parser.write(decoder.decode(bytes, { stream: true }))
  }
  parser.write(decoder.decode())
  parser.close()
  return collector.results
}

const filesIn = async (folder: string, filesMax: number): Promise<ReadonlyArray<string>> => {
  if (!(await lstat(folder)).isDirectory()) return [folder]
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = names
    .filter((entry) => entry.isFile() && entry.name.toLowerCase().endsWith(".xml"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  if (files.length > filesMax)
    throw new EvidenceError({ path: folder, detail: `it holds more than ${filesMax} XML files` })
  return files
}

const readAll = async (folder: string, options: JunitOptions) => {
  const results: Array<SuiteResult> = []
  for (const file of await filesIn(folder, options.filesMax ?? FILES_MAX)) {
    results.push(...(await readFile(file, options.fileBytesMax ?? FILE_BYTES_MAX)))
    if (results.length > SUITES_MAX)
      throw new EvidenceError({ path: folder, detail: `it holds more than ${SUITES_MAX} suites` })
  }
  return results
}

/** The results of every suite in a file or below a folder, for `junit_results`; fails where there is none. */
export const read = (
  folder: string,
  options: JunitOptions = {}
): Effect.Effect<JunitPayload, EvidenceError> =>
  Effect.tryPromise({
    try: () => readAll(folder, options),
    catch: (cause) =>
      cause instanceof EvidenceError
        ? cause
        : new EvidenceError({ path: folder, detail: "it cannot be read", cause })
  }).pipe(
    Effect.filterOrFail(
      (results) => results.length > 0,
      () => new EvidenceError({ path: folder, detail: "it holds no results of tests" })
    ),
    Effect.map((junit_results) => ({ junit_results }))
  )
