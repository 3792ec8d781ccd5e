/**
 * The fingerprint of type `dir` over keys that look like paths, as if they were files in a folder; see
 * `DirectoryFingerprint`. Pure.
 */
import { createHash } from "node:crypto"

type Node = Map<string, Node | string>

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

const insert = (root: Node, key: string, content: string): void => {
  const names = key.split("/")
  const last = names.pop() ?? ""
  let node = root
  for (const name of names) {
    const found = node.get(name)
    const next: Node = found instanceof Map ? found : new Map()
    if (next !== found) node.set(name, next)
    node = next
  }
  // WHY: a key that ends with a slash is the folder itself, which already exists in the tree.
  if (last !== "" && !(node.get(last) instanceof Map)) node.set(last, content)
}

const byBytes = ([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number =>
  Buffer.compare(Buffer.from(left), Buffer.from(right))

/** The fingerprint of contents by key; each content is a SHA-256 in hexadecimal. */
export const digestOf = (contents: ReadonlyMap<string, string>): string => {
  const root: Node = new Map()
  for (const [key, content] of contents) insert(root, key, content)
  const hash = createHash("sha256")
  const visit = (node: Node): void => {
    for (const [name, member] of [...node].sort(byBytes)) {
      hash.update(sha256(name))
      if (typeof member === "string") hash.update(member)
      else visit(member)
    }
  }
  visit(root)
  return hash.digest("hex")
}
