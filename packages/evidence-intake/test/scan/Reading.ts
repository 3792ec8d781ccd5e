/** Reads values with a format in tests, and checks that facts are those of the schema and small enough. */
import { BYTES_MAX, EvidenceFacts } from "@attestry/core/EvidenceFacts"
import { assert } from "@effect/vitest"
import { Either, Schema } from "effect"
import type { EvidenceProblem } from "../../src/EvidenceProblem.js"
import type { ReadContent } from "../../src/internal/ReadContent.js"
import * as ScanFormats from "../../src/internal/scan/ScanFormats.js"

type Result = Either.Either<ReadContent, EvidenceProblem>

const isFacts = Schema.is(EvidenceFacts)

/** Asserts that content has facts as attestations have them. */
export const assertContent = ({ facts, subjects }: ReadContent): void => {
  const all = { ...facts, digest: "0".repeat(64), size: 1, subjects, subject_count: 1 }
  assert.isTrue(isFacts(all), JSON.stringify(all).slice(0, 1_000))
  const bytes = new TextEncoder().encode(JSON.stringify(facts)).length
  assert.isAtMost(bytes, BYTES_MAX)
}

/** The content of a file that is read. */
export const contentOf = (result: Result): ReadContent => {
  if (Either.isLeft(result)) assert.fail(result.left.message)
  assertContent(result.right)
  return result.right
}

/** The problem of a file that is not read. */
export const problemOf = (result: Result): EvidenceProblem => {
  if (Either.isRight(result)) assert.fail("the file is read")
  return result.left
}

/** Reads a value with the first format of JSON that fits. */
export const json = (value: unknown): Result => {
  const input = value as { readonly [member: string]: unknown }
  const format = ScanFormats.JSON.find(({ isFormat }) => isFormat(input))
  return format === undefined ? assert.fail("no format fits") : format.read(input)
}

/** The name of the first format of JSON that fits; undefined without one. */
export const nameOf = (value: unknown): string | undefined =>
  ScanFormats.JSON.find(({ isFormat }) => isFormat(value as { readonly [member: string]: unknown }))
    ?.name

/** Reads a predicate. */
export const predicate = (type: string, value: { readonly [member: string]: unknown }): Result => {
  const reader = ScanFormats.PREDICATES.find(({ isPredicate }) => isPredicate(type))
  return reader === undefined ? assert.fail("no reader fits") : reader.read(value)
}

/** Facts of a kind. */
export const factsOf = <Kind extends ReadContent["facts"]["kind"]>(
  kind: Kind,
  result: Result
): Extract<ReadContent["facts"], { readonly kind: Kind }> => {
  const { facts } = contentOf(result)
  assert.strictEqual(facts.kind, kind)
  return facts as Extract<ReadContent["facts"], { readonly kind: Kind }>
}

/** Counts of findings, those of zero left out. */
export const nonZero = (counts: { readonly [name: string]: number }) =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0))
