/** Packages as they would be published: packed by the package manager, read from the archive. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createPackageFromTarballData, type Package } from "@arethetypeswrong/core"
import * as Repository from "../shared/Repository.js"

/** An archive: its bytes, and the paths and texts inside it. */
export interface Tarball {
  readonly name: string
  readonly bytes: Uint8Array
  readonly contents: Package
  /** The paths inside, relative to the package. */
  readonly paths: ReadonlyArray<string>
}

/** Every folder that a path lies in, from the root on. */
const foldersOf = (path: string): ReadonlyArray<string> =>
  path.split("/").map((_, index, segments) => segments.slice(0, index).join("/"))

/** Reads an archive. */
export const open = (bytes: Uint8Array): Tarball => {
  const contents = createPackageFromTarballData(bytes)
  const folders = new Set(contents.listFiles().flatMap(foldersOf))
  // WHY: the check asks this hundreds of thousands of times, and the original looks through every file.
  contents.directoryExists = (path) => folders.has(path.replace(/\/$/, ""))
  const prefix = `/node_modules/${contents.packageName}/`
  return {
    name: contents.packageName,
    bytes,
    contents,
    paths: contents
      .listFiles()
      .filter((path) => path.startsWith(prefix))
      .map((path) => path.slice(prefix.length))
      .sort()
  }
}

/** Packs every published package as the next release would have it; the build must be there already. */
export const packAll = (): ReadonlyArray<Tarball> => {
  const folder = mkdtempSync(join(tmpdir(), "attestry-pack-"))
  try {
    const script = join(Repository.root, "scripts/release/pack.mjs")
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, folder], {
      encoding: "utf8"
    })
    if (status !== 0) throw new Error(`packing ended with ${status}: ${stdout}${stderr}`)
    return readdirSync(folder)
      .sort()
      .map((file) => open(readFileSync(join(folder, file))))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
