/** The files for CIs: their scripts run in a shell, under the variables of a real job, against a real server. */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as YamlText from "@attestry/core/YamlText"
import { Either } from "effect"
import { assert, beforeAll, describe, it } from "vitest"
import * as Snippets from "../../src/ci/Snippets.js"
import * as Json from "../../src/shared/Json.js"
import { folder, run } from "../shared/Run.js"
import { onMemoryStore } from "../shared/TestDeployment.js"
import { JOBS } from "./JobVariables.js"
import { PACKAGE, programs, REPOSITORY, sh } from "./Shell.js"

const yaml = (text: string): Json.Fields => {
  const parsed = YamlText.parse(text)
  assert.isTrue(Either.isRight(parsed), JSON.stringify(parsed))
  return Either.isRight(parsed) ? Json.object(parsed.right.value) : {}
}

const file = (path: string): string => readFileSync(join(REPOSITORY, path), "utf8")

const POLICY = `_schema: https://example.com/v1
artifacts:
  provenance:
    required: true
  attestations:
    - { type: junit, name: unit }
`

const OPTIONS: Snippets.SnippetOptions = {
  url: "https://attestry.example.com",
  org: "acme",
  flow: "shop",
  signIn: "identity"
}

/** The scripts of a pipeline, each of which its CI runs in a shell of its own. */
const scriptsOf = ({ ci, text }: Snippets.Snippet): ReadonlyArray<string> => {
  if (ci === "jenkins") return [...text.matchAll(/^ +sh '(.*)'$/gm)].map(([, line = ""]) => line)
  const pipeline = yaml(text)
  switch (ci) {
    case "gitlab":
      return [Json.list(Json.object(pipeline.evidence).script).join("\n")]
    case "bitbucket": {
      const [first] = Json.objects(Json.object(pipeline.pipelines).default)
      return [Json.list(Json.object(first?.step).script).join("\n")]
    }
    case "azure-devops":
      return Json.objects(pipeline.steps).map(({ script }) => String(script))
    default: {
      const { evidence } = Json.object(pipeline.jobs)
      return Json.objects(Json.object(evidence).steps).flatMap((step) => Json.text(step.run) ?? [])
    }
  }
}

const build = () => {
  const { status, stderr } = spawnSync(process.execPath, [join(PACKAGE, "build/build.mjs")], {
    encoding: "utf8"
  })
  assert.strictEqual(status, 0, stderr)
}

const project = (): string => {
  const cwd = folder()
  mkdirSync(join(cwd, "dist"))
  mkdirSync(join(cwd, "reports"))
  writeFileSync(join(cwd, "dist/index.html"), "<h1>shop</h1>\n")
  const suite = '<testsuite name="unit"><testcase name="adds"/></testsuite>'
  writeFileSync(join(cwd, "reports/unit.xml"), suite)
  return cwd
}

