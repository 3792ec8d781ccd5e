/**
 * `pnpm release:dry-run`: every step of a release except publishing, without a change to the tree.
 *
 * Checks the changesets, builds, packs every package with its next version and changelog, installs the archives with
 * npm into empty projects outside the workspace, and runs a program there that uses each of them: once with the newest
 * versions that the ranges allow, and once with the first versions of Effect that the peers allow. Makes the offline
 * bundle of the same archives in `dist/release`, and verifies it.
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
import { join } from "node:path"
import { build } from "./build.mjs"

const root = join(import.meta.dirname, "..")

const manifests = readdirSync(join(root, "packages"))
  .map((name) => JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8")))
  .filter((manifest) => manifest.private !== true)

const say = (text) => process.stdout.write(`${text}\n`)

const run = (command, args, cwd) =>
  execFileSync(command, args, { cwd, stdio: ["ignore", "inherit", "inherit"] })

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

/** The text of a file in an archive. */
const textIn = (file, path) =>
  execFileSync("tar", ["--extract", "--to-stdout", "--file", file, `package/${path}`], {
    encoding: "utf8"
  })

/** Packs every package and tells what each archive is. */
const pack = (folder) => {
  run(process.execPath, [join(root, "scripts/release/pack.mjs"), folder], root)
  return readdirSync(folder).map((name) => {
    const file = join(folder, name)
    return {
      file,
      manifest: JSON.parse(textIn(file, "package.json")),
      log: textIn(file, "CHANGELOG.md")
    }
  })
}

/** All archives have one version, and every changelog begins with it. */
const checkVersions = (archives) => {
  const [{ manifest }] = archives
  for (const { manifest: each, log } of archives) {
    if (each.version !== manifest.version) throw new Error(`${each.name} is ${each.version}`)
    if (/^## (.+)$/m.exec(log)?.[1] !== each.version)
      throw new Error(`the changelog of ${each.name} does not begin with ${each.version}`)
  }
  say(`${archives.length} packages packed as ${manifest.version}`)
}

/** Installs archives into a project of its own and uses each. */
const tryOut = (project, archives, others) => {
  mkdirSync(project)
  const names = archives.map(({ manifest }) => manifest.name)
  const own = Object.fromEntries(
    archives.map(({ file, manifest }) => [manifest.name, `file:${file}`])
  )
  const manifest = { private: true, type: "module", dependencies: { ...others, ...own } }
  writeFileSync(join(project, "package.json"), JSON.stringify(manifest, null, 2))
  const quiet = ["--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"]
  run("npm", ["install", ...quiet], project)
  say(`installed outside the workspace with effect@${others.effect}`)
  copyFileSync(join(root, "scripts/release/program.mjs"), join(project, "program.mjs"))
  run(process.execPath, ["program.mjs", ...names], project)
}

/** Makes the offline bundle of archives, and verifies it. */
const makeBundle = (packed) => {
  const destination = join(root, "dist/release")
  const script = (name) => join(root, "scripts/release", name)
  run(process.execPath, [script("bundle.mjs"), destination, "--packed", packed], root)
  run(process.execPath, [script("verify.mjs"), destination], root)
  for (const name of readdirSync(destination)) say(`dist/release/${name}`)
}

/** The peer dependencies of archives, as their manifests ask for them. */
const peersOf = (archives) =>
  Object.assign({}, ...archives.map(({ manifest }) => manifest.peerDependencies ?? {}))

const lowest = (ranges) =>
  Object.fromEntries(Object.entries(ranges).map(([name, range]) => [name, range.replace("^", "")]))

const folder = mkdtempSync(join(tmpdir(), "attestry-release-"))
try {
  checkChangesets()
  await build("--brotli")
  const packed = join(folder, "packed")
  mkdirSync(packed)
  const archives = pack(packed)
  checkVersions(archives)
  // The server brings its own Effect, in the newest version that its parts allow.
  const libraries = archives.filter(({ manifest }) => manifest.peerDependencies !== undefined)
  tryOut(join(folder, "newest"), archives, { effect: "3" })
  tryOut(join(folder, "lowest"), libraries, lowest(peersOf(libraries)))
  makeBundle(packed)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
