/** Reads the outputs of a program as they come: one or more lines of `true`, then the end mark. */

const NEWLINE = 10

/** Keeps one short line at most, however much is written. */
export class TrueOutputs {
  private line = ""
  private count = 0
  private isEnded = false
  private isOther = false

  constructor(private readonly endMark: string) {}

  /** Whether all that was written is lines of `true` and then the end mark. */
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
