/** Reads and writes the memory of one instance: numbers, texts, vectors of buffers. */

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** A view that is renewed when the memory grows. */
export class WasmMemory {
  constructor(readonly memory: WebAssembly.Memory) {}

  get bytes(): Uint8Array {
    return new Uint8Array(this.memory.buffer)
  }

  private get view(): DataView {
    return new DataView(this.memory.buffer)
  }

  u32(address: number): number {
    return this.view.getUint32(address, true)
  }

  i32(address: number): number {
    return this.view.getInt32(address, true)
  }

  /** Writes a number; NaN is written as zero. */
  setI32(address: number, value: number): void {
    this.view.setInt32(address, value, true)
  }

  setByte(address: number, value: number): void {
    this.view.setUint8(address, value)
  }

  /** The text that ends with a zero byte. */
  text(address: number): string {
    const { bytes } = this
    return decoder.decode(bytes.subarray(address, bytes.indexOf(0, address)))
  }

  /** Writes a text and its zero byte; returns the number of bytes. */
  setText(address: number, text: string): number {
    const encoded = encoder.encode(text)
    this.bytes.set(encoded, address)
    this.setByte(address + encoded.length, 0)
    return encoded.length + 1
  }

  /** The buffers of a vector. */
  buffers(vector: number, count: number): ReadonlyArray<Uint8Array> {
    return Array.from({ length: count }, (_, index) => {
      const start = this.u32(vector + index * 8)
      return this.bytes.subarray(start, start + this.u32(vector + index * 8 + 4))
    })
  }
}
