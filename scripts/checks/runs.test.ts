/** The two runs of the tests: together they have every test file, and `vitest.runs.ts` says which has what. */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import * as Repository from "./shared/Repository.js"

const VITEST = join(Repository.root, "node_modules/.bin/vitest")

/** The test files that vitest finds under these variables, relative to the root. */
const listed = (variables: { readonly [name: string]: string }): ReadonlyArray<string> => {
  const { ATTESTRY_TEST_RUN: _run, ATTESTRY_TIMING: _timing, ...env } = process.env
  const { stdout, stderr } = spawnSync(VITEST, ["list", "--filesOnly", "--json"], {
    cwd: Repository.root,
    encoding: "utf8",
    env: { ...env, ...variables }
  })
  assert.notStrictEqual(stdout, "", stderr)
  const found: ReadonlyArray<{ readonly file: string }> = JSON.parse(stdout)
  return found.map(({ file }) => file.slice(Repository.root.length + 1)).sort()
}

const callsEither = (path: string): boolean =>
  /\b(?:onEveryStore|lengthForRun)\(/.test(Repository.read(path))

describe("the runs of the tests", () => {
  const all = ["packages", "examples", "scripts"]
    .flatMap(Repository.pathsUnder)
    .filter((path) => path.endsWith(".test.ts"))
    .sort()
  const isAlone = (path: string): boolean => /\.(?:full|timing)\.test\.ts$/.test(path)

  it("have every test file, and one in both only if each runs a part of it", () => {
    const quick = listed({ ATTESTRY_TEST_RUN: "quick" })
    const full = [
      ...listed({ ATTESTRY_TEST_RUN: "full" }),
      ...listed({ ATTESTRY_TIMING: "1" })
    ].sort()
    assert.deepStrictEqual(
      quick,
      all.filter((path) => !isAlone(path))
    )
    assert.deepStrictEqual(
      full,
      all.filter((path) => isAlone(path) || callsEither(path))
    )
  }, 60_000)

  it("leave out no test within a file but one store of two and trials of a law", () => {
    const readers = ["packages", "examples", "scripts"]
      .flatMap(Repository.pathsUnder)
      .filter((path) => /\.(?:ts|tsx|mjs)$/.test(path))
      .filter((path) => Repository.read(path).includes("ATTESTRY_TEST_RUN"))
      .sort()
    assert.deepStrictEqual(readers, [
      "packages/cli/test/shared/TestDeployment.ts",
      "packages/core/test/shared/Effort.ts",
      "packages/http/test/shared/TestServer.ts",
      "scripts/checks/runs.test.ts",
      "scripts/test.mjs"
    ])
  })

  it("use no store or length of a run in files that only the full run has", () => {
    assert.deepStrictEqual(all.filter(isAlone).filter(callsEither), [])
  })
})
