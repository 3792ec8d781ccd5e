/**
 * The problems of an input, limited in number and size, so that a refusal stays cheap.
 *
 * A search stops when the limit is reached; the result then says that there are more, without their number.
 * SPEC §7.1. Describing 16 MB of wrong elements took 104 seconds.
 */
import type { FieldErrors } from "./FieldErrors.js"
import { byteLength } from "./internal/SourceText.js"

/** The most problems of one input. */
export const PROBLEMS_MAX = 100

/** The most problems that a search finds, in however few fields. */
const FOUND_MAX = 1_000

/** The most characters of a field's name. */
export const FIELD_LENGTH_MAX = 200

/** The most bytes of all problems as JSON, approximately. */
const BYTES_MAX = 49_152

/** The field that says that there are more problems. */
export const MORE_FIELD = "…"

/** The message of that field. */
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

  /** The number of fields with a problem. */
  get size(): number {
    return this.#errors.size
  }

  /** Whether a problem is left out: the search can stop. */
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

  /** Adds the problems of another collection. */
  addAll(others: Problems): void {
    for (const [field, message] of others.#errors) this.add(field, message)
    if (others.#isOver) this.#isOver = true
  }

  /** The problems as field errors. */
  toFieldErrors(): FieldErrors {
    const entries = [...this.#errors]
    return Object.fromEntries(this.#isOver ? [...entries, [MORE_FIELD, MORE_MESSAGE]] : entries)
  }
}

/** The same errors, up to the limits. */
export const bounded = (errors: FieldErrors): FieldErrors => {
  const problems = new Problems(PROBLEMS_MAX + 1)
  for (const [field, message] of Object.entries(errors)) problems.add(field, message)
  return problems.toFieldErrors()
}
