/**
 * `pnpm install:cli [--prefix FOLDER] [--packed FOLDER]`: builds the programs `attestry` and `attestry-server` from this clone and installs
 * them with `npm install --global`; `npm uninstall --global @attestry/cli @attestry/server` removes them.
 *
 * With `--packed` it installs archives that `pack.mjs` has made.
 *
 * WHY the server is packed once more, with its dependencies: npm would ask the registry for those of this workspace.
 */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { build } from "../build.mjs"
import { copyTree, layOut, unpackOwn } from "./tree.mjs"

const { values } = parseArgs({
  options: { packed: { type: "string" }, prefix: { type: "string" } }
})

const run = (command, ...args) =>
  execFileSync(command, args, { stdio: ["ignore", "inherit", "inherit"] })

/** What packages of a platform are called here. */
const HERE = { os: process.platform, cpu: process.arch, libc: "glibc" }

/** An archive of the server that contains all packages that it needs, in the versions of the lockfile. */
const packServer = (own, folder) => {
  const name = "@attestry/server"
  const all = layOut({ own, names: [name], platform: HERE, scratch: folder })
  const packages = all.filter(({ manifest }) => manifest.name !== name)
  const server = own.get(name)
  const place = join(folder, "package")
  copyTree([{ ...server, place: "" }], place)
  copyTree(packages, place)
  const bundled = packages.filter((each) => !each.place.includes("/node_modules/"))
  const manifest = {
    ...server.manifest,
    bundleDependencies: bundled.map((each) => each.manifest.name)
  }
  writeFileSync(join(place, "package.json"), JSON.stringify(manifest, null, 2))
  const file = join(folder, "attestry-server.tgz")
  execFileSync("tar", ["--use-compress-program=gzip -1", "-cf", file, "-C", folder, "package"])
  return file
}

const pack = async (packed) => {
  await build()
  mkdirSync(packed)
  run(process.execPath, join(import.meta.dirname, "pack.mjs"), packed)
  return packed
}

const folder = mkdtempSync(join(tmpdir(), "attestry-install-"))
try {
  const packed = values.packed ?? (await pack(join(folder, "packed")))
  const own = unpackOwn(packed, join(folder, "own"))
  const archives = [own.get("@attestry/cli").archive, packServer(own, folder)]
  const where = values.prefix === undefined ? [] : ["--prefix", values.prefix]
  run("npm", "install", "--global", "--no-audit", "--no-fund", ...where, ...archives)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
