/**
 * What is wrong with an input, up to a number and a size, so that no refusal costs more than it is worth.
 *
 * A search for problems stops when this is full; that there are more is then said instead of how many,
 * because to count them would be to look on. SPEC §7.1, DECISION B-150
 */
import type { FieldErrors } from "./FieldErrors.js"
import { byteLength } from "./internal/SourceText.js"

/** At most this many problems of one input are told. */
export const PROBLEMS_MAX = 100

/** Looking on ends after so many problems, however few fields they are about. */
const FOUND_MAX = 1_000

/** The name of a field is shown up to this length. */
export const FIELD_LENGTH_MAX = 200

/** Problems have at most about this many bytes as JSON, which leaves room for the rest of a refusal. */
const BYTES_MAX = 49_152

/** The field that says that there are more problems. */
export const MORE_FIELD = "…"

/** What that field says. */
export const MORE_MESSAGE = "More problems follow: only the first are shown [input: …]"

const cut = (text: string, lengthMax: number): string =>
  text.length <= lengthMax ? text : `${Array.from(text.slice(0, lengthMax)).slice(0, -1).join("")}…`

const bytesOf = (text: string): number => byteLength(JSON.stringify(text)) + 1

/** Problems by field, in the order in which they were found. */
export class Problems {
  readonly #errors = new Map<string, string>()
  readonly #countMax: number
  #bytes = 0
  #found = 0
  #isOver = false

  constructor(countMax = PROBLEMS_MAX) {
    this.#countMax = countMax
  }

  /** How many fields have one. */
  get size(): number {
    return this.#errors.size
  }

  /** Whether a problem was found that is not told: then there is no use in looking on. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Adds a problem; the first of a field wins. */
  add(field: string, message: string): void {
    if (this.#isOver) return
    this.#found += 1
    if (this.#found > FOUND_MAX) this.#isOver = true
    const name = cut(field, FIELD_LENGTH_MAX)
    if (this.#errors.has(name)) return
    const bytes = bytesOf(name) + bytesOf(message)
    if (this.#errors.size === this.#countMax || this.#bytes + bytes > BYTES_MAX) {
      this.#isOver = true
      return
    }
    this.#bytes += bytes
    this.#errors.set(name, message)
  }

  /** Adds the problems that others have found. */
  addAll(others: Problems): void {
    for (const [field, message] of others.#errors) this.add(field, message)
    if (others.#isOver) this.#isOver = true
  }

  /** The problems as refusals have them. */
  toFieldErrors(): FieldErrors {
    const entries = [...this.#errors]
    return Object.fromEntries(this.#isOver ? [...entries, [MORE_FIELD, MORE_MESSAGE]] : entries)
  }
}

/** The same errors, as far as they are told. */
export const bounded = (errors: FieldErrors): FieldErrors => {
  const problems = new Problems(PROBLEMS_MAX + 1)
  for (const [field, message] of Object.entries(errors)) problems.add(field, message)
  return problems.toFieldErrors()
}
