/**
 * `node scripts/release/bundle.mjs FOLDER [--build] [--packed FOLDER] [--platform NAME]`: the offline bundle of the next release.
 *
 * Writes an archive for each platform with the server, the command line, the pages, PostgreSQL and Node; beside it a
 * bill of materials, a provenance statement and SHA256SUMS. The same commit gives the same archives. With
 * ATTESTRY_RELEASE_KEY_FILE, an Ed25519 key in PEM, the statement is signed too. Without `--build`, `pnpm build` must have run.
 */
import { execFileSync } from "node:child_process"
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { build } from "../build.mjs"
import { download, unpack } from "./download.mjs"
import { NODE_VERSION, PLATFORMS } from "./platforms.mjs"
import { envelopeOf, sha256Of, statementOf } from "./provenance.mjs"
import { sbomOf } from "./sbom.mjs"
import { copyTree, layOut, unpackOwn } from "./tree.mjs"

const root = join(import.meta.dirname, "../..")

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { build: { type: "boolean" }, packed: { type: "string" }, platform: { type: "string" } }
})
const [destination] = positionals.map((folder) => resolve(folder))
if (destination === undefined) throw new Error("name the folder for the archives")

/** The packages of which a user runs a program. */
const PROGRAMS = ["@attestry/cli", "@attestry/server"]

/** Seconds that all files have as their time: those of the commit, unless given. */
const epoch = Number(
  process.env.SOURCE_DATE_EPOCH ??
    execFileSync("git", ["log", "-1", "--format=%ct"], { cwd: root, encoding: "utf8" })
)

const packInto = (folder) => {
  mkdirSync(folder)
  execFileSync(process.execPath, [join(import.meta.dirname, "pack.mjs"), folder], {
    stdio: ["ignore", "inherit", "inherit"]
  })
  return folder
}

/** Writes a folder as an archive whose bytes depend only on names, contents and executable bits. */
const archive = (folder, name, file) => {
  const fixed = ["--sort=name", "--format=gnu", `--mtime=@${epoch}`, "--mode=a=rX,u+w"]
  const owner = ["--owner=0", "--group=0", "--numeric-owner"]
  const compressed = ["--use-compress-program=gzip --no-name"]
  const from = ["--create", `--file=${file}`, `--directory=${folder}`, name]
  execFileSync("tar", [...fixed, ...owner, ...compressed, ...from], {
    // WHY: these two would change the archive.
    env: { ...process.env, TAR_OPTIONS: "", GZIP: "" }
  })
}

/** Puts the files of a platform below a folder, and gives the bill of its materials. */
const fill = (folder, { own, version, platform, scratch }) => {
  cpSync(join(import.meta.dirname, "bundle"), folder, { recursive: true })
  for (const name of ["LICENSE", "CHANGELOG.md"])
    copyFileSync(join(own.get("@attestry/cli").folder, name), join(folder, name))
  const node = { name: `node-${platform.name}`, version: NODE_VERSION }
  const paths = ["bin/node", "LICENSE"]
  unpack(download({ ...node, integrity: platform.nodeIntegrity }), join(folder, "node"), paths)
  const packages = layOut({ own, names: PROGRAMS, platform, scratch })
  copyTree(packages, join(folder, "lib"))
  const sbom = sbomOf({ version, platform, packages, epoch })
  writeFileSync(join(folder, "sbom.cdx.json"), sbom)
  return sbom
}

const make = (platform, { own, version, scratch }) => {
  const staging = mkdtempSync(join(scratch, "staging-"))
  const name = `attestry-${version}`
  const sbom = fill(join(staging, name), { own, version, platform, scratch })
  const file = join(destination, `${name}-${platform.name}.tar.gz`)
  archive(staging, name, file)
  const bill = join(destination, `${name}-${platform.name}.cdx.json`)
  writeFileSync(bill, sbom)
  return [file, bill]
}

/** Writes the provenance of files, signed if there is a key. */
const state = (version, files) => {
  const statement = statementOf({ version, files, epoch })
  const name = join(destination, `attestry-${version}.provenance`)
  writeFileSync(`${name}.json`, statement)
  const { ATTESTRY_RELEASE_KEY_FILE: key } = process.env
  if (key === undefined) return
  writeFileSync(`${name}.dsse.json`, envelopeOf(statement, readFileSync(key, "utf8")))
}

const scratch = mkdtempSync(join(tmpdir(), "attestry-bundle-"))
try {
  rmSync(destination, { recursive: true, force: true })
  mkdirSync(destination, { recursive: true })
  if (values.build) await build("--brotli")
  const packed = values.packed ?? packInto(join(scratch, "packed"))
  const own = unpackOwn(packed, join(scratch, "own"))
  const { version } = own.get("@attestry/server").manifest
  const files = PLATFORMS.filter(
    ({ name }) => values.platform === undefined || values.platform === name
  ).flatMap((platform) => make(platform, { own, version, scratch }))
  state(version, files)
  const sums = readdirSync(destination)
    .sort()
    .map((name) => `${sha256Of(join(destination, name))}  ${name}\n`)
  writeFileSync(join(destination, "SHA256SUMS"), sums.join(""))
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