describe("the action", () => {
  const action = yaml(file("ci/github/action.yml"))
  const steps = Json.objects(Json.object(action.runs).steps)

  it("is composite, gives inputs to its steps as variables, and has none for the key", () => {
    assert.strictEqual(Json.object(action.runs).using, "composite")
    assert.isNotEmpty(steps)
    for (const step of steps) {
      assert.strictEqual(step.shell, "bash")
      assert.notInclude(String(step.run), "${{")
      assert.isUndefined(step.uses)
    }
    assert.notMatch(Object.keys(Json.object(action.inputs)).join(" "), /key|token|secret/)
  })

  it("installs the version of its tag, or the version that is configured", async () => {
    const { version } = JSON.parse(file("packages/cli/package.json"))
    for (const [told, expected] of [
      ["", version],
      ["1.2.3-rc.1", "1.2.3-rc.1"]
    ]) {
      const place = programs()
      const env = {
        ATTESTRY_INPUT_VERSION: told,
        ATTESTRY_ACTION_PATH: join(REPOSITORY, "ci/github"),
        RUNNER_TEMP: place,
        GITHUB_PATH: join(place, "path")
      }
      const { code, output } = await sh(String(steps[0]?.run), { cwd: place, place, env })
      assert.strictEqual(code, 0, output)
      const asked = readFileSync(join(place, "npm.log"), "utf8")
      assert.include(asked, `@attestry/cli@${expected}\n`)
      const path = readFileSync(join(place, "path"), "utf8")
      assert.strictEqual(path, `${place}/attestry-${expected}/bin\n`)
    }
  })

  it("refuses a version that is none", async () => {
    for (const told of ["1.0.0; echo x", "--registry=x", "$(id)", "latest evil"]) {
      const place = programs()
      const env = {
        ATTESTRY_INPUT_VERSION: told,
        ATTESTRY_ACTION_PATH: join(REPOSITORY, "ci/github"),
        RUNNER_TEMP: place,
        GITHUB_PATH: join(place, "path")
      }
      const { code } = await sh(String(steps[0]?.run), { cwd: place, place, env })
      assert.strictEqual(code, 2, told)
      assert.isFalse(existsSync(join(place, "npm.log")))
    }
  })

  it("sets the variables that are given, each on one line", async () => {
    const settings = async (url: string) => {
      const place = programs()
      const env = {
        ATTESTRY_INPUT_URL: url,
        ATTESTRY_INPUT_ORG: "acme",
        ATTESTRY_INPUT_FLOW: "",
        ATTESTRY_ACTION_PATH: join(REPOSITORY, "ci/github"),
        GITHUB_ENV: join(place, "env")
      }
      const ended = await sh(String(steps[1]?.run), { cwd: place, place, env })
      return {
        ...ended,
        set: existsSync(env.GITHUB_ENV) ? readFileSync(env.GITHUB_ENV, "utf8") : ""
      }
    }
    const good = await settings("https://a.example.com")
    assert.deepInclude(good, {
      code: 0,
      set: "ATTESTRY_URL=https://a.example.com\nATTESTRY_ORG=acme\n"
    })
    const bad = await settings("https://a.example.com\nPATH=/evil")
    assert.deepInclude(bad, { code: 2, set: "" })
  })
})

/** The component has two documents: its inputs, and the jobs. */
const component = (inputs: { readonly [name: string]: string }): Json.Fields => {
  const [head = "", jobs = ""] = file("templates/attestry.yml").split(/^---$/m)
  const declared = Json.object(Json.object(yaml(head).spec).inputs)
  return yaml(
    jobs.replaceAll(/\$\[\[ inputs\.([a-z]+) \]\]/g, (_, name: string) => {
      assert.property(declared, name)
      return JSON.stringify(inputs[name] ?? Json.object(declared[name]).default ?? "")
    })
  )
}

