/**
 * Whether a build would change nothing, from the file that the last one left: `inputs` with a `digest` of their
 * contents and a `stamp` of their sizes and times.
 *
 * WHY both: a stamp is known without reading a file, and a checkout may give equal files other times.
 */
import { createHash } from "node:crypto"
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const hashOf = (kind, inputs, add) => {
  const hash = createHash("sha256").update(kind)
  for (const input of inputs) add(hash.update(`\n${input}\n`), input)
  return hash.digest("hex")
}

/** A digest of the contents of files below `root`, and of the kind of the build. */
export const digestOf = ({ root, kind, inputs }) =>
  hashOf(kind, inputs, (hash, input) => {
    const file = join(root, input)
    hash.update(existsSync(file) ? readFileSync(file) : "missing")
  })

/** A digest of the sizes and times of the same files. */
export const stampOf = ({ root, kind, inputs }) =>
  hashOf(kind, inputs, (hash, input) => {
    const found = statSync(join(root, input), { throwIfNoEntry: false })
    hash.update(found === undefined ? "missing" : `${found.size} ${found.mtimeMs}`)
  })

/** Whether the inputs of the last build are as they were. */
export const isUnchanged = ({ root, kind, stateFile }) => {
  if (!existsSync(stateFile)) return false
  const state = JSON.parse(readFileSync(stateFile, "utf8"))
  const of = { root, kind, inputs: state.inputs }
  const stamp = stampOf(of)
  if (state.stamp === stamp) return true
  if (state.digest !== digestOf(of)) return false
  // WHY renamed: another build may read the file meanwhile.
  writeFileSync(`${stateFile}.${process.pid}`, JSON.stringify({ ...state, stamp }))
  renameSync(`${stateFile}.${process.pid}`, stateFile)
  return true
}

/** What a build leaves for the next one. */
export const stateOf = (of) => ({
  inputs: of.inputs,
  digest: digestOf(of),
  stamp: stampOf(of)
})
