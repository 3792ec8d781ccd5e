/**
 * `pnpm release:dry-run`: every step of a release except publishing.
 *
 * Checks the changesets, builds, packs every package, installs the archives with npm into an empty project
 * outside the workspace, and runs a program there that uses each of them.
 */
import { execFileSync } from "node:child_process"
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { build } from "./build.mjs"

const root = join(import.meta.dirname, "..")

const read = (path) => JSON.parse(readFileSync(path, "utf8"))

const manifests = readdirSync(join(root, "packages"))
  .map((name) => read(join(root, "packages", name, "package.json")))
  .filter((manifest) => manifest.private !== true)

const say = (text) => process.stdout.write(`${text}\n`)

const run = (command, args, cwd) =>
  execFileSync(command, args, { cwd, stdio: ["ignore", "inherit", "inherit"] })

/** The package manager that runs this, or else the one that `npx` finds. */
const packer = () => {
  const running = process.env.npm_execpath ?? ""
  if (!basename(running).startsWith("pnpm")) return ["npx", "-y", "pnpm"]
  return /\.[cm]?js$/.test(running) ? [process.execPath, running] : [running]
}

/** Every changeset names published packages and has a text. */
const checkChangesets = () => {
  const names = manifests.map(({ name }) => name)
  const files = readdirSync(join(root, ".changeset")).filter((file) => file.endsWith(".md"))
  for (const file of files) {
    const text = readFileSync(join(root, ".changeset", file), "utf8")
    const [, header, words] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? []
    if (header === undefined || words.trim() === "") throw new Error(`${file} says nothing`)
    for (const line of header.split("\n")) {
      const [, name, bump] = /^"([^"]+)": (\w+)$/.exec(line) ?? []
      if (!names.includes(name)) throw new Error(`${file}: ${line} names no published package`)
      if (!["major", "minor", "patch"].includes(bump)) throw new Error(`${file}: ${line}`)
    }
  }
  say(`${files.length} changesets in order`)
}

const pack = (folder) => {
  const [command, ...start] = packer()
  const filters = manifests.flatMap(({ name }) => ["--filter", name])
  execFileSync(command, [...start, ...filters, "pack", "--pack-destination", folder], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"]
  })
  return readdirSync(folder).map((file) => join(folder, file))
}

/** The name of the package in an archive. */
const nameIn = (tarball) => {
  const args = ["--extract", "--to-stdout", "--file", tarball, "package/package.json"]
  return JSON.parse(execFileSync("tar", args, { encoding: "utf8" })).name
}

/** The peer dependencies of the packages. */
const peers = () => {
  const asked = manifests.flatMap(({ peerDependencies = {} }) => Object.keys(peerDependencies))
  const workspace = readFileSync(join(root, "pnpm-workspace.yaml"), "utf8")
  return Object.fromEntries(
    [...new Set([...asked, "vitest"])].map((name) => {
      const [, version] = new RegExp(`^  "?${name}"?: (\\S+)$`, "m").exec(workspace) ?? []
      if (version === undefined) throw new Error(`the catalog has no ${name}`)
      return [name, version]
    })
  )
}

const folder = mkdtempSync(join(tmpdir(), "attestry-release-"))
try {
  checkChangesets()
  build()
  const packed = join(folder, "packed")
  const project = join(folder, "project")
  for (const each of [packed, project]) mkdirSync(each)
  const tarballs = pack(packed)
  say(`${tarballs.length} packages packed`)
  const dependencies = Object.fromEntries(tarballs.map((file) => [nameIn(file), `file:${file}`]))
  const manifest = { private: true, type: "module", dependencies: { ...peers(), ...dependencies } }
  writeFileSync(join(project, "package.json"), JSON.stringify(manifest, null, 2))
  run(
    "npm",
    ["install", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"],
    project
  )
  say("installed outside the workspace")
  copyFileSync(join(root, "scripts/release/program.mjs"), join(project, "program.mjs"))
  run(process.execPath, ["program.mjs", ...Object.keys(dependencies)], project)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
