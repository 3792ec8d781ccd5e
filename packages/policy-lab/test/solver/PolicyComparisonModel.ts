/**
 * Comparison by brute force: pairs of policies, and rows that try to refute what is claimed about them.
 *
 * Half of the pairs are near relatives, where implications are common; facts are made from the words of both.
 */

import * as Moment from "@attestry/core/Moment"
import type { PolicyDocument } from "@attestry/core/PolicyDocument"
import * as PolicyEvaluation from "@attestry/core/PolicyEvaluation"
import type { Facts } from "@attestry/core/PolicyFacts"
import * as Timestamp from "@attestry/core/Timestamp"
import {
  agedDocument,
  askingDocument,
  attestationRule,
  condition,
  document,
  where
} from "@attestry/core/testing/PolicyDocument"
import {
  agedFacts,
  askedFacts,
  FIRST_REPORTED,
  facts,
  factsOf
} from "@attestry/core/testing/PolicyFacts"
import type { Direction } from "@attestry/policy-lab/PolicyComparison"
import * as FastCheck from "effect/FastCheck"
import { vocabularyOf } from "../../testing/PolicyTestKit.js"

/** Two policies, and rows to try. */
export interface ComparedPair {
  readonly before: PolicyDocument
  readonly after: PolicyDocument
  readonly rows: ReadonlyArray<Facts>
  /** The moments at which rows are tried. */
  readonly moments: ReadonlyArray<Moment.Moment>
}

type Change = (document: PolicyDocument) => PolicyDocument

const change: FastCheck.Arbitrary<Change> = FastCheck.oneof(
  FastCheck.constant<Change>((given) => given),
  FastCheck.nat(3).map(
    (at): Change =>
      (given) => ({ ...given, attestations: given.attestations.filter((_, index) => index !== at) })
  ),
  attestationRule.map(
    (rule): Change =>
      (given) => ({ ...given, attestations: [rule, ...given.attestations] })
  ),
  FastCheck.constant<Change>((given) => ({
    ...given,
    attestations: given.attestations.map((rule) => ({ ...rule, mustBeCompliant: false }))
  })),
  FastCheck.tuple(FastCheck.nat(3), FastCheck.option(condition)).map(
    ([at, drawn]): Change =>
      (given) => ({
        ...given,
        attestations: given.attestations.map((rule, index) =>
          index === at ? { ...rule, condition: drawn } : rule
        )
      })
  ),
  condition.map(
    (drawn): Change =>
      (given) => ({
        ...given,
        trailCompliance: {
          ...given.trailCompliance,
          exceptions: [...given.trailCompliance.exceptions, drawn]
        }
      })
  )
)

const pair = FastCheck.oneof(
  FastCheck.record({ before: document, after: document }),
  FastCheck.tuple(document, change).map(([before, changed]) => ({
    before,
    after: changed(before)
  })),
  FastCheck.tuple(document, change).map(([before, changed]) => ({
    before: changed(before),
    after: before
  }))
)

const ROWS = 60

const rowsOf = (documents: ReadonlyArray<PolicyDocument>, seed: number): ReadonlyArray<Facts> => [
  ...FastCheck.sample(facts, { numRuns: ROWS, seed }),
  ...FastCheck.sample(factsOf(vocabularyOf(documents)), { numRuns: ROWS, seed })
]

const momentAt = (seconds: number): Moment.Moment => Moment.at(Timestamp.fromSeconds(seconds))

/** Generated pairs with their rows. */
export const pairs = function* (count: number, seed: number): Generator<ComparedPair> {
  let index = 0
  const moments = [momentAt(FIRST_REPORTED)]
  for (const { after, before } of FastCheck.sample(pair, { numRuns: count, seed }))
    yield { before, after, rows: rowsOf([before, after], seed + index++), moments }
}

/** The document without conditions on facts. */
export const withoutWhere: Change = (given) => ({
  ...given,
  attestations: given.attestations.map(({ where: _, ...rule }) => rule)
})

/** The document that takes evidence that is not verified. */
export const withoutVerified: Change = (given) => ({
  ...given,
  attestations: given.attestations.map(({ mustBeVerified: _, ...rule }) => rule)
})

