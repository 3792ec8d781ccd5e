/** Kinds by the names of their products: on the command line, in files, and in help. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as EnvironmentKind from "@attestry/core/EnvironmentKind"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { COMMANDS, GLOBAL_FLAGS } from "../../../src/CommandTree.js"
import * as Products from "../../../src/environment/cloud/Products.js"
import * as ReportersFile from "../../../src/environment/ReportersFile.js"
import { machineOf } from "../../shared/Play.js"
import { folder, run } from "../../shared/Run.js"
import { onMemoryStore } from "../../shared/TestDeployment.js"
import * as CloudAnswers from "./CloudAnswers.js"
import * as FakeCloud from "./FakeCloud.js"

const WORDS: ReadonlyArray<readonly [string, string, string]> = [
  ["ecs", "container-tasks", "Amazon ECS"],
  ["lambda", "functions", "AWS Lambda"],
  ["s3", "object-store", "Amazon S3"],
  ["azure-apps", "cloudx-apps", "Azure"],
  ["cloud-run", "serverless-run", "Google Cloud Run"],
  ["k8s", "kubernetes", "Kubernetes"]
]

describe("the names of products", () => {
  it("are those that the interface accepts, and more", () => {
    assert.sameMembers([...Products.KINDS], [...EnvironmentKind.EnvironmentKind.literals])
    for (const [alias, kind] of Object.entries(EnvironmentKind.ALIASES))
      assert.strictEqual(Products.kindOf(alias), kind)
    for (const kind of Products.KINDS) assert.strictEqual(Products.kindOf(kind), kind)
    assert.strictEqual(Products.kindOf("other"), "other")
  })

  for (const [alias, word, title] of WORDS)
    it(`help about report ${alias} is that of report ${word}, and says ${title}`, async () => {
      const { stdout: expected } = await run(["report", word, "--help"])
      assert.include(expected, title)
      assert.include(expected, `attestry report ${alias}`)
      for (const name of [alias, alias.toUpperCase()]) {
        assert.strictEqual((await run(["report", name, "--help"])).stdout, expected)
        assert.strictEqual((await run(["help", "report", name])).stdout, expected)
      }
      assert.include((await run(["help", "report"])).stdout, title)
    })

  it("stand for kinds in reporters.yaml", async () => {
    const cwd = folder()
    const entries = WORDS.map(([alias], at) => `  - { name: e${at}, kind: ${alias.toUpperCase()} }`)
    const text = `version: 1\nenvironments:\n${entries.join("\n")}\n`
    writeFileSync(join(cwd, "r.yaml"), text)
    const kinds = WORDS.map(([, word]) => word)
    const grammar = { commands: COMMANDS, globals: GLOBAL_FLAGS }
    const read = await ReportersFile.read({ cwd }, "r.yaml", { grammar, kinds })
    assert.deepStrictEqual(
      read.entries.map(({ kind }) => kind),
      kinds
    )
  })
})

onMemoryStore("products", (deployment) => {
  const fake: { cloud?: FakeCloud.FakeCloud } = {}
  beforeAll(async () => {
    fake.cloud = await FakeCloud.start()
    fake.cloud.answer = CloudAnswers.answer
  })
  afterAll(() => fake.cloud?.stop())
  const machine = machineOf({ cwd: folder(), deployment })

  it("are kinds of put environment, in any case", async () => {
    for (const [alias, , title] of WORDS) {
      const argv = ["put", "environment", `put-${alias}`, "--kind"]
      for (const word of [alias, alias.toUpperCase()]) {
        const { code, stderr } = await run([...argv, word], machine())
        assert.strictEqual(code, 0, stderr)
      }
      const { stdout } = await run(["get", "environment", `put-${alias}`, "-o", "json"], machine())
      assert.strictEqual(JSON.parse(stdout).type, Products.kindOf(alias))
      const listed = await run(["list", "environments", "--kind", alias, "-q"], machine())
      assert.include(listed.stdout, `put-${alias}`)
      assert.include((await run(["put", "environment", "--help"])).stdout, title)
    }
    const unknown = await run(["put", "environment", "x", "--kind", "esc"], machine())
    assert.strictEqual(unknown.code, 2)
  })

  it("are words of report", async () => {
    const { url = "", host = "" } = fake.cloud ?? {}
    const variables = CloudAnswers.variablesOf({ url, host })
    const rows: ReadonlyArray<readonly [string, ReadonlyArray<string>, object]> = [
      ["ecs", [], variables.signed],
      ["Lambda", [], variables.signed],
      ["S3", ["--bucket", "www"], variables.signed],
      ["azure-apps", ["--endpoint", url, "--digests-source", "logs"], variables.apps],
      [
        "cloud-run",
        ["--endpoint", url, "--project", "shop", "--region", "eu-west1"],
        variables.serverless
      ]
    ]
    for (const [word, flags, env] of rows) {
      const argv = ["report", word, `report-${word}`, "--create", ...flags]
      const { code, stderr } = await run(argv, machine({ env: { ...env } }))
      assert.strictEqual(code, 0, `${word}: ${stderr}`)
      const got = await run(["get", "environment", `report-${word}`, "-o", "json"], machine())
      assert.strictEqual(JSON.parse(got.stdout).type, Products.kindOf(word))
    }
  })
})
