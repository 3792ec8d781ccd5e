/** Reads the outputs of a program as a stream: one or more lines of `true`, then the end mark. */

const NEWLINE = 10

/** Its memory is at most one short line. */
export class TrueOutputs {
  private line = ""
  private count = 0
  private isEnded = false
  private isOther = false

  constructor(private readonly endMark: string) {}

  /** Whether the whole output is lines of `true` and then the end mark. */
  get isComplete(): boolean {
    return this.isEnded && !this.isOther && this.count > 0 && this.line === ""
  }

  write(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.isOther) return
      if (byte === NEWLINE) this.endLine()
      else if (this.line.length > this.endMark.length) this.isOther = true
      else this.line += String.fromCharCode(byte)
    }
  }

  private endLine(): void {
    if (!this.isEnded && this.line === "true") this.count += 1
    else if (!this.isEnded && this.line === this.endMark) this.isEnded = true
    else this.isOther = true
    this.line = ""
  }
}
