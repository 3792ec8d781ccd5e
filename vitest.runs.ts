/**
 * The two runs of the tests.
 *
 * `pnpm test` is the quick run. `pnpm test:full` runs everything that the quick run leaves out:
 * - files named `*.full.test.ts`;
 * - files named `*.timing.test.ts`, one after another;
 * - the other half of files that take part in both runs: those that call `onEveryStore` run on the memory store in the
 *   quick run and on PostgreSQL in the full run, and those that call `lengthForRun` play short histories and then long
 *   ones.
 *
 * Without `ATTESTRY_TEST_RUN`, as in `pnpm vitest run <file>`, every file runs as a whole.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const { ATTESTRY_TEST_RUN, ATTESTRY_TIMING } = process.env

/** Whether only tests that measure time run. */
export const isTiming = ATTESTRY_TIMING !== undefined

/** The files of this run that a project excludes. */
export const excluded: ReadonlyArray<string> = [
  "**/node_modules/**",
  ...(isTiming ? [] : ["**/*.timing.test.ts"]),
  ...(ATTESTRY_TEST_RUN === "quick" ? ["**/*.full.test.ts"] : [])
]

const testFilesIn = (folder: string): ReadonlyArray<string> => {
  const path = join(import.meta.dirname, folder)
  if (!existsSync(path)) return []
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => `${folder}/${file}`)
}

/** Whether a file takes part in both runs. */
const isInBoth = (file: string): boolean =>
  /\b(?:onEveryStore|lengthForRun)\(/.test(readFileSync(join(import.meta.dirname, file), "utf8"))

/** Patterns of the files below a folder that belong to this run. */
export const filesIn = (folder: string): ReadonlyArray<string> => {
  if (isTiming) return [`${folder}/**/*.timing.test.ts`]
  return ATTESTRY_TEST_RUN === "full"
    ? [`${folder}/**/*.full.test.ts`, ...testFilesIn(folder).filter(isInBoth)]
    : [`${folder}/**/*.test.ts`]
}