onMemoryStore("in a job", (deployment) => {
  const secrets = () => ({
    ATTESTRY_API_KEY: deployment().keys.admin,
    ATTESTRY_CONFIG_DIR: "/nowhere"
  })

  beforeAll(async () => {
    build()
    const env = { ATTESTRY_URL: deployment().url, ...secrets(), ATTESTRY_ORG: "acme" }
    const rules = join(folder(), "prod-rules.yaml")
    writeFileSync(rules, POLICY)
    for (const argv of [
      ["put", "flow", "shop", "--description", "x"],
      ["put", "policy", "prod-rules", rules],
      ["put", "environment", "production", "--kind", "server", "--policy", "prod-rules"]
    ]) {
      const { code, stderr } = await run(argv, { env })
      assert.strictEqual(code, 0, stderr)
    }
  })

  const settings = () => ({
    ATTESTRY_URL: deployment().url,
    ATTESTRY_ORG: "acme",
    ATTESTRY_FLOW: "shop"
  })

  for (const snippet of Snippets.all(OPTIONS))
    it(`the commands of the pipeline for ${snippet.title} work`, async () => {
      for (const command of Snippets.COMMANDS) assert.include(snippet.text, command)
      if (/\.ya?ml$/.test(snippet.file)) yaml(snippet.text)
      const cwd = project()
      const env = { ...JOBS[snippet.ci], ...settings(), ...secrets() }
      const text = Snippets.COMMANDS.join("\n")
      const { code, output } = await sh(text, { cwd, place: programs(), env })
      assert.strictEqual(code, 0, output)
      assert.include(output, "COMPLIANT")
      const show = await sh("attestry config show", { cwd, place: programs(), env })
      assert.include(show.output, "commit 9f1c2ab")
    })

  for (const { ci, title } of Snippets.all(OPTIONS))
    it(`the pipeline for ${title} records tests that fail before it says no`, async () => {
      const [snippet] = Snippets.all({ ...OPTIONS, url: deployment().url }).filter(
        (each) => each.ci === ci
      )
      assert.isDefined(snippet)
      /** Runs the scripts until one fails; gives its code and all output. */
      const job = async (tests: { readonly code: number; readonly isReported: boolean }) => {
        const cwd = project()
        writeFileSync(join(cwd, "dist/index.html"), `${ci} ${JSON.stringify(tests)}\n`)
        const place = programs()
        const failure = tests.isReported ? "<failure/>" : ""
        const suite = `<testsuite name="u"><testcase name="a">${failure}</testcase></testsuite>`
        writeFileSync(join(place, "suite.xml"), suite)
        writeFileSync(
          join(place, "bin/npm"),
          `#!/bin/sh\n[ "$1" != test ] || { cp "${place}/suite.xml" reports/unit.xml; exit ${tests.code}; }\n`
        )
        const env = { ...JOBS[ci], ...settings(), ...secrets(), BASH_ENV: join(place, "env") }
        let output = ""
        for (const text of scriptsOf(snippet)) {
          const ended = await sh(text, { cwd, place, env })
          output += ended.output
          if (ended.code !== 0) return { code: ended.code, output }
        }
        return { code: 0, output }
      }
      const failing = await job({ code: 1, isReported: true })
      assert.strictEqual(failing.code, 1, failing.output)
      assert.include(failing.output, "error[non_compliant_attestation]", failing.output)
      const unreported = await job({ code: 1, isReported: false })
      assert.strictEqual(unreported.code, 1, unreported.output)
      assert.include(unreported.output, "COMPLIANT")
      const passing = await job({ code: 0, isReported: false })
      assert.strictEqual(passing.code, 0, passing.output)
    })

  it("the component of GitLab lies where GitLab looks for it", () => {
    const [snippet] = Snippets.all(OPTIONS).filter(({ ci }) => ci === "gitlab")
    const [include] = Json.objects(yaml(snippet?.text ?? "").include)
    const [, project, name] =
      /^\$CI_SERVER_FQDN\/(.+)\/([^/@]+)@\d+$/.exec(String(include?.component)) ?? []
    assert.strictEqual(project, "attestry/attestry")
    // A component NAME is templates/NAME.yml of its project, and inputs are those of its head.
    const [head = ""] = file(`templates/${name}.yml`).split(/^---$/m)
    const declared = Json.object(Json.object(yaml(head).spec).inputs)
    for (const [input] of Json.members(include?.inputs)) assert.property(declared, input)
  })

  it("the component of GitLab checks, asserts, and writes four reports", async () => {
    const jobs = component({ ...OPTIONS, url: deployment().url, environment: "production" })
    const base = Json.object(jobs[".attestry"])
    const gate = Json.object(jobs[".attestry-assert"])
    const [[variable, token] = ["", {}]] = Json.members(base.id_tokens)
    assert.strictEqual(variable, "ATTESTRY_ID_TOKEN")
    assert.strictEqual(Json.object(token).aud, deployment().url)
    assert.strictEqual(gate.extends, ".attestry")
    const variables = Object.fromEntries(
      Json.members(base.variables).map(([name, value]) => [name, String(value)])
    )
    const lines = [...Json.list(base.before_script), ...Json.list(gate.script)]
    const cwd = project()
    const place = programs()
    const env = { ...JOBS.gitlab, ...variables, ...secrets(), ATTESTRY_PATH: "dist" }
    const { code, output } = await sh(lines.join("\n"), { cwd, place, env })
    assert.strictEqual(code, 0, output)
    assert.include(readFileSync(join(place, "npm.log"), "utf8"), "@attestry/cli@latest")
    const reports = Json.members(Json.object(gate.artifacts).reports)
    assert.lengthOf(reports, 4)
    for (const [, name] of reports) assert.isTrue(existsSync(join(cwd, String(name))))
    assert.include(readFileSync(join(cwd, "attestry.env"), "utf8"), "ATTESTRY_COMPLIANT=true")
    writeFileSync(join(cwd, "dist/index.html"), "changed\n")
    const unknown = await sh(lines.join("\n"), { cwd, place, env })
    assert.strictEqual(unknown.code, 1, unknown.output)
    assert.include(unknown.output, "no flow knows the artifact")
  })
})
