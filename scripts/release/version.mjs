/**
 * `pnpm release:version`: gives all packages the version of the next release, and adds the texts of the changesets to
 * CHANGELOG.md, newest release first. Files that name the version get the new one. Without changesets it changes nothing.
 *
 * WHY one changelog: all packages share one version, and a user reads one text. Archives of packages contain a copy.
 */
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "../..")
const changelog = join(root, "CHANGELOG.md")

/** Files that name the version of the release. */
const NAMING = [
  "deploy/Dockerfile",
  "deploy/cli.Dockerfile",
  "deploy/compose.yaml",
  "docs/INSTALLING.md"
]

/** The texts of the changesets, in the order of their file names. */
const texts = () =>
  readdirSync(join(root, ".changeset"))
    .filter((file) => file.endsWith(".md"))
    .sort()
    .map((file) => readFileSync(join(root, ".changeset", file), "utf8"))
    .map((text) => text.replace(/^---\n[\s\S]*?\n---\n/, "").trim())

const version = () =>
  JSON.parse(readFileSync(join(root, "packages/core/package.json"), "utf8")).version

const added = texts()
if (added.length > 0) {
  const before = version()
  execFileSync(process.execPath, [join(root, "node_modules/@changesets/cli/bin.js"), "version"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"]
  })
  const [title, ...releases] = readFileSync(changelog, "utf8").split(/\n(?=## )/)
  const section = `## ${version()}\n\n${added.join("\n\n")}\n`
  writeFileSync(changelog, [title, section, ...releases].join("\n"))
  for (const name of NAMING) {
    const text = readFileSync(join(root, name), "utf8")
    writeFileSync(join(root, name), text.replaceAll(before, version()))
  }
  execFileSync(process.execPath, [join(root, "scripts/chart.mjs"), "--version"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"]
  })
}
