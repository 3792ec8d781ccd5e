/** Columns, cells and totals of the matrix of trails. */
import { assert, describe, it } from "vitest"
import { matrixOf, percent, TRAIL_GROUP } from "../../app/flow/TrailMatrix.js"
import type { AttestationStatus, TrailSummary } from "../../app/shared/Contract.js"

const entry = (name: string, more: Partial<AttestationStatus> = {}): AttestationStatus => ({
  attestation_name: name,
  attestation_type: "generic",
  attestation_id: `id-${name}`,
  overridden_attestation_id: null,
  status: "COMPLETE",
  is_compliant: true,
  unexpected: false,
  ...more
})

const missing = (name: string): AttestationStatus =>
  entry(name, { status: "MISSING", attestation_id: null, is_compliant: null })

type Slots = TrailSummary["compliance_status"]["artifacts_statuses"]

const slot = (
  fingerprint: string | null,
  attestations_statuses: ReadonlyArray<AttestationStatus>,
  unexpected = false
): Slots[string] => ({
  artifact_fingerprint: fingerprint,
  artifact_id: fingerprint,
  status: fingerprint === null ? "MISSING" : "COMPLIANT",
  is_compliant: fingerprint === null ? null : true,
  attestations_statuses,
  unexpected
})

const trail = (
  name: string,
  state: TrailSummary["compliance_state"],
  attestations_statuses: ReadonlyArray<AttestationStatus>,
  artifacts_statuses: Slots = {}
): TrailSummary => ({
  name,
  description: "",
  git_commit_info: null,
  origin_url: null,
  user_data: {},
  repo_ids: [],
  created_at: 1,
  last_modified_at: 1,
  created_by: "ci",
  compliance_status: {
    status: state,
    is_compliant: state === "COMPLIANT",
    attestations_statuses,
    artifacts_statuses,
    evaluated_at: 1,
    flow_template_id: "t"
  },
  compliance_state: state,
  is_compliant: state === "COMPLIANT",
  nothing_expected: false,
  flow: { name: "shop", tags: {} },
  external_urls: null,
  html_url: ""
})

const names = (trails: ReadonlyArray<TrailSummary>) =>
  matrixOf(trails).groups.map(({ slot: group, columns }) => [
    group,
    ...columns.map(({ name, isUnexpected }) => `${name}${isUnexpected ? "+" : ""}`)
  ])

describe("columns", () => {
  it("are those of the trail, then those of slots, expected before unexpected", () => {
    const newer = trail("b", "COMPLIANT", [entry("note", { unexpected: true }), entry("review")], {
      odd: slot("f", [], true),
      app: slot("e", [entry("scan")])
    })
    assert.deepStrictEqual(names([newer]), [
      [TRAIL_GROUP, "review", "note+"],
      ["app", "", "scan"],
      ["odd", "+"]
    ])
  })

  it("are expected where one trail expects them", () => {
    const older = trail("a", "COMPLIANT", [entry("note")])
    const newer = trail("b", "COMPLIANT", [entry("note", { unexpected: true })])
    assert.deepStrictEqual(names([newer, older]), [[TRAIL_GROUP, "note"]])
  })

  it("are none without trails, and without anything to show", () => {
    assert.deepStrictEqual(names([]), [])
    assert.deepStrictEqual(names([trail("a", "COMPLIANT", [])]), [])
  })

  it("keep names that objects have", () => {
    const odd = trail("a", "COMPLIANT", [entry("constructor"), entry("toString")])
    assert.deepStrictEqual(names([odd]), [[TRAIL_GROUP, "constructor", "toString"]])
  })
})

describe("cells", () => {
  const matrix = matrixOf([
    trail(
      "a",
      "NON-COMPLIANT",
      [
        entry("review", { is_compliant: false }),
        entry("over", { overridden_attestation_id: "before" }),
        missing("gone")
      ],
      { app: slot(null, [missing("scan")]) }
    )
  ])
  const cells = new Map(
    matrix.groups.flatMap(({ slot: group, columns }) =>
      columns.map(({ key, name }) => [`${group}/${name}`, matrix.rows[0]?.cells.get(key)] as const)
    )
  )

  it("say what was reported, overridden or is missing, and lead to the attestation", () => {
    assert.deepStrictEqual(
      [...cells].map(([place, cell]) => [place, cell?.verdict]),
      [
        ["/review", "non-compliant"],
        ["/over", "compliant"],
        ["/gone", "missing"],
        ["app/", "missing"],
        ["app/scan", "missing"]
      ]
    )
    assert.isTrue(cells.get("/over")?.isOverridden)
    assert.strictEqual(cells.get("/review")?.attestationId, "id-review")
    assert.isUndefined(cells.get("/gone")?.attestationId)
  })

  it("of two entries of one name show the one that fails", () => {
    const two = matrixOf([
      trail("a", "NON-COMPLIANT", [entry("x"), entry("x", { is_compliant: false }), entry("x")])
    ])
    assert.deepStrictEqual(
      [...(two.rows[0]?.cells.values() ?? [])].map(({ verdict }) => verdict),
      ["non-compliant"]
    )
  })
})

describe("totals", () => {
  it("are shares of the trails that have the column", () => {
    const matrix = matrixOf([
      trail("c", "INCOMPLETE", [missing("a"), entry("only", { unexpected: true })]),
      trail("b", "COMPLIANT", [entry("a")]),
      trail("a", "NON-COMPLIANT", [entry("a", { is_compliant: false })])
    ])
    assert.deepStrictEqual([...matrix.shares.values()].map(percent), ["33 %", "100 %"])
    assert.strictEqual(percent(matrix.share), "33 %")
  })

  it("are 100 % only where nothing is missing", () => {
    assert.deepStrictEqual([0, 0.004, 0.5, 0.999, 1].map(percent), [
      "0 %",
      "0 %",
      "50 %",
      "99 %",
      "100 %"
    ])
  })
})
