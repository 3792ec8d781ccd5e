/**
 * Texts that a pattern probably matches. They are candidates: the caller asks the pattern itself.
 *
 * Reads the common part of RE2: literals, classes, groups, alternatives and repeats. Anything else is skipped.
 */

/** The most samples of a pattern. */
const SAMPLES_MAX = 12

const CLASS_SAMPLES = new Map([
  ["d", "7"],
  ["w", "a"],
  ["s", " "],
  ["D", "a"],
  ["W", "-"],
  ["S", "a"]
])

/** Reads a pattern from left to right. */
class Sampler {
  #at = 0
  readonly #source: string

  constructor(source: string) {
    this.#source = source
  }

  #peek(): string | undefined {
    return this.#source[this.#at]
  }

  alternatives(): ReadonlyArray<string> {
    const found = [...this.#sequence()]
    while (this.#peek() === "|") {
      this.#at++
      found.push(...this.#sequence())
    }
    return found.slice(0, SAMPLES_MAX)
  }

  #sequence(): ReadonlyArray<string> {
    let found: ReadonlyArray<string> = [""]
    for (let next = this.#peek(); next !== undefined && !"|)".includes(next); next = this.#peek()) {
      const parts = this.#repeated(this.#atom(next))
      found = found.flatMap((text) => parts.map((part) => text + part)).slice(0, SAMPLES_MAX)
    }
    return found
  }

  #atom(next: string): ReadonlyArray<string> {
    this.#at++
    if (next === "(") return this.#group()
    if (next === "[") return [this.#class()]
    if (next === "\\") return [this.#escape()]
    if (next === ".") return ["x"]
    return next === "^" || next === "$" ? [""] : [next]
  }

  #group(): ReadonlyArray<string> {
    const flags = /^\?(?:P?<[^>]*>|[a-zA-Z-]*:)/.exec(this.#source.slice(this.#at))?.[0]
    this.#at += flags?.length ?? 0
    const found = this.alternatives()
    if (this.#peek() === ")") this.#at++
    return found
  }

  #escape(): string {
    const letter = this.#source[this.#at++] ?? ""
    return CLASS_SAMPLES.get(letter) ?? (/[a-zA-Z0-9]/.test(letter) ? "" : letter)
  }

  #class(): string {
    const end = this.#source.indexOf("]", this.#at + (this.#peek() === "^" ? 2 : 1))
    const body = this.#source.slice(this.#at, end === -1 ? undefined : end)
    this.#at = end === -1 ? this.#source.length : end + 1
    if (!body.startsWith("^"))
      return body[0] === "\\"
        ? (CLASS_SAMPLES.get(body[1] ?? "") ?? body[1] ?? "")
        : (body[0] ?? "")
    return ["x", "7", "-", "Z", "."].find((character) => !body.includes(character)) ?? "_"
  }

  #repeated(atoms: ReadonlyArray<string>): ReadonlyArray<string> {
    const repeat = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(this.#source.slice(this.#at))
    if (repeat === null) return atoms
    this.#at += repeat[0].length
    const count = Number(repeat[1] ?? 1)
    const texts = atoms.map((atom) => atom.repeat(Math.min(count, 100)))
    return "*?".includes(repeat[0][0] ?? "") ? ["", ...texts] : texts
  }
}

/** Texts that the pattern probably matches, at most a dozen. */
export const samples = (pattern: string): ReadonlyArray<string> => [
  ...new Set(new Sampler(pattern).alternatives())
]
