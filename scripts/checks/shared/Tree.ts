/** The TypeScript of the repository, sorted by what it is for. */
import * as Repository from "./Repository.js"
import { parse, type SourceFile } from "./SourceFile.js"

const isTest = (path: string): boolean => /\/test\/|\.test\.tsx?$/.test(path)

const isPublishedSource = (path: string): boolean =>
  /^packages\/[^/]+\/(?:src|testing|webcrypto|node|app)\//.test(path)

const isProduction = (path: string): boolean =>
  /^packages\/[^/]+\/(?:src|webcrypto|node)\//.test(path)

const textsUnder = (folder: string): ReadonlyArray<Repository.TextFile> =>
  Repository.pathsUnder(folder)
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => ({ path, text: Repository.read(path) }))

/** WHY kept: checks that run in one worker read the same files, and parsing all of them takes seconds. */
const parsed = new Map<string, SourceFile>()

const parseOnce = (file: Repository.TextFile): SourceFile => {
  const known = parsed.get(file.path)
  if (known !== undefined) return known
  const made = parse(file)
  parsed.set(file.path, made)
  return made
}

/** Every TypeScript file below a folder. */
export const sourcesUnder = (folder: string): ReadonlyArray<SourceFile> =>
  textsUnder(folder).map(parseOnce)

/** What runs in production, as text: `src`, `webcrypto` and `node` of every package. */
export const productionTexts = (): ReadonlyArray<Repository.TextFile> =>
  textsUnder("packages").filter(({ path }) => isProduction(path))

/** Every TypeScript file of packages, examples, benchmarks and scripts. */
export const load = () => {
  const files = sourcesUnder("")
  const sources = files.filter(
    ({ path }) => isPublishedSource(path) || (path.startsWith("examples/") && !isTest(path))
  )
  return {
    files,
    /** What is published or bundled, and the examples. */
    sources,
    /** What runs in production: `src`, `webcrypto` and `node` of every package. */
    production: sources.filter(({ path }) => isProduction(path)),
    tests: files.filter(({ path }) => isTest(path)),
    checks: files.filter(({ path }) => path.startsWith("scripts/checks/"))
  }
}

const BINARY = /\.(?:pem|png|ico|woff2|tgz)$/

/** Every file with text that people wrote: all but the lockfile, the licence and keys for tests. */
export const texts = (): ReadonlyArray<Repository.TextFile> =>
  Repository.pathsUnder("")
    .filter((path) => path !== "pnpm-lock.yaml" && path !== "LICENSE" && !BINARY.test(path))
    .map((path) => ({ path, text: Repository.read(path) }))

/** Every Markdown document; notes for the changelog are parts of one, in a form of their own. */
export const documents = (): ReadonlyArray<Repository.TextFile> =>
  texts().filter(({ path }) => path.endsWith(".md") && !path.startsWith(".changeset/"))
