/** Reads the numbers of a WebAssembly binary in order. */

/** The position of the next byte. */
export class ByteReader {
  constructor(
    readonly bytes: Uint8Array,
    public offset = 0
  ) {}

  get isAtEnd(): boolean {
    return this.offset >= this.bytes.length
  }

  byte(): number {
    const value = this.bytes[this.offset]
    if (value === undefined) throw new Error("the binary ends too early")
    this.offset += 1
    return value
  }

  /** An unsigned number of at most 32 bits. */
  u32(): number {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const next = this.byte()
      value += (next & 0x7f) * 2 ** shift
      if (next < 0x80) return value
    }
  }

  /** Skips a number of any size and sign. */
  skipLeb(): void {
    while (this.byte() >= 0x80);
  }

  take(length: number): Uint8Array {
    const taken = this.bytes.subarray(this.offset, this.offset + length)
    if (taken.length !== length) throw new Error("the binary ends too early")
    this.offset += length
    return taken
  }

  /** The bytes from an offset to the position. */
  since(start: number): Uint8Array {
    return this.bytes.subarray(start, this.offset)
  }
}
