/** Analyses of vulnerabilities without components are statements of VEX about products. */
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { STATEMENTS_MAX } from "../../src/internal/bom/CycloneDxVex.js"
import { DIGEST, messageOf, readJson, readXml } from "./BomDocuments.js"

const AT = 1_767_323_045

const document = (vulnerabilities: ReadonlyArray<object>, rest: object = {}) => ({
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  metadata: {
    timestamp: "2026-01-02T03:04:05Z",
    component: {
      "bom-ref": "root",
      name: "shop",
      hashes: [{ alg: "SHA-256", content: DIGEST }]
    }
  },
  vulnerabilities,
  ...rest
})

const analysed = (state: string, refs: ReadonlyArray<unknown>) => ({
  id: "CVE-1",
  analysis: { state },
  affects: refs.map((ref) => ({ ref }))
})

const contentOf = (read: ReturnType<typeof readJson>) => {
  if (read === null) throw new Error("no format fits")
  return Either.getOrThrow(read)
}

const statementsOf = (vulnerabilities: ReadonlyArray<object>) =>
  contentOf(readJson(document(vulnerabilities))).statements ?? []

const productsOf = (refs: ReadonlyArray<unknown>) =>
  statementsOf([analysed("resolved", refs)]).map(({ product }) => product)

describe("VEX of CycloneDX", () => {
  it.each([
    ["not_affected", "not_affected"],
    ["false_positive", "not_affected"],
    ["resolved", "fixed"],
    ["resolved_with_pedigree", "fixed"],
    ["exploitable", "affected"],
    ["in_triage", "under_investigation"]
  ] as const)("reads %s as %s", (state, status) => {
    const [statement] = statementsOf([analysed(state, ["pkg:npm/a@1"])])
    assert.deepStrictEqual(statement, {
      vulnerability: "CVE-1",
      product: "pkg:npm/a@1",
      status,
      justification: null,
      at: AT
    })
  })

  it("makes no statement of an unknown state, or without an id or a product", () => {
    const { id, ...nameless } = analysed("resolved", ["pkg:npm/a@1"])
    assert.strictEqual(id, "CVE-1")
    const vulnerabilities = [
      analysed("constructor", ["pkg:npm/a@1"]),
      analysed("resolved", ["other", 1, null, "urn:cdx:x/1#%zz", "urn:cdx:x/1#other"]),
      { id: "CVE-2", affects: [{ ref: "pkg:npm/a@1" }] },
      { id: "CVE-3", analysis: { state: "resolved" } },
      nameless
    ]
    const { facts } = contentOf(readJson(document(vulnerabilities)))
    assert.deepStrictEqual([facts.kind, statementsOf(vulnerabilities)], ["vex", []])
  })

  it("finds products by purl, by link and by the root", () => {
    const link = "urn:cdx:3e671687-395b-41f5-a30f-a58921a69b79/1#pkg%3Anpm%2FA%401%3Fx%3Dy"
    assert.deepStrictEqual(productsOf(["pkg:npm/A@1", "pkg:npm/a@1", link]), ["pkg:npm/a@1"])
    assert.deepStrictEqual(productsOf(["root"]), [DIGEST])
    const component = { "bom-ref": "root", purl: "pkg:npm/shop@1" }
    const read = readJson(document([analysed("resolved", ["root"])], { metadata: { component } }))
    assert.deepStrictEqual(contentOf(read).statements?.[0]?.product, "pkg:npm/shop@1")
  })

  it("speaks about the exact versions that an entry names", () => {
    const versions = [{ version: "1" }, { range: "vers:npm/<2" }, { version: "2", status: "x" }]
    const affects = [
      { ref: "pkg:npm/a", versions },
      { ref: "pkg:npm/b@3", versions },
      { ref: "pkg:npm/c", versions: [{ range: "vers:npm/<2" }] }
    ]
    const vulnerability = { id: "CVE-1", analysis: { state: "not_affected" }, affects }
    assert.deepStrictEqual(
      statementsOf([vulnerability]).map(({ product }) => product),
      ["pkg:npm/a@1", "pkg:npm/a@2", "pkg:npm/b@3"]
    )
  })

  it("takes the justification and the newest time of an analysis", () => {
    const read = (analysis: object, rest: object = {}) =>
      statementsOf([
        {
          ...analysed("resolved", ["pkg:npm/a@1"]),
          analysis: { state: "resolved", ...analysis },
          ...rest
        }
      ]).map(({ at, justification }) => [at, justification])[0]
    const firstIssued = "2026-01-02T03:04:06Z"
    const lastUpdated = "2026-01-02T03:04:07Z"
    assert.deepStrictEqual(read({ firstIssued, lastUpdated, detail: "d" }), [AT + 2, "d"])
    assert.deepStrictEqual(read({ firstIssued, justification: "j", detail: "d" }), [AT + 1, "j"])
    assert.deepStrictEqual(read({}, { updated: "2026-01-02T03:04:08Z" }), [AT + 3, null])
    assert.deepStrictEqual(read({ lastUpdated: "yesterday" }), [AT, null])
  })

  it("is a bill of materials as soon as it has a component", () => {
    const components = [{ name: "a" }]
    const vulnerabilities = [analysed("resolved", ["pkg:npm/a@1"])]
    const kindOf = (rest: object, list = vulnerabilities) =>
      contentOf(readJson(document(list, rest))).facts.kind
    assert.strictEqual(kindOf({}), "vex")
    assert.strictEqual(kindOf({ components: [] }), "vex")
    assert.strictEqual(kindOf({ components }), "sbom")
    assert.strictEqual(kindOf({}, []), "sbom")
  })

  it("reads the same from XML", () => {
    const xml = `<bom xmlns="http://cyclonedx.org/schema/bom/1.6"><metadata>
      <timestamp>2026-01-02T03:04:05Z</timestamp>
      <component bom-ref="root"><name>shop</name><hashes><hash alg="SHA-256">${DIGEST}</hash></hashes></component>
    </metadata><vulnerabilities><vulnerability><id>CVE-1</id>
      <analysis><state>not_affected</state><justification>code_not_reachable</justification></analysis>
      <affects><target><ref>root</ref></target><target><ref>pkg:npm/a</ref>
        <versions><version><version>1</version></version></versions></target></affects>
    </vulnerability></vulnerabilities></bom>`
    const read = contentOf(readXml(xml))
    const analysis = { state: "not_affected", justification: "code_not_reachable" }
    const affects = [{ ref: "root" }, { ref: "pkg:npm/a", versions: [{ version: "1" }] }]
    const expected = contentOf(readJson(document([{ id: "CVE-1", analysis, affects }])))
    assert.lengthOf(read.statements ?? [], 2)
    assert.deepStrictEqual(read.statements, expected.statements)
    assert.deepStrictEqual(read.subjects, [{ name: "shop", digest: { sha256: DIGEST } }])
  })

  it("lists a thousand statements, or fewer long ones, and keeps all", () => {
    const refs = Array.from({ length: 1_001 }, (_, index) => `pkg:npm/a@${index}`)
    const long = { ...analysed("resolved", refs), id: "C".repeat(1_000) }
    const factsOf = (vulnerability: object) => {
      const { facts, statements = [] } = contentOf(readJson(document([vulnerability])))
      if (facts.kind !== "vex") throw new Error(`the kind is ${facts.kind}`)
      return { facts, statements }
    }
    const { facts, statements } = factsOf(analysed("resolved", refs))
    assert.lengthOf(statements, 1_001)
    assert.lengthOf(facts.statements, 1_000)
    assert.deepStrictEqual([facts.statement_count, facts.truncated], [1_001, ["statements"]])
    const cut = factsOf(long).facts
    assert.strictEqual(cut.statement_count, 1_001)
    assert.isAbove(cut.statements.length, 100)
    assert.isBelow(JSON.stringify(cut).length, 262_144)
  })

  it("reads 50,000 statements, and refuses one more", () => {
    const refs = Array.from({ length: 1_000 }, (_, index) => `pkg:npm/a@${index}`)
    const vulnerabilities = Array.from({ length: STATEMENTS_MAX / 1_000 }, (_, index) => ({
      ...analysed("resolved", refs),
      id: `CVE-${index}`
    }))
    assert.lengthOf(statementsOf(vulnerabilities), STATEMENTS_MAX)
    assert.strictEqual(
      messageOf(readJson(document([...vulnerabilities, analysed("resolved", ["pkg:npm/a@1"])]))),
      "a document with more than 50000 statements of VEX is not read"
    )
  })
})
