/** Statements of VEX: the newest verified one decides, in agreement with the model, whatever the order of arrival. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck, Option } from "effect"
import type { ScanFinding, VexStatement } from "../../src/evidence/EvidenceFacts.js"
import type { VerificationState } from "../../src/evidence/EvidenceVerification.js"
import * as VexDecision from "../../src/evidence/VexDecision.js"
import * as Model from "../../testing/internal/model/VexModel.js"

const VULNERABILITIES = ["CVE-1", "CVE-2"]
const PRODUCTS = ["pkg:npm/x@1", "pkg:npm/y@1"]
const COMPONENTS = [null, ...PRODUCTS]

const status = FastCheck.constantFrom<VexStatement["status"]>(
  "not_affected",
  "affected",
  "fixed",
  "under_investigation"
)

const state = FastCheck.constantFrom<VerificationState>(
  "verified",
  "verified",
  "untrusted",
  "unverifiable",
  "unsigned",
  "failed"
)

/** Statements of different documents, each with a place of its own in the order of acceptance. */
const statements = FastCheck.array(
  FastCheck.record({
    vulnerability: FastCheck.constantFrom(...VULNERABILITIES),
    product: FastCheck.constantFrom(...PRODUCTS),
    status,
    justification: FastCheck.constantFrom(null, "component_not_present"),
    at: FastCheck.constantFrom(null, 1, 2, 3),
    state,
    subcomponents: FastCheck.option(FastCheck.subarray(PRODUCTS), { nil: undefined })
  }),
  { maxLength: 12 }
).map((all) =>
  all.map(({ subcomponents, ...each }, sequence) => ({
    ...each,
    ...(subcomponents === undefined ? {} : { subcomponents }),
    sequence
  }))
)

const statusIn = (
  all: ReadonlyArray<VexDecision.AcceptedStatement>,
  { component, product, vulnerability }: Model.VexPlace
) =>
  Option.getOrUndefined(
    VexDecision.index(all)
      .find({ vulnerability, products: [product], component })
      .pipe(Option.map((found) => found.status))
  )

const PLACES: ReadonlyArray<Model.VexPlace> = VULNERABILITIES.flatMap((vulnerability) =>
  PRODUCTS.flatMap((product) =>
    COMPONENTS.map((component) => ({ vulnerability, product, component }))
  )
)

const everyStatus = (all: ReadonlyArray<VexDecision.AcceptedStatement>) =>
  PLACES.map((place) => statusIn(all, place))

// V-13
describe("the statement of VEX that decides", () => {
  it.prop(
    "is the one of the model",
    { statements },
    ({ statements: all }) => {
      for (const place of PLACES)
        assert.strictEqual(statusIn(all, place), Model.statusOf(all, place))
    },
    { fastCheck: { numRuns: 1_000 } }
  )

  it.prop(
    "is the same in every order of arrival",
    {
      orders: statements.chain((all) =>
        FastCheck.tuple(
          FastCheck.constant(all),
          FastCheck.shuffledSubarray(all, { minLength: all.length })
        )
      )
    },
    ({ orders: [all, shuffled] }) => {
      assert.deepStrictEqual(everyStatus(shuffled), everyStatus(all))
    }
  )

  it.prop(
    "does not change with a statement that is not verified",
    { statements, added: statements },
    ({ statements: all, added }) => {
      const unverified = added
        .filter((each) => each.state !== "verified")
        .map((each) => ({ ...each, at: 9, sequence: each.sequence + all.length }))
      assert.deepStrictEqual(everyStatus([...all, ...unverified]), everyStatus(all))
    }
  )

  const BASE = {
    vulnerability: "CVE-1",
    product: "pkg:npm/x@1",
    status: "fixed",
    justification: null,
    at: 1,
    sequence: 0,
    state: "verified"
  } as const

  it("takes nothing away where one document says two things at one time", () => {
    const both = [BASE, { ...BASE, status: "affected" as const }]
    for (const all of [both, [...both].reverse()])
      assert.strictEqual(
        statusIn(all, { vulnerability: "CVE-1", product: "pkg:npm/x@1", component: null }),
        "affected"
      )
  })

  it("is about the named components of a product alone", () => {
    const [x = "", y = ""] = PRODUCTS
    const image = "ab".repeat(32)
    const about = { vulnerability: "CVE-1", product: image }
    const all = [{ ...BASE, product: image, subcomponents: [x] }]
    assert.strictEqual(statusIn(all, { ...about, component: x }), "fixed")
    assert.isUndefined(statusIn(all, { ...about, component: y }))
    assert.isUndefined(statusIn(all, { ...about, component: null }))
    assert.isUndefined(statusIn(all, { ...about, product: x, component: x }))
    const none = [{ ...BASE, product: image, subcomponents: [] }]
    assert.isUndefined(statusIn(none, { ...about, component: x }))
    const whole = { ...BASE, product: image, status: "affected" as const, at: 2 }
    assert.strictEqual(statusIn([...all, whole], { ...about, component: x }), "affected")
  })

  it("is the newest about any of the products", () => {
    const all = [BASE, { ...BASE, product: "a digest", status: "affected" as const, at: 2 }]
    const found = VexDecision.index(all).find({
      vulnerability: "CVE-1",
      products: ["pkg:npm/x@1", "a digest"],
      component: null
    })
    assert.strictEqual(Option.getOrThrow(found).status, "affected")
  })

  it("takes a finding away when it is fixed, or not affected for a reason", () => {
    const statement = { ...BASE, status: "not_affected" as const }
    assert.isTrue(VexDecision.isMitigating(BASE))
    assert.isTrue(VexDecision.isMitigating({ ...statement, justification: "not there" }))
    assert.isFalse(VexDecision.isMitigating(statement))
    assert.isFalse(VexDecision.isMitigating({ ...BASE, status: "affected" }))
    assert.isFalse(VexDecision.isMitigating({ ...BASE, status: "under_investigation" }))
  })
})

