/**
 * `node scripts/trust-root.mjs FOLDER DATE`: takes the public-good trust root of Sigstore out of the unpacked package
 * `@sigstore/tuf` in a folder, published on a date, into `packages/evidence-intake/roots`.
 *
 * WHY not a dependency: it brings a network client, and one file of it is needed.
 */
import { createHash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const NAME = "@sigstore/tuf"

const [, , folder = "", published = ""] = process.argv
if (!/^\d{4}-\d{2}-\d{2}$/.test(published))
  throw new Error("use: node scripts/trust-root.mjs FOLDER DATE")

const read = (file) => JSON.parse(readFileSync(join(folder, file), "utf8"))
const { license, name, version } = read("package.json")
if (name !== NAME) throw new Error(`${folder} has ${name}, not ${NAME}`)
const [seed] = Object.values(read("seeds.json"))
const bytes = Buffer.from(seed.targets["trusted_root.json"], "base64")
const source = {
  package: name,
  version,
  published,
  license,
  sha256: createHash("sha256").update(bytes).digest("hex")
}

const roots = join(import.meta.dirname, "../packages/evidence-intake/roots")
writeFileSync(join(roots, "public-good.json"), bytes)
writeFileSync(
  join(roots, "sources.json"),
  `${JSON.stringify({ "public-good": source }, null, 2)}\n`
)
