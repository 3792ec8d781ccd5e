/** `pnpm release:publish` refuses to begin a release that it could not finish, and `release:version` makes one text. */
import { spawnSync } from "node:child_process"
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import * as Repository from "./shared/Repository.js"

let clone = ""

const git = (...args: ReadonlyArray<string>): void => {
  const who = [
    "-c",
    "user.name=Ada",
    "-c",
    "user.email=ada@example.org",
    "-c",
    "commit.gpgsign=false"
  ]
  const { status, stderr } = spawnSync("git", [...who, ...args], { cwd: clone, encoding: "utf8" })
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`)
}

/** A program of this name that prints a text, or fails without one. */
const put = (name: string, text: string): void => {
  mkdirSync(join(clone, "../tools"), { recursive: true })
  const script = text === "" ? "exit 1" : `echo ${text}`
  writeFileSync(join(clone, "../tools", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
}

const run = (script: string): { readonly status: number | null; readonly output: string } => {
  const { ACTIONS_ID_TOKEN_REQUEST_URL: _, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(clone, script)], {
    encoding: "utf8",
    env: { ...env, PATH: `${join(clone, "../tools")}:${env.PATH}` }
  })
  return { status, output: `${stdout}${stderr}` }
}

const version = (): string =>
  JSON.parse(readFileSync(join(clone, "packages/core/package.json"), "utf8")).version

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), "attestry-release-"))
  clone = join(folder, "clone")
  mkdirSync(clone)
  const manifests = [...Repository.members().map((member) => `${member.folder}/package.json`)]
  const files = ["package.json", "pnpm-workspace.yaml", "CHANGELOG.md", "docs/INSTALLING.md"]
  const folders = [".changeset", "deploy", "scripts/release"]
  const scripts = ["scripts/build.mjs", "scripts/step.mjs", "scripts/chart.mjs"]
  for (const path of [...manifests, ...files, ...folders, ...scripts])
    cpSync(join(Repository.root, path), join(clone, path), { recursive: true })
  for (const file of Repository.pathsUnder(".changeset").filter((path) => path.endsWith(".md")))
    rmSync(join(clone, file))
  symlinkSync(join(Repository.root, "node_modules"), join(clone, "node_modules"))
  writeFileSync(join(clone, ".gitignore"), "node_modules\n")
  git("init", "--quiet", "--initial-branch", "main")
  git("add", "--all")
  git("commit", "--quiet", "--message", "first")
})

afterEach(() => {
  rmSync(join(clone, ".."), { recursive: true })
})

describe("release:publish", () => {
  const publish = () => run("scripts/release/publish.mjs")

  it("names every reason to refuse at once", () => {
    put("npm", "")
    git("checkout", "--quiet", "-b", "other")
    git("tag", `v${version()}`)
    writeFileSync(join(clone, "new.txt"), "new\n")
    const { status, output } = publish()
    assert.strictEqual(status, 1)
    assert.deepStrictEqual(output.trimEnd().split("\n"), [
      "release:publish: the tree has uncommitted changes: commit or remove them",
      "release:publish: the branch is other: releases are made from main",
      `release:publish: v${version()} is released already: there is no changeset for another version`,
      "release:publish: npm knows no user: run `npm login`"
    ])
  })

  it("asks for a login alone where nothing else is wrong", () => {
    put("npm", "")
    assert.strictEqual(publish().output, "release:publish: npm knows no user: run `npm login`\n")
  })
})

describe("release:version", () => {
  const release = () => run("scripts/release/version.mjs")

  it("changes nothing without changesets", () => {
    const { status, output } = release()
    assert.strictEqual(status, 0, output)
    git("diff", "--exit-code")
  })

  it("gives all packages one version and adds the texts to the changelog and to files that name it", () => {
    const before = version()
    const header = '---\n"@attestry/core": minor\n---\n\n'
    writeFileSync(join(clone, ".changeset/a.md"), `${header}Flows can fly.\n`)
    writeFileSync(
      join(clone, ".changeset/b.md"),
      `${header.replace("minor", "patch")}Trails too.\n`
    )
    git("add", "--all")
    git("commit", "--quiet", "--message", "changes")
    const { status, output } = release()
    assert.strictEqual(status, 0, output)
    const after = version()
    assert.notStrictEqual(after, before)
    for (const { folder } of Repository.published())
      assert.include(
        readFileSync(join(clone, folder, "package.json"), "utf8"),
        `"version": "${after}"`
      )
    const changelog = readFileSync(join(clone, "CHANGELOG.md"), "utf8")
    assert.include(
      changelog,
      `\n\n## ${after}\n\nFlows can fly.\n\nTrails too.\n\n## ${before}\n\n`
    )
    assert.include(readFileSync(join(clone, "deploy/Dockerfile"), "utf8"), `ARG VERSION=${after}\n`)
    assert.notInclude(readFileSync(join(clone, "docs/INSTALLING.md"), "utf8"), before)
  })
})