const finding = FastCheck.record<ScanFinding>({
  id: FastCheck.constantFrom(...VULNERABILITIES, "__proto__"),
  severity: FastCheck.constantFrom("critical", "high", "unknown"),
  purl: FastCheck.constantFrom(null, ...PRODUCTS),
  fixed_in: FastCheck.constant(null),
  vex: FastCheck.constant(null)
})

describe("the findings of a scan under VEX", () => {
  const countsOf = (findings: ReadonlyArray<ScanFinding>, suppressed: number) => {
    const of = (severity: string) => findings.filter((each) => each.severity === severity).length
    return {
      critical: of("critical"),
      high: of("high"),
      medium: 0,
      low: 0,
      negligible: 0,
      unknown: of("unknown"),
      total: findings.length,
      suppressed
    }
  }

  it.prop(
    "count as suppressed exactly where their statement takes them away",
    { findings: FastCheck.array(finding, { maxLength: 8 }), statements },
    ({ findings, statements: all }) => {
      const denied = VexDecision.denied(findings, {
        images: [],
        statements: VexDecision.index(all)
      })
      const counts = VexDecision.without(
        countsOf(findings, 3),
        denied.map((each) => each.finding)
      )
      const isTaken = ({ id, purl }: ScanFinding): boolean =>
        Option.exists(
          VexDecision.index(all).find({
            vulnerability: id,
            products: purl === null ? [] : [purl],
            component: purl
          }),
          VexDecision.isMitigating
        )
      const left = findings.filter((each) => !isTaken(each))
      assert.deepStrictEqual(counts, countsOf(left, 3 + findings.length - left.length))
      assert.deepStrictEqual(
        denied.map(({ finding, statement }) => [finding, statement.status]),
        findings.filter(isTaken).map((each) => {
          const { id: vulnerability, purl } = each
          return [each, statusIn(all, { vulnerability, product: purl ?? "", component: purl })]
        })
      )
    },
    { fastCheck: { numRuns: 500 } }
  )

  it("are about the image, too", () => {
    const image = "ab".repeat(32)
    const statement = {
      vulnerability: "CVE-1",
      product: image,
      status: "fixed",
      justification: null,
      at: null,
      sequence: 1,
      state: "verified"
    } as const
    const findings = [
      { id: "CVE-1", severity: "high", purl: null, fixed_in: null, vex: null } as const
    ]
    const deniedIn = (images: ReadonlyArray<string>) =>
      VexDecision.denied(findings, { images, statements: VexDecision.index([statement]) })
    assert.deepStrictEqual(
      deniedIn([image]).map((each) => each.statement),
      [statement]
    )
    assert.deepStrictEqual(deniedIn([]), [])
    // A scan of two images: the other one still has the finding.
    assert.deepStrictEqual(deniedIn([image, "cd".repeat(32)]), [])
    assert.deepStrictEqual(deniedIn([image, image]).length, 1)
  })
})
