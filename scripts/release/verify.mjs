/**
 * `node scripts/release/verify.mjs FOLDER [--key FILE]`: compares the files of a release with SHA256SUMS and with its
 * provenance statement; with an Ed25519 public key in PEM, also checks the signature of the statement.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { opened, sha256Of } from "./provenance.mjs"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { key: { type: "string" } }
})
const [folder = "."] = positionals

const fail = (text) => {
  process.stderr.write(`verify: ${text}\n`)
  process.exit(1)
}

const read = (name) => readFileSync(join(folder, name), "utf8")

const check = (name, expected) => {
  const found = sha256Of(join(folder, name))
  if (found !== expected) fail(`${name} is ${found}, and should be ${expected}`)
}

const sums = read("SHA256SUMS").trimEnd().split("\n")
for (const line of sums) {
  const [digest, name] = line.split("  ")
  check(name, digest)
}
const names = readdirSync(folder)
const statement = names.find((name) => name.endsWith(".provenance.json"))
if (statement === undefined) fail("there is no provenance statement")
const { subject, predicate } = JSON.parse(read(statement))
for (const { name, digest } of subject) check(name, digest.sha256)
const unnamed = names.filter(
  (name) => name.endsWith(".tar.gz") && !subject.some((each) => each.name === name)
)
if (unnamed.length > 0) fail(`the statement does not name ${unnamed.join(", ")}`)
if (values.key !== undefined) {
  const envelope = statement.replace(".provenance.json", ".provenance.dsse.json")
  if (!names.includes(envelope)) fail("the statement is not signed")
  try {
    const signed = opened(read(envelope), readFileSync(values.key, "utf8"))
    if (signed !== read(statement)) fail(`${envelope} contains another statement`)
  } catch (cause) {
    fail(cause.message)
  }
}
const [source] = predicate.buildDefinition.resolvedDependencies
process.stdout.write(
  `${sums.length} digests and ${subject.length} subjects are right; built from commit ${source.digest.gitCommit}` +
    `${source.annotations.uncommittedChanges ? " with uncommitted changes" : ""}\n` +
    `signature: ${values.key === undefined ? "not checked, because no key was given" : "right"}\n`
)
