/** Prints the beginning of a value's JSON text without printing the rest. */

const isAbsent = (value: unknown): boolean =>
  value === undefined || typeof value === "function" || typeof value === "symbol"

const hasOwnText = (value: object): boolean => "toJSON" in value

/** Prints a value until the text is long enough. */
class Printer {
  text = ""
  readonly #lengthMax: number

  constructor(lengthMax: number) {
    this.#lengthMax = lengthMax
  }

  get #isFull(): boolean {
    return this.text.length > this.#lengthMax
  }

  print(value: unknown): void {
    if (typeof value === "string") this.text += JSON.stringify(value.slice(0, this.#lengthMax + 1))
    else if (typeof value !== "object" || value === null || hasOwnText(value))
      this.text += JSON.stringify(value) ?? "null"
    else if (Array.isArray(value)) this.#printItems(value)
    else this.#printMembers(value)
  }

  #printItems(items: ReadonlyArray<unknown>): void {
    this.text += "["
    for (let index = 0; index < items.length && !this.#isFull; index++) {
      if (index > 0) this.text += ","
      this.print(items[index])
    }
    this.text += "]"
  }

  #printMembers(members: object): void {
    this.text += "{"
    let isFirst = true
    for (const [name, value] of Object.entries(members)) {
      if (this.#isFull) break
      if (isAbsent(value)) continue
      if (!isFirst) this.text += ","
      isFirst = false
      this.print(name)
      this.text += ":"
      this.print(value)
    }
    this.text += "}"
  }
}

/**
 * The output of `JSON.stringify`, exact in its first `lengthMax` characters, and longer than that exactly when
 * the full output is; undefined where `JSON.stringify` returns undefined.
 */
export const print = (value: unknown, lengthMax: number): string | undefined => {
  if (isAbsent(value)) return undefined
  const printer = new Printer(lengthMax)
  printer.print(value)
  return printer.text
}
