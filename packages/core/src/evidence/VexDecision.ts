/**
 * Which statement of VEX decides about a vulnerability in a product, and what that does to the findings of a scan.
 *
 * Only statements of verified documents count. The newest by its own time decides, then the one that was accepted last.
 * A statement with subcomponents is about these components of its product, and about nothing else in it.
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
  /** The purl of the component that has the vulnerability; null if it has none. */
  readonly component: string | null
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

/** The statements about a product: by the component that they are about, and by null about the whole product. */
type Scopes = Map<string | null, AcceptedStatement>

const WHOLE: ReadonlyArray<null> = [null]

const add = (scopes: Scopes, statement: AcceptedStatement): void => {
  for (const component of statement.subcomponents ?? WHOLE) {
    const known = scopes.get(component)
    if (known === undefined || isNewer(statement, known)) scopes.set(component, statement)
  }
}

const newestOf = (
  statements: ReadonlyArray<AcceptedStatement | undefined>
): AcceptedStatement | undefined =>
  statements.reduce(
    (newest, each) =>
      each !== undefined && (newest === undefined || isNewer(each, newest)) ? each : newest,
    undefined
  )

/** The statements that decide among all of these, in any order. */
export const index = (statements: Iterable<AcceptedStatement>): VexIndex => {
  const deciding = new Map<string, Map<string, Scopes>>()
  for (const statement of statements) {
    if (statement.state !== "verified") continue
    const products = deciding.get(statement.vulnerability) ?? new Map<string, Scopes>()
    deciding.set(statement.vulnerability, products)
    const scopes: Scopes = products.get(statement.product) ?? new Map()
    products.set(statement.product, scopes)
    add(scopes, statement)
  }
  return {
    find: ({ component, products, vulnerability }) => {
      const known = deciding.get(vulnerability)
      const about = component === null ? WHOLE : [null, component]
      return Option.fromNullable(
        newestOf(products.flatMap((product) => about.map((each) => known?.get(product)?.get(each))))
      )
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
    const found = statements.find({
      vulnerability: finding.id,
      products,
      component: finding.purl
    })
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
