/**
 * `node scripts/release/pack.mjs FOLDER`: the archives of the next release, in a folder.
 *
 * Versions and the changelog are made by changesets in a copy of the workspace, so the tree is left as it is; without
 * changesets the archives have the versions of the manifests. `pnpm build` must have run. Needs no network.
 */
import { execFileSync } from "node:child_process"
import {
  copyFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, join, resolve } from "node:path"

const root = join(import.meta.dirname, "../..")
const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error("name the folder for the archives")
const destination = resolve(folder)

/** What changesets and the package manager read, beside the packages. */
const FILES = [
  ".changeset",
  "CHANGELOG.md",
  "LICENSE",
  "bench/package.json",
  "deploy",
  "docs/INSTALLING.md",
  "package.json",
  "pnpm-lock.yaml",
  "pnpm-workspace.yaml",
  "scripts/inputs.mjs",
  "scripts/release/version.mjs",
  ...readdirSync(join(root, "examples")).map((name) => `examples/${name}/package.json`)
]

/** The package manager that runs this, or else the one that `npx` finds. */
const packer = () => {
  const running = process.env.npm_execpath ?? ""
  if (!basename(running).startsWith("pnpm")) return ["npx", "-y", "pnpm"]
  return /\.[cm]?js$/.test(running) ? [process.execPath, running] : [running]
}

const quietly = (cwd, command, ...args) =>
  execFileSync(command, args, { cwd, stdio: ["ignore", "ignore", "inherit"] })

/** A copy of the workspace with the installed packages of the original; links of packages to each other stay inside. */
const copyTo = (copy) => {
  const options = { recursive: true, verbatimSymlinks: true }
  for (const path of ["packages", ...FILES]) cpSync(join(root, path), join(copy, path), options)
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"))
}

/** Changesets ask git which commit added a note. */
const commit = (copy) => {
  const settings = [
    "user.name=rehearsal",
    "user.email=rehearsal@example.org",
    "commit.gpgsign=false"
  ]
  const git = (...args) =>
    quietly(copy, "git", ...settings.flatMap((each) => ["-c", each]), ...args)
  git("init", "--quiet", "--initial-branch", "main")
  git("add", ".changeset", "package.json")
  git("commit", "--quiet", "--message", "rehearsal")
}

/** The packages that are published, by name, each with a copy of the changelog. */
const published = (copy) =>
  readdirSync(join(copy, "packages"))
    .map((name) => join(copy, "packages", name))
    .map((folder) => ({
      folder,
      manifest: JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
    }))
    .filter(({ manifest }) => manifest.private !== true)
    .map(({ folder, manifest }) => {
      copyFileSync(join(copy, "CHANGELOG.md"), join(folder, "CHANGELOG.md"))
      return manifest.name
    })

const copy = mkdtempSync(join(tmpdir(), "attestry-rehearsal-"))
try {
  copyTo(copy)
  commit(copy)
  quietly(copy, process.execPath, "scripts/release/version.mjs")
  // The program contains its version; a build for the same version changes nothing.
  quietly(copy, process.execPath, "packages/cli/build/build.mjs")
  const filters = published(copy).flatMap((name) => ["--filter", name])
  quietly(copy, ...packer(), ...filters, "pack", "--pack-destination", destination)
} finally {
  rmSync(copy, { recursive: true, force: true })
}
