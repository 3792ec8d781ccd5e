/**
 * Reads a tar archive in chunks of any size, and keeps the size and the SHA-256 of each member. Contents are not kept,
 * apart from the one member whose text is wanted.
 *
 * It reads what an audit package has: the ustar format, with `path` and `size` of extended headers.
 */
import { createHash, type Hash } from "node:crypto"

/** A member of an archive. */
export interface Member {
  readonly name: string
  readonly size: number
  /** In hexadecimal. */
  readonly sha256: string
}

/** The maximum length of a text that is kept: an extended header, or the wanted member. */
export const TEXT_BYTES_MAX = 67_108_864

const BLOCK = 512
const NAME_END = 100
const TYPE_AT = 156

interface Current {
  readonly name: string
  readonly size: number
  readonly isExtended: boolean
  readonly hash: Hash
  readonly kept: Array<Uint8Array> | undefined
  left: number
  padding: number
}

const textAt = (block: Uint8Array, from: number, to: number): string =>
  new TextDecoder().decode(block.subarray(from, to)).replace(/\0[\s\S]*$/, "")

/** The records of an extended header: `LENGTH KEY=VALUE\n`, whose length counts bytes. */
const recordsOf = (bytes: Uint8Array): ReadonlyMap<string, string> => {
  const records = new Map<string, string>()
  for (let at = 0; at < bytes.length; ) {
    const [digits = ""] = /^\d+ /.exec(textAt(bytes, at, at + 20)) ?? []
    const length = Number(digits)
    if (!(length > digits.length) || at + length > bytes.length)
      throw new Error("an extended header is damaged")
    const record = textAt(bytes, at + digits.length, at + length - 1)
    const sign = record.indexOf("=")
    records.set(record.slice(0, sign), record.slice(sign + 1))
    at += length
  }
  return records
}

const sumOf = (block: Uint8Array): number =>
  block.reduce((sum, byte, at) => sum + (at >= 148 && at < TYPE_AT ? 32 : byte), 0)

/** A reader that is given an archive chunk by chunk; it throws an `Error` for bytes that are no such archive. */
export class TarDigests {
  readonly members: Array<Member> = []
  readonly #wanted: string
  #text: string | undefined
  #header = new Uint8Array(0)
  #current: Current | undefined
  #extended: ReadonlyMap<string, string> = new Map()
  #zeros = 0

  constructor(wanted: string) {
    this.#wanted = wanted
  }

  /** The text of the wanted member; undefined if the archive has none. */
  get text(): string | undefined {
    return this.#text
  }

  /** Whether the archive has its end. */
  get isEnded(): boolean {
    return this.#zeros >= 2 && this.#current === undefined && this.#header.length === 0
  }

  /** Reads the next bytes. */
  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const current = this.#current
      at +=
        current === undefined
          ? this.#readHeader(bytes.subarray(at))
          : this.#readContent(current, bytes.subarray(at))
    }
  }

  #readHeader(bytes: Uint8Array): number {
    const taken = bytes.subarray(0, BLOCK - this.#header.length)
    this.#header = Buffer.concat([this.#header, taken])
    if (this.#header.length === BLOCK) {
      this.#begin(this.#header)
      this.#header = new Uint8Array(0)
    }
    return taken.length
  }

  #begin(block: Uint8Array): void {
    if (block.every((byte) => byte === 0)) {
      this.#zeros++
      return
    }
    if (this.#zeros > 0) throw new Error("there is a member after the end")
    if (Number.parseInt(textAt(block, 148, TYPE_AT), 8) !== sumOf(block))
      throw new Error("a header is damaged")
    const type = textAt(block, TYPE_AT, TYPE_AT + 1)
    if (type !== "0" && type !== "x") throw new Error(`a member has the type ${type}`)
    const isExtended = type === "x"
    const name = this.#extended.get("path") ?? textAt(block, 0, NAME_END)
    const size = Number(this.#extended.get("size") ?? Number.parseInt(textAt(block, 124, 136), 8))
    if (!Number.isSafeInteger(size) || size < 0) throw new Error("a size is no number")
    const isKept = isExtended || name === this.#wanted
    if (isKept && size > TEXT_BYTES_MAX) throw new Error(`\`${name}\` is too large`)
    this.#current = {
      name,
      size,
      isExtended,
      hash: createHash("sha256"),
      kept: isKept ? [] : undefined,
      left: size,
      padding: (BLOCK - (size % BLOCK)) % BLOCK
    }
    if (size === 0) this.#end(this.#current)
  }

  #readContent(current: Current, bytes: Uint8Array): number {
    const content = bytes.subarray(0, current.left)
    current.left -= content.length
    current.hash.update(content)
    current.kept?.push(Uint8Array.from(content))
    const padding = current.left > 0 ? 0 : Math.min(current.padding, bytes.length - content.length)
    current.padding -= padding
    if (current.left === 0 && current.padding === 0) this.#end(current)
    return content.length + padding
  }

  #end({ name, size, isExtended, hash, kept }: Current): void {
    this.#current = undefined
    const whole = kept === undefined ? undefined : Buffer.concat(kept)
    if (isExtended) {
      this.#extended = recordsOf(whole ?? new Uint8Array(0))
      return
    }
    this.#extended = new Map()
    this.members.push({ name, size, sha256: hash.digest("hex") })
    if (whole !== undefined) this.#text = whole.toString("utf8")
  }
}
