/** Writes a WebAssembly binary: bytes, numbers and names, in one growing buffer. */

/** An unsigned number of at most 32 bits. */
export const u32 = (value: number): ReadonlyArray<number> => {
  const bytes: Array<number> = []
  let rest = value
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) + 0x80)
    rest = Math.floor(rest / 0x80)
  }
  return [...bytes, rest]
}

/** A number with a sign that fits into 53 bits. */
export const signed = (value: number): ReadonlyArray<number> => {
  const bytes: Array<number> = []
  let rest = value
  while (rest < -64 || rest > 63) {
    const low = ((rest % 0x80) + 0x80) % 0x80
    bytes.push(low + 0x80)
    rest = (rest - low) / 0x80
  }
  return [...bytes, rest < 0 ? rest + 0x80 : rest]
}

/** A short name of ASCII letters. */
export const name = (text: string): ReadonlyArray<number> => [
  ...u32(text.length),
  ...[...text].map((letter) => letter.charCodeAt(0))
]

/** A buffer that grows. */
export class ByteWriter {
  private bytes = new Uint8Array(1024)
  private length = 0

  push(more: ArrayLike<number>): this {
    const needed = this.length + more.length
    if (needed > this.bytes.length) {
      const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2))
      grown.set(this.bytes)
      this.bytes = grown
    }
    this.bytes.set(more, this.length)
    this.length = needed
    return this
  }

  /** Bytes with their length before them. */
  sized(more: ArrayLike<number>): this {
    return this.push(u32(more.length)).push(more)
  }

  done(): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(0, this.length)
  }
}
