/**
 * Which statement of VEX decides about a vulnerability in a product, and what that does to the findings of a scan.
 *
 * Only statements of verified documents count. The newest by its own time decides, then the one that was accepted last.
 */
import * as Option from "effect/Option"
import type { FindingCounts, ScanFinding, VexStatement } from "./EvidenceFacts.js"
import type { VerificationState } from "./EvidenceVerification.js"

/** A statement of a document that was accepted. */
export interface AcceptedStatement extends VexStatement {
  /** The place of its document in the order of acceptance. */
  readonly sequence: number
  /** The state of verification of its document. */
  readonly state: VerificationState
}

/** A question: a vulnerability, and the products that it may be about, such as a purl and the SHA-256 of an image. */
export interface VexQuestion {
  readonly vulnerability: string
  readonly products: ReadonlyArray<string>
}

/** The statements that decide, by vulnerability and product. */
export interface VexIndex {
  /** The statement that decides; none if no verified document has one. */
  readonly find: (question: VexQuestion) => Option.Option<AcceptedStatement>
}

/** Whether a statement takes a finding away: `fixed`, or `not_affected` with a reason. */
export const isMitigating = ({ status, justification }: VexStatement): boolean =>
  status === "fixed" || (status === "not_affected" && justification !== null)

/** A statement without a time of its own is older than every other. */
const timeOf = ({ at }: AcceptedStatement): number => at ?? Number.NEGATIVE_INFINITY

/** Whether a statement decides over another; within one document and time, the one that takes nothing away. */
const isNewer = (one: AcceptedStatement, other: AcceptedStatement): boolean => {
  if (timeOf(one) !== timeOf(other)) return timeOf(one) > timeOf(other)
  if (one.sequence !== other.sequence) return one.sequence > other.sequence
  return isMitigating(other) && !isMitigating(one)
}

/** The statements that decide among all of these, in any order. */
export const index = (statements: Iterable<AcceptedStatement>): VexIndex => {
  const deciding = new Map<string, Map<string, AcceptedStatement>>()
  for (const statement of statements) {
    if (statement.state !== "verified") continue
    const products = deciding.get(statement.vulnerability) ?? new Map<string, AcceptedStatement>()
    deciding.set(statement.vulnerability, products)
    const known = products.get(statement.product)
    if (known === undefined || isNewer(statement, known)) products.set(statement.product, statement)
  }
  return {
    find: ({ vulnerability, products }) => {
      const known = deciding.get(vulnerability)
      let newest: AcceptedStatement | undefined
      for (const product of products) {
        const statement = known?.get(product)
        if (statement !== undefined && (newest === undefined || isNewer(statement, newest)))
          newest = statement
      }
      return Option.fromNullable(newest)
    }
  }
}

/** All findings of a scan, and their counts. */
export interface CountedFindings {
  readonly counts: FindingCounts
  readonly findings: ReadonlyArray<ScanFinding>
}

/**
 * The findings with the status that decides each, and counts in which those that are taken away count as suppressed.
 * The products of a finding are its purl and `images`, the SHA-256 digests that the scan is about. The findings are
 * those that the reader of the scan returned, so that none is taken away twice.
 */
export const applyTo = (
  { counts, findings }: CountedFindings,
  { images, statements }: { readonly images: ReadonlyArray<string>; readonly statements: VexIndex }
): CountedFindings => {
  const left = { ...counts }
  const judged = findings.map((finding) => {
    const products = finding.purl === null ? images : [finding.purl, ...images]
    const found = statements.find({ vulnerability: finding.id, products })
    if (Option.isNone(found)) return finding
    if (isMitigating(found.value)) {
      left[finding.severity] -= 1
      left.total -= 1
      left.suppressed += 1
    }
    return { ...finding, vex: found.value.status }
  })
  return { counts: left, findings: judged }
}
