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
export interface VexIndex<Statement extends AcceptedStatement = AcceptedStatement> {
  /** The statement that decides; none if no verified document has one. */
  readonly find: (question: VexQuestion) => Option.Option<Statement>
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
type Scopes<Statement> = Map<string | null, Statement>

const WHOLE: ReadonlyArray<null> = [null]

const add = <Statement extends AcceptedStatement>(
  scopes: Scopes<Statement>,
  statement: Statement
): void => {
  for (const component of statement.subcomponents ?? WHOLE) {
    const known = scopes.get(component)
    if (known === undefined || isNewer(statement, known)) scopes.set(component, statement)
  }
}

const newestOf = <Statement extends AcceptedStatement>(
  statements: ReadonlyArray<Statement | undefined>
): Statement | undefined =>
  statements.reduce(
    (newest, each) =>
      each !== undefined && (newest === undefined || isNewer(each, newest)) ? each : newest,
    undefined
  )

/** The statements that decide among all of these, in any order. */
export const index = <Statement extends AcceptedStatement>(
  statements: Iterable<Statement>
): VexIndex<Statement> => {
  const deciding = new Map<string, Map<string, Scopes<Statement>>>()
  for (const statement of statements) {
    if (statement.state !== "verified") continue
    const products = deciding.get(statement.vulnerability) ?? new Map<string, Scopes<Statement>>()
    deciding.set(statement.vulnerability, products)
    const scopes: Scopes<Statement> = products.get(statement.product) ?? new Map()
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

/** A finding that a statement takes away. */
export interface DeniedFinding<Statement extends AcceptedStatement> {
  readonly finding: ScanFinding
  readonly statement: Statement
}

/** What findings are about, and the statements that decide. */
interface Denial<Statement extends AcceptedStatement> {
  /** The SHA-256 digests of the images that were scanned. */
  readonly images: ReadonlyArray<string>
  readonly statements: VexIndex<Statement>
}

const deny = <Statement extends AcceptedStatement>(
  finding: ScanFinding,
  { images, statements }: Denial<Statement>
): Statement | undefined => {
  const { id: vulnerability, purl: component } = finding
  const own = component === null ? [] : [component]
  const places = images.length === 0 ? [own] : images.map((image) => [...own, image])
  let first: Statement | undefined
  for (const products of places) {
    const found = Option.getOrUndefined(statements.find({ vulnerability, products, component }))
    if (found === undefined || !isMitigating(found)) return undefined
    first ??= found
  }
  return first
}

/**
 * The findings that statements take away, each with the statement. The products of a finding are its purl and the
 * image. In a scan of several images a finding is taken away if it is in each of them.
 */
export const denied = <Statement extends AcceptedStatement>(
  findings: ReadonlyArray<ScanFinding>,
  denial: Denial<Statement>
): ReadonlyArray<DeniedFinding<Statement>> =>
  findings.flatMap((finding) => {
    const statement = deny(finding, denial)
    return statement === undefined ? [] : [{ finding, statement }]
  })

/** Counts in which findings that are taken away count as suppressed. */
export const without = (
  counts: FindingCounts,
  taken: ReadonlyArray<Pick<ScanFinding, "severity">>
): FindingCounts => {
  const left = { ...counts }
  for (const { severity } of taken) {
    left[severity] -= 1
    left.total -= 1
    left.suppressed += 1
  }
  return left
}
