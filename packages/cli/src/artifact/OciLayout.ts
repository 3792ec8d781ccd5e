/**
 * The digest of an image in an OCI layout, which is a folder or a tar. A push of the same bytes gets the same digest,
 * so an image has its fingerprint before it is pushed.
 */
import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from "node:fs"
import { join } from "node:path"
import { unreadable } from "../shared/CommandFailure.js"
import { isObject } from "../shared/Json.js"

const BLOCK = 512
const DOCUMENT_BYTES_MAX = 4_194_304

const fieldOf = (header: Buffer, start: number, length: number): string => {
  const field = header.subarray(start, start + length)
  const end = field.indexOf(0)
  return field.subarray(0, end < 0 ? length : end).toString("utf8")
}

const sizeOf = (header: Buffer): number => {
  const first = header[124] ?? 0
  if ((first & 0x80) === 0) return Number.parseInt(fieldOf(header, 124, 12).trim() || "0", 8)
  return Number(header.readBigUInt64BE(128))
}

/** The requested files of a tar, by name without `./`. */
const filesOf = (path: string, names: ReadonlyArray<string>): ReadonlyMap<string, Buffer> => {
  const files = new Map<string, Buffer>()
  const header = Buffer.alloc(BLOCK)
  const file = openSync(path, "r")
  try {
    for (let at = 0; ; ) {
      if (readSync(file, header, 0, BLOCK, at) < BLOCK || header.every((byte) => byte === 0)) break
      if (fieldOf(header, 257, 5) !== "ustar") throw unreadable(`${path} is no tar archive`)
      const name = fieldOf(header, 0, 100).replace(/^\.\//, "")
      const size = sizeOf(header)
      if (!Number.isSafeInteger(size)) throw unreadable(`${path} is a damaged tar archive`)
      if (names.includes(name) && size <= DOCUMENT_BYTES_MAX) {
        const content = Buffer.alloc(size)
        readSync(file, content, 0, size, at + BLOCK)
        files.set(name, content)
      }
      at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
    }
  } finally {
    closeSync(file)
  }
  return files
}

interface Layout {
  readonly index: Buffer | undefined
  readonly hasManifest: boolean
}

const layoutOf = (path: string): Layout => {
  if (statSync(path).isDirectory()) {
    const index = join(path, "index.json")
    return {
      index: existsSync(index) ? readFileSync(index) : undefined,
      hasManifest: existsSync(join(path, "manifest.json"))
    }
  }
  const files = filesOf(path, ["index.json", "manifest.json"])
  return { index: files.get("index.json"), hasManifest: files.has("manifest.json") }
}

interface Entry {
  readonly digest: string
  readonly names: ReadonlyArray<string>
}

const REF_NAMES = ["org.opencontainers.image.ref.name", "io.containerd.image.name"]

const entryOf = (manifest: unknown): ReadonlyArray<Entry> => {
  if (!isObject(manifest) || typeof manifest.digest !== "string") return []
  const annotations = isObject(manifest.annotations) ? manifest.annotations : {}
  const names = REF_NAMES.map((name) => annotations[name])
  return [{ digest: manifest.digest, names: names.filter((name) => typeof name === "string") }]
}

const entriesOf = (path: string, index: Buffer): ReadonlyArray<Entry> => {
  try {
    const value: unknown = JSON.parse(index.toString("utf8"))
    const manifests = isObject(value) && Array.isArray(value.manifests) ? value.manifests : []
    return manifests.flatMap(entryOf)
  } catch (cause) {
    throw unreadable(`${path}: index.json is no JSON`, undefined, cause)
  }
}

const chosen = (entries: ReadonlyArray<Entry>, tag: string | undefined): ReadonlyArray<Entry> => {
  if (tag === undefined) return entries
  return entries.filter(({ names }) =>
    names.some((name) => name === tag || name.endsWith(`:${tag}`))
  )
}

/** The fingerprint of the image in a layout; a tag selects one of several. */
export const fingerprintOf = (path: string, tag: string | undefined): string => {
  const { index, hasManifest } = layoutOf(path)
  if (index === undefined)
    throw unreadable(
      hasManifest
        ? `${path} is an archive of an older docker, which has no digests of images`
        : `${path} is no OCI layout: it has no index.json`,
      "build one with: docker buildx build --output type=oci,dest=image.tar"
    )
  const entries = entriesOf(path, index)
  const [only, ...others] = chosen(entries, tag)
  const known = entries.flatMap(({ names }) => names).join(", ")
  if (only === undefined)
    throw unreadable(`${path} holds no image${tag === undefined ? "" : ` with the tag ${tag}`}`)
  if (new Set([only, ...others].map(({ digest }) => digest)).size > 1)
    throw unreadable(`${path} holds several images: ${known}`, "name one: PATH:TAG")
  const [, fingerprint] = /^sha256:([0-9a-f]{64})$/.exec(only.digest) ?? []
  if (fingerprint === undefined) throw unreadable(`${path}: ${only.digest} is no SHA-256`)
  return fingerprint
}
