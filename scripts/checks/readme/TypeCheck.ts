/**
 * Runs the workspace's compiler over examples, in a folder where every package of the workspace can be
 * imported by its name, as it can in the project of whoever copies the example.
 */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Repository from "../shared/Repository.js"
import { type Fence, fileOf } from "./Fence.js"

const packagesIn = (modules: string): ReadonlyArray<string> =>
  readdirSync(modules)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) =>
      name.startsWith("@")
        ? readdirSync(join(modules, name)).map((each) => `${name}/${each}`)
        : [name]
    )

/** Links every package of the workspace, and every package that one of them depends on. */
const link = (folder: string): void => {
  const targets = new Map<string, string>()
  for (const member of Repository.members()) {
    const modules = join(Repository.root, member.folder, "node_modules")
    if (Repository.has(`${member.folder}/node_modules`)) {
      for (const name of packagesIn(modules)) targets.set(name, join(modules, name))
    }
  }
  for (const member of Repository.published()) {
    targets.set(member.manifest.name, join(Repository.root, member.folder))
  }
  for (const [name, target] of targets) {
    const path = join(folder, "node_modules", name)
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(target, path)
  }
}

const settings = {
  extends: join(Repository.root, "tsconfig.base.json"),
  compilerOptions: {
    noEmit: true,
    // An example sees our packages as they are published, so the build must be there.
    customConditions: [],
    composite: false,
    incremental: false,
    declaration: false,
    declarationMap: false,
    lib: ["ES2022", "DOM", "DOM.Iterable"],
    types: ["node"],
    // An example may end with the value that it is about.
    noUnusedLocals: false
  },
  include: ["*.ts"]
}

/** What the compiler says about the examples, one line each, with the place in the document. */
export const typeCheck = (fences: ReadonlyArray<Fence>): ReadonlyArray<string> => {
  const cache = join(Repository.root, "node_modules/.cache")
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, "examples-"))
  try {
    link(folder)
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings))
    const places = new Map(fences.map((fence) => [fileOf(fence), fence]))
    for (const [name, { text }] of places) writeFileSync(join(folder, name), `${text}\n`)
    const { status, stdout, stderr } = spawnSync(
      join(Repository.root, "node_modules/.bin/tsc"),
      ["--project", folder, "--pretty", "false"],
      { cwd: folder, encoding: "utf8" }
    )
    // A line that is indented explains the one before it.
    const said = `${stdout}${stderr}`.split("\n").filter((line) => /^\S/.test(line))
    if (status !== 0 && said.length === 0) return [`the compiler ended with ${status}`]
    return said.map((line) => {
      const [, name = "", at = "", rest = ""] = /^(\S+?\.ts)\((\d+),\d+\): (.*)$/.exec(line) ?? []
      const fence = places.get(name)
      return fence === undefined
        ? line.replace(/^(?:\.\.\/)+/, "")
        : `${fence.path}:${fence.line + Number(at)} ${rest}`
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
