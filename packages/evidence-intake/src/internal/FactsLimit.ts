/**
 * Holds facts under `BYTES_MAX` as JSON: the longest lists are halved until the rest fits, and `truncated` names them.
 */
import { BYTES_MAX, type EvidenceFacts } from "@attestry/core/EvidenceFacts"
import * as Either from "effect/Either"
import type { EvidenceProblem } from "../EvidenceProblem.js"
import * as Problem from "./Problem.js"

/** The room for the names in `truncated`. */
const NAMES_BYTES = 256

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? "null")

/** A list of facts with the bytes of its items. */
interface Cut {
  readonly name: string
  readonly items: ReadonlyArray<unknown>
  readonly sizes: ReadonlyArray<number>
  kept: number
  bytes: number
}

const cutOf = (name: string, items: ReadonlyArray<unknown>): Cut => {
  const sizes = items.map((item) => bytesOf(item) + 1)
  return {
    name,
    items,
    sizes,
    kept: items.length,
    bytes: sizes.reduce((sum, size) => sum + size, 0)
  }
}

const halve = (cut: Cut): void => {
  const kept = Math.floor(cut.kept / 2)
  for (let index = kept; index < cut.kept; index += 1) cut.bytes -= cut.sizes[index] ?? 0
  cut.kept = kept
}

const largest = (cuts: ReadonlyArray<Cut>): Cut | undefined =>
  cuts.reduce<Cut | undefined>(
    (best, cut) => (cut.kept > 0 && cut.bytes > (best?.bytes ?? 0) ? cut : best),
    undefined
  )

/** The same facts with shorter lists. */
const shortened = (facts: EvidenceFacts, cuts: ReadonlyArray<Cut>): EvidenceFacts => {
  const cut = cuts.filter(({ kept, items }) => kept < items.length)
  const truncated = [...new Set([...facts.truncated, ...cut.map(({ name }) => name)])]
  const lists = Object.fromEntries(cut.map(({ name, items, kept }) => [name, items.slice(0, kept)]))
  return { ...facts, ...lists, truncated }
}

/** The facts within the limit. Fails if single texts are too long for it. */
export const bound = (facts: EvidenceFacts): Either.Either<EvidenceFacts, EvidenceProblem> => {
  let excess = bytesOf(facts) + NAMES_BYTES - BYTES_MAX
  if (excess <= 0) return Either.right(facts)
  const cuts = Object.entries(facts).flatMap(([name, value]) =>
    Array.isArray(value) && name !== "truncated" ? [cutOf(name, value)] : []
  )
  for (let cut = largest(cuts); excess > 0 && cut !== undefined; cut = largest(cuts)) {
    const before = cut.bytes
    halve(cut)
    excess -= before - cut.bytes
  }
  return excess > 0
    ? Either.left(Problem.unreadable(`texts of the facts are longer than ${BYTES_MAX} bytes`))
    : Either.right(shortened(facts, cuts))
}
