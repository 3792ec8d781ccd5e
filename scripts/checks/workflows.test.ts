/** Workflows, and the versions of tools that several files name. */
import { assert, describe, it } from "vitest"
import { parse } from "yaml"
import * as Repository from "./shared/Repository.js"

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly with?: { readonly [name: string]: unknown }
}

interface Job {
  readonly permissions?: { readonly [name: string]: string }
  readonly steps: ReadonlyArray<Step>
  readonly strategy?: { readonly matrix: { readonly node: ReadonlyArray<number> } }
}

interface Workflow {
  readonly permissions?: { readonly [name: string]: string }
  readonly jobs: { readonly [name: string]: Job }
}

const FOLDER = ".github/workflows"

const workflow = (name: string): Workflow => parse(Repository.read(`${FOLDER}/${name}.yml`))

const jobsOf = ({ jobs }: Workflow): ReadonlyArray<Job> => Object.values(jobs)

const commandsOf = (each: Workflow): ReadonlyArray<string> =>
  jobsOf(each).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []))

/** Actions that are named without a major version. */
const unpinned = (each: Workflow): ReadonlyArray<string> =>
  jobsOf(each)
    .flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []))
    .filter((uses) => !/^[\w-]+\/[\w-]+@v\d+$/.test(uses))

/** Scripts of the root that a command runs. */
const scriptsIn = (command: string): ReadonlyArray<string> =>
  [...command.matchAll(/npx pnpm (?!install\b)([\w:-]+)/g)].flatMap(([, name]) => name ?? [])

describe("workflows", () => {
  const ci = workflow("ci")
  const release = workflow("release")

  it("name actions by major version, and may write nothing unless a job says so", () => {
    for (const each of [ci, release]) {
      assert.deepStrictEqual(unpinned(each), [])
      assert.deepStrictEqual(each.permissions, { contents: "read" })
    }
  })

  it("run the test command of the readme, the tests that it leaves out, and the rehearsal of a release", () => {
    const [, command = ""] =
      /```bash\n(npx pnpm test)\n```/.exec(Repository.read("README.md")) ?? []
    const tests = [command, "npx pnpm test:full"]
    assert.includeMembers([...commandsOf(ci)], [...tests, "npx pnpm release:dry-run"])
    assert.includeMembers([...commandsOf(release)], tests)
    const script = Repository.read(".ci/run").split("\n")
    assert.deepStrictEqual(
      script.filter((line) => line.startsWith("npx pnpm test")),
      tests
    )
  })

  it("release with provenance, and run scripts that are there", () => {
    const { permissions } = release.jobs.release ?? {}
    assert.deepStrictEqual(permissions, { contents: "write", "id-token": "write" })
    const publish = commandsOf(release).filter((command) => command.includes("release:publish"))
    assert.lengthOf(publish, 1)
    assert.include(publish.join(), "npx pnpm release:publish --provenance\n")
    const named = [ci, release].flatMap(commandsOf).flatMap(scriptsIn)
    const { scripts = {} } = Repository.rootManifest()
    assert.includeMembers(Object.keys(scripts), [...named])
    assert.includeMembers([...named], ["test", "test:full", "release:publish"])
  })
})

describe("versions of tools", () => {
  it("are the same wherever they are named", () => {
    const first = /\d+/.exec(Repository.rootManifest().engines?.node ?? "")?.[0] ?? ""
    const bundled = /NODE_VERSION = "(\d+)/.exec(Repository.read("scripts/release/platforms.mjs"))
    assert.strictEqual(Repository.read(".nvmrc"), `${first}\n`)
    assert.deepStrictEqual(workflow("ci").jobs.test?.strategy?.matrix.node, [
      Number(first),
      Number(bundled?.[1])
    ])
  })
})

describe("the rules notice", () => {
  it("actions of a branch or without a version, and scripts", () => {
    const steps = ["a/b@v4", "a/b@main", "a/b", "a/b@v4.1"].map((uses) => ({ uses }))
    assert.lengthOf(unpinned({ jobs: { a: { steps } } }), 3)
    assert.deepStrictEqual(scriptsIn("npx pnpm install && npx pnpm release:dry-run"), [
      "release:dry-run"
    ])
  })
})
