/**
 * `pnpm release:publish [--dry-run] [OPTION…]`: a release in one step.
 *
 * Applies the changesets and commits the new version, builds, packs, makes the bundle in `dist/release`, publishes every
 * package that the registry does not have in this version, pushes the tag, and attaches the bundle to a release on
 * GitHub. Other options go to `npm publish`; the workflow gives `--provenance`, which works only there. A release that
 * failed before its tag is repeated with the same command. With `--dry-run` nothing is committed, sent or tagged, and
 * reasons to refuse are only shown.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { build } from "../build.mjs"

const root = join(import.meta.dirname, "../..")
const options = process.argv.slice(2)
const isDryRun = options.includes("--dry-run")
const bundle = join(root, "dist/release")

const say = (text) => process.stdout.write(`${text}\n`)

const run = (command, ...args) =>
  execFileSync(command, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] })

const read = (command, ...args) => {
  const { status, stdout } = spawnSync(command, args, { cwd: root, encoding: "utf8" })
  return status === 0 ? stdout.trim() : ""
}

const script = (name, ...args) => run(process.execPath, join(import.meta.dirname, name), ...args)

const manifestIn = (file) =>
  JSON.parse(
    execFileSync("tar", ["--extract", "--to-stdout", "--file", file, "package/package.json"], {
      encoding: "utf8"
    })
  )

const version = () =>
  JSON.parse(readFileSync(join(root, "packages/core/package.json"), "utf8")).version

const waiting = () => readdirSync(join(root, ".changeset")).filter((file) => file.endsWith(".md"))

/** Whether npm trusts the workflow that runs this, so that nobody logs in. */
const isTrusted = () => process.env.ACTIONS_ID_TOKEN_REQUEST_URL !== undefined

const hasTag = (tag) =>
  read("git", "tag", "--list", tag) !== "" ||
  read("git", "ls-remote", "--tags", "origin", tag) !== ""

/** The reasons against a release of this tree. */
const refusals = () => {
  const branch = read("git", "rev-parse", "--abbrev-ref", "HEAD")
  return [
    read("git", "status", "--porcelain") === ""
      ? []
      : ["the tree has uncommitted changes: commit or remove them"],
    branch === "main" ? [] : [`the branch is ${branch}: releases are made from main`],
    waiting().length === 0 && hasTag(`v${version()}`)
      ? [`v${version()} is released already: there is no changeset for another version`]
      : [],
    isTrusted() || read("npm", "whoami") !== "" ? [] : ["npm knows no user: run `npm login`"]
  ].flat()
}

const refuse = (reasons) => {
  if (reasons.length === 0) return
  const prefix = isDryRun ? "would refuse: " : "release:publish: "
  process.stderr.write(reasons.map((reason) => `${prefix}${reason}\n`).join(""))
  if (!isDryRun) process.exit(1)
}

/** Gives the packages their next version, as a commit. */
const applyChangesets = () => {
  if (waiting().length === 0) return
  script("version.mjs")
  run("git", "add", "--all")
  run("git", "commit", "--quiet", "--message", `release: version ${version()}`)
}

/** Whether the registry has this version already, as after a release that failed half way. */
const isThere = ({ name, version: its }) => read("npm", "view", `${name}@${its}`, "version") !== ""

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

const publish = (archives) => {
  for (const { file, manifest } of inOrder(archives)) {
    const name = `${manifest.name}@${manifest.version}`
    if (isDryRun) say(`would publish ${name}`)
    else if (isThere(manifest)) say(`${name} is there`)
    else run("npm", "publish", file, "--access", "public", ...options)
  }
}

/** The part of the changelog about a version. */
const notesOf = (its) => {
  const [, ...releases] = readFileSync(join(root, "CHANGELOG.md"), "utf8").split(/\n(?=## )/)
  const found = releases.find((text) => text.startsWith(`## ${its}\n`)) ?? ""
  return found.slice(found.indexOf("\n")).trim()
}

/** Pushes the tags, and attaches the bundle to a release on GitHub. Pipelines name the action by its major version. */
const announce = (tag, notes) => {
  const [major] = tag.split(".")
  run("git", "tag", "--annotate", tag, "--message", `Attestry ${tag.slice(1)}`)
  run("git", "tag", "--force", major, `${tag}^{}`)
  run("git", "push", "--quiet", "origin", "HEAD:main", tag)
  run("git", "push", "--quiet", "--force", "origin", major)
  const files = readdirSync(bundle).map((name) => join(bundle, name))
  const args = ["release", "create", tag, "--title", tag, "--notes-file", notes, ...files]
  const { status } = spawnSync("gh", args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] })
  if (status === 0) return
  say(
    `${tag} is published. Attach the bundle yourself:\n  gh ${args.slice(0, 5).join(" ")} dist/release/*`
  )
  process.exitCode = 1
}

refuse(refusals())
const folder = mkdtempSync(join(tmpdir(), "attestry-publish-"))
try {
  if (!isDryRun) applyChangesets()
  await build("--brotli")
  script("pack.mjs", folder)
  const archives = readdirSync(folder).map((name) => {
    const file = join(folder, name)
    return { file, manifest: manifestIn(file) }
  })
  const [{ manifest }] = archives
  const tag = `v${manifest.version}`
  script("bundle.mjs", bundle, "--packed", folder)
  script("verify.mjs", bundle)
  publish(archives)
  if (isDryRun) {
    for (const name of readdirSync(bundle)) say(`would attach ${name}`)
    say(`would push the tag ${tag}`)
  } else {
    const notes = join(folder, "notes.md")
    writeFileSync(notes, notesOf(manifest.version))
    announce(tag, notes)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
