/**
 * `pnpm release:publish [OPTION…]`: publishes every package whose version the registry does not have, and tags it.
 *
 * Options go to `npm publish`; the workflow gives `--provenance`, which works only there. With `--dry-run` npm sends
 * nothing and there are no tags. Refuses while changesets wait, because their versions are not in the manifests.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { build } from "../build.mjs"

const root = join(import.meta.dirname, "../..")
const options = process.argv.slice(2)

const run = (command, ...args) =>
  execFileSync(command, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] })

const manifestIn = (file) =>
  JSON.parse(
    execFileSync("tar", ["--extract", "--to-stdout", "--file", file, "package/package.json"], {
      encoding: "utf8"
    })
  )

/** Whether the registry has this version already, as after a release that failed half way. */
const isThere = ({ name, version }) =>
  spawnSync("npm", ["view", `${name}@${version}`, "version"], {
    encoding: "utf8"
  }).stdout.trim() !== ""

/** Archives in an order in which each package comes after those that it needs. */
const inOrder = (archives) => {
  const left = new Map(archives.map((archive) => [archive.manifest.name, archive]))
  const sorted = []
  const visit = (archive) => {
    if (archive === undefined || !left.delete(archive.manifest.name)) return
    for (const name of Object.keys(archive.manifest.dependencies ?? {})) visit(left.get(name))
    sorted.push(archive)
  }
  for (const archive of archives) visit(archive)
  return sorted
}

const waiting = readdirSync(join(root, ".changeset")).filter((file) => file.endsWith(".md"))
if (waiting.length > 0) throw new Error(`changesets wait: ${waiting.join(", ")}`)

const folder = mkdtempSync(join(tmpdir(), "attestry-publish-"))
try {
  await build("--brotli")
  run(process.execPath, join(import.meta.dirname, "pack.mjs"), folder)
  const archives = readdirSync(folder).map((name) => {
    const file = join(folder, name)
    return { file, manifest: manifestIn(file) }
  })
  for (const { file, manifest } of inOrder(archives)) {
    if (isThere(manifest)) process.stdout.write(`${manifest.name}@${manifest.version} is there\n`)
    else run("npm", "publish", file, "--access", "public", ...options)
  }
  if (!options.includes("--dry-run")) run(join(root, "node_modules/.bin/changeset"), "tag")
} finally {
  rmSync(folder, { recursive: true, force: true })
}
