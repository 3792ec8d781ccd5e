/**
 * Archives of the npm registry, each checked against a digest that is known beforehand, and kept in `dist/downloads`.
 *
 * WHY `npm pack`: it uses the registry, the proxy and the credentials of the person who releases.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync
} from "node:fs"
import { join } from "node:path"

const cache = join(import.meta.dirname, "../../dist/downloads")

const integrityOf = (file) =>
  `sha512-${createHash("sha512").update(readFileSync(file)).digest("base64")}`

const isKept = (file, integrity) => existsSync(file) && integrityOf(file) === integrity

const pack = (of, folder) => {
  try {
    execFileSync("npm", ["pack", of, "--silent", "--pack-destination", folder], {
      cwd: folder,
      stdio: ["ignore", "ignore", "inherit"]
    })
  } catch {
    throw new Error(`cannot download ${of} from the npm registry`)
  }
}

/** The file of a package in a version; throws if its digest is another one. */
export const download = ({ name, version, integrity }) => {
  const file = join(cache, `${name.replace("/", "+")}-${version}.tgz`)
  if (isKept(file, integrity)) return file
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, "partial-"))
  try {
    pack(`${name}@${version}`, folder)
    const [packed] = readdirSync(folder)
    const found = integrityOf(join(folder, packed))
    if (found !== integrity)
      throw new Error(`${name}@${version} is ${found}, and should be ${integrity}`)
    // WHY renamed: another build may download the same file at the same time.
    renameSync(join(folder, packed), file)
    return file
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Unpacks an archive of npm into a folder, or only some of its paths. */
export const unpack = (file, folder, paths = []) => {
  mkdirSync(folder, { recursive: true })
  const members = paths.map((path) => `package/${path}`)
  execFileSync("tar", ["-xzf", file, "-C", folder, "--strip-components=1", ...members])
}
