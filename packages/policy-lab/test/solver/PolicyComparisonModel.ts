/**
 * Comparison by brute force: pairs of policies, and rows that try to refute what is claimed about them.
 *
 * Half of the pairs are near relatives, where implications are common; facts are made from the words of both.
 */

import type { PolicyDocument } from "@attestry/core/PolicyDocument"
import * as PolicyEvaluation from "@attestry/core/PolicyEvaluation"
import type { Facts } from "@attestry/core/PolicyFacts"
import { attestationRule, condition, document } from "@attestry/core/testing/PolicyDocument"
import { facts, factsOf } from "@attestry/core/testing/PolicyFacts"
import type { Direction } from "@attestry/policy-lab/PolicyComparison"
import * as FastCheck from "effect/FastCheck"
import { vocabularyOf } from "../../testing/PolicyTestKit.js"

/** Two policies, and rows to try. */
export interface ComparedPair {
  readonly before: PolicyDocument
  readonly after: PolicyDocument
  readonly rows: ReadonlyArray<Facts>
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

/** Generated pairs with their rows. */
export const pairs = function* (count: number, seed: number): Generator<ComparedPair> {
  let index = 0
  for (const { after, before } of FastCheck.sample(pair, { numRuns: count, seed }))
    yield { before, after, rows: rowsOf([before, after], seed + index++) }
}

const acceptor = (given: PolicyDocument): ((row: Facts) => boolean) => {
  const compiled = PolicyEvaluation.compile([{ id: "p", name: "p", version: 1, document: given }])
  return (row) => PolicyEvaluation.evaluate(compiled, row).verdict === "Compliant"
}

/** What refutes a claim about one direction; undefined when nothing does. */
const refuted = (
  claim: Direction,
  rows: ReadonlyArray<Facts>,
  isOnly: (row: Facts) => boolean
): string | undefined => {
  if (claim === "unknown") return undefined
  if (claim !== null)
    return isOnly(claim.facts) ? undefined : `no counterexample: ${JSON.stringify(claim.facts)}`
  const row = rows.find(isOnly)
  return row === undefined ? undefined : `refuted by ${JSON.stringify(row)}`
}

/** What refutes the claims about a pair; undefined when nothing does. */
export const refutation = (
  { after, before, rows }: ComparedPair,
  claims: { readonly acceptedByOldOnly: Direction; readonly acceptedByNewOnly: Direction }
): string | undefined => {
  const [byOld, byNew] = [acceptor(before), acceptor(after)]
  return (
    refuted(claims.acceptedByOldOnly, rows, (row) => byOld(row) && !byNew(row)) ??
    refuted(claims.acceptedByNewOnly, rows, (row) => byNew(row) && !byOld(row))
  )
}