/** The document without the ages, with the longest, or with other ones. */
const agedChange: FastCheck.Arbitrary<Change> = FastCheck.oneof(
  change,
  FastCheck.constantFrom(undefined, 86_400, 200_000, 400_000).map(
    (seconds): Change =>
      (given) => {
        const age = seconds === undefined ? {} : { maxAge: seconds }
        const without = <A extends { readonly maxAge?: number }>({ maxAge: _, ...rest }: A) => rest
        return {
          ...given,
          provenance: { ...without(given.provenance), ...age },
          attestations: given.attestations.map((rule) => ({ ...without(rule), ...age }))
        }
      }
  )
)

const agedPair = FastCheck.tuple(agedDocument, agedChange, FastCheck.boolean()).map(
  ([drawn, changed, isTurned]) =>
    isTurned ? { before: changed(drawn), after: drawn } : { before: drawn, after: changed(drawn) }
)

/** Generated pairs whose rules often have ages. */
export const agedPairs = function* (count: number, seed: number): Generator<ComparedPair> {
  let index = 0
  const moments = [0, 1, 2, 4, 6].map((days) => momentAt(FIRST_REPORTED + days * 86_400))
  for (const { after, before } of FastCheck.sample(agedPair, { numRuns: count, seed })) {
    const rows = FastCheck.sample(agedFacts, { numRuns: 2 * ROWS, seed: seed + index++ })
    yield { before, after, rows, moments }
  }
}

/** The document without a condition on facts, without the demand for verification, or with others. */
const askedChange: FastCheck.Arbitrary<Change> = FastCheck.oneof(
  agedChange,
  FastCheck.constantFrom<Change>(withoutWhere, withoutVerified),
  FastCheck.tuple(FastCheck.nat(3), where).map(
    ([at, drawn]): Change =>
      (given) => ({
        ...given,
        attestations: given.attestations.map((rule, index) =>
          index === at ? { ...rule, where: drawn } : rule
        )
      })
  ),
  FastCheck.nat(3).map(
    (at): Change =>
      (given) => ({
        ...given,
        attestations: given.attestations.map((rule, index) =>
          index === at ? { ...rule, mustBeVerified: true } : rule
        )
      })
  )
)

const askedPair = FastCheck.tuple(askingDocument, askedChange, FastCheck.boolean()).map(
  ([drawn, changed, isTurned]) =>
    isTurned ? { before: changed(drawn), after: drawn } : { before: drawn, after: changed(drawn) }
)

/** Generated pairs whose rules often ask about verification and facts. */
export const askedPairs = function* (count: number, seed: number): Generator<ComparedPair> {
  let index = 0
  const moments = [0, 2, 5].map((days) => momentAt(FIRST_REPORTED + days * 86_400))
  for (const { after, before } of FastCheck.sample(askedPair, { numRuns: count, seed })) {
    const rows = FastCheck.sample(askedFacts, { numRuns: 2 * ROWS, seed: seed + index++ })
    yield { before, after, rows, moments }
  }
}

type Accepts = (row: Facts, moment: Moment.Moment) => boolean

const acceptor = (given: PolicyDocument): Accepts => {
  const compiled = PolicyEvaluation.compile([{ id: "p", name: "p", version: 1, document: given }])
  return (row, moment) => PolicyEvaluation.evaluate(compiled, row, moment).verdict === "Compliant"
}

/** What refutes a claim about one direction; undefined when nothing does. */
const refuted = (
  claim: Direction,
  { moments, rows }: ComparedPair,
  isOnly: Accepts
): string | undefined => {
  if (claim === "unknown") return undefined
  if (claim !== null)
    return isOnly(claim.facts, momentAt(claim.now ?? FIRST_REPORTED))
      ? undefined
      : `no counterexample: ${JSON.stringify(claim)}`
  for (const moment of moments) {
    const row = rows.find((each) => isOnly(each, moment))
    if (row !== undefined) return `refuted by ${JSON.stringify({ row, moment })}`
  }
  return undefined
}

/** What refutes the claims about a pair; undefined when nothing does. */
export const refutation = (
  given: ComparedPair,
  claims: { readonly acceptedByOldOnly: Direction; readonly acceptedByNewOnly: Direction }
): string | undefined => {
  const [byOld, byNew] = [acceptor(given.before), acceptor(given.after)]
  return (
    refuted(claims.acceptedByOldOnly, given, (...at) => byOld(...at) && !byNew(...at)) ??
    refuted(claims.acceptedByNewOnly, given, (...at) => byNew(...at) && !byOld(...at))
  )
}
