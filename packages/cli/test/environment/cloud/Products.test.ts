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

/** The word of help, the other word that is accepted, and the product. */
const WORDS: ReadonlyArray<readonly [string, string, string]> = [
  ["ecs", "container-tasks", "Amazon ECS"],
  ["lambda", "functions", "AWS Lambda"],
  ["s3", "object-store", "Amazon S3"],
  ["azure-apps", "cloudx-apps", "Azure"],
  ["cloud-run", "serverless-run", "Google Cloud Run"],
  ["kubernetes", "k8s", "Kubernetes"]
]

describe("the names of products", () => {
  it("are those that the interface accepts, and more", () => {
    assert.sameMembers([...Products.KINDS], [...EnvironmentKind.EnvironmentKind.literals])
    for (const [alias, kind] of Object.entries(EnvironmentKind.ALIASES))
      assert.strictEqual(Products.kindOf(alias), kind)
    for (const kind of Products.KINDS) assert.strictEqual(Products.kindOf(kind), kind)
    assert.strictEqual(Products.kindOf("other"), "other")
  })

  for (const [word, alias, title] of WORDS)
    it(`help about report ${alias} is that of report ${word}, and says ${title}`, async () => {
      const { stdout: expected } = await run(["report", word, "--help"])
      assert.include(expected, title)
      assert.include(expected, `usage: attestry report ${word} ENV`)
      assert.include(expected, `also:  attestry report ${alias}`)
      for (const name of [alias, alias.toUpperCase(), word.toUpperCase()]) {
        assert.strictEqual((await run(["report", name, "--help"])).stdout, expected)
        assert.strictEqual((await run(["help", "report", name])).stdout, expected)
      }
      const group = (await run(["help", "report"])).stdout
      assert.include(group, title)
      assert.notInclude(group, `report ${alias} `)
      const completed = (await run(["__complete", "--", "report", ""])).stdout.split("\n")
      assert.include(completed, word)
      assert.notInclude(completed, alias)
    })

  it("are the choices of help and completion, and stand for the kinds of the wire", async () => {
    const { stdout } = await run(["put", "environment", "--help"])
    assert.include(
      stdout,
      "--kind kubernetes|ecs|s3|lambda|server|docker|azure-apps|cloud-run|logical"
    )
    const completed = await run(["__complete", "--", "put", "environment", "--kind", "a"])
    assert.strictEqual(completed.stdout, "azure-apps\n")
    const afterAlias = await run(["__complete", "--", "report", "object-store", "site", "--buc"])
    assert.strictEqual(afterAlias.stdout, "--bucket\n")
  })

  it("stand for kinds in reporters.yaml", async () => {
    const cwd = folder()
    const kinds = WORDS.map(([word]) => word)
    const grammar = { commands: COMMANDS, globals: GLOBAL_FLAGS }
    for (const spelling of [0, 1] as const) {
      const entries = WORDS.map(
        (words, at) => `  - { name: e${at}, kind: ${words[spelling].toUpperCase()} }`
      )
      writeFileSync(join(cwd, "r.yaml"), `version: 1\nenvironments:\n${entries.join("\n")}\n`)
      const read = await ReportersFile.read({ cwd }, "r.yaml", { grammar, kinds })
      assert.deepStrictEqual(
        read.entries.map(({ kind }) => kind),
        kinds
      )
    }
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
    for (const [alias, other, title] of WORDS) {
      const argv = ["put", "environment", `put-${alias}`, "--kind"]
      for (const word of [alias, alias.toUpperCase(), other]) {
        const { code, stderr } = await run([...argv, word], machine())
        assert.strictEqual(code, 0, stderr)
      }
      const { stdout } = await run(["get", "environment", `put-${alias}`, "-o", "json"], machine())
      assert.strictEqual(JSON.parse(stdout).type, Products.kindOf(alias))
      const listed = await run(["list", "environments", "--kind", alias, "-q"], machine())
      assert.include(listed.stdout, `put-${alias}`)
      const { stdout: help } = await run(["put", "environment", "--help"])
      assert.include(help.toLowerCase(), title.toLowerCase())
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
