/** OpenVEX and VEX of CSAF give the same statements: vulnerability, product, status. */
import { STATEMENTS_LISTED_MAX } from "@attestry/core/EvidenceFacts"
import { assert, describe, it } from "@effect/vitest"
import * as VexStatements from "../../src/internal/vex/VexStatements.js"
import * as Purl from "../../src/Purl.js"
import * as Files from "../shared/EvidenceFiles.js"

const AT = Date.UTC(2026, 0, 2, 3, 4, 5) / 1_000

const statement = (changes: { readonly [member: string]: unknown } = {}) => ({
  vulnerability: { name: "CVE-2026-1000" },
  products: [{ "@id": "pkg:npm/left-pad@1.3.0" }],
  status: "fixed",
  ...changes
})

const withStatements = (...statements: ReadonlyArray<unknown>) => Files.openVex({ statements })

const productsOf = (...products: ReadonlyArray<unknown>) =>
  Files.documentOf(withStatements(statement({ products }))).statements.map(({ product }) => product)

describe("OpenVEX", () => {
  it("has a statement for each product", () => {
    const { facts, statements, subjects } = Files.documentOf(Files.openVex())
    assert.deepStrictEqual(statements, [
      {
        vulnerability: "CVE-2026-1000",
        product: "pkg:npm/left-pad@1.3.0",
        status: "not_affected",
        justification: "vulnerable_code_not_present",
        at: AT
      }
    ])
    assert.deepStrictEqual([facts.created_at, subjects], [AT, []])
    assert.deepStrictEqual(facts.kind === "vex" ? facts.statements : null, statements)
  })

  it("identifies products by purl and SHA-256, each once, and by nothing else", () => {
    assert.deepStrictEqual(
      productsOf(
        "pkg:npm/a@1",
        "https://example.org/product",
        { "@id": "https://example.org", identifiers: { purl: "pkg:npm/b@1" } },
        { "@id": "pkg:npm/a@1", hashes: { "sha-256": Files.SHA256.toUpperCase(), md5: "ab" } },
        1
      ),
      ["pkg:npm/a@1", "pkg:npm/b@1", Files.SHA256]
    )
  })

  it("has purls of at most 4,096 characters", () => {
    const purl = "pkg:npm/".padEnd(Purl.CHARACTERS_MAX, "a")
    assert.deepStrictEqual(productsOf(purl), [purl])
    assert.strictEqual(
      Files.messageOf(withStatements(statement({ products: [`${purl}a`] }))),
      "statements[0]: a purl has more than 4096 characters"
    )
  })

  it("is about the subcomponents of a product, where it names some", () => {
    const componentsOf = (
      subcomponents: unknown,
      changes: { readonly [member: string]: unknown } = {}
    ) => {
      const products = [{ "@id": Files.SHA256, subcomponents }]
      const file = withStatements(statement({ products, ...changes }))
      return Files.documentOf(file).statements.map((each) => each.subcomponents)
    }
    const named = [
      { "@id": "pkg:npm/a@1?vcs_url=x" },
      "pkg:npm/b@1",
      { identifiers: { purl: "pkg:npm/a@1" } }
    ]
    assert.deepStrictEqual(componentsOf(named), [["pkg:npm/a@1", "pkg:npm/b@1"]])
    for (const none of [undefined, null, []])
      assert.deepStrictEqual(componentsOf(none), [undefined])
    for (const unknown of [["https://example.org"], {}, "pkg:npm/a@1", [1]])
      assert.deepStrictEqual(componentsOf(unknown), [[]])
    const ofAll = { subcomponents: ["pkg:npm/c@1"] }
    assert.deepStrictEqual(componentsOf([], ofAll), [["pkg:npm/c@1"]])
    assert.deepStrictEqual(componentsOf(["pkg:npm/d@1"], ofAll), [["pkg:npm/d@1"]])
  })

  it("joins the subcomponents of a product that it names twice", () => {
    const product = (...subcomponents: ReadonlyArray<string>) => ({
      "@id": "pkg:npm/a@1",
      subcomponents
    })
    const of = (...products: ReadonlyArray<unknown>) =>
      Files.documentOf(withStatements(statement({ products }))).statements.map(
        (each) => each.subcomponents
      )
    const [b, c] = ["pkg:npm/b@1", "pkg:npm/c@1"] as const
    assert.deepStrictEqual(of(product(b), product(c, b)), [[b, c]])
    assert.deepStrictEqual(of(product(b), product()), [undefined])
    assert.deepStrictEqual(of("pkg:npm/a@1", product(b)), [undefined])
  })

  it("has at most 200,000 subcomponents", () => {
    const components = Array.from({ length: 1_000 }, (_, index) => `pkg:npm/c@${index}`)
    const products = Array.from(
      { length: VexStatements.SUBCOMPONENTS_MAX / components.length },
      (_, index) => `pkg:npm/p@${index}`
    )
    const of = (...more: ReadonlyArray<unknown>) =>
      withStatements(statement({ products, subcomponents: components }), ...more)
    assert.strictEqual(Files.documentOf(of()).statements.length, products.length)
    assert.strictEqual(
      Files.messageOf(of(statement({ subcomponents: ["pkg:npm/d@1"] }))),
      "there are more than 200000 subcomponents of products"
    )
  })

  it("dates a statement by itself, then by the file", () => {
    const { statements } = Files.documentOf(
      withStatements(
        statement({ timestamp: "2026-01-02T03:04:06Z" }),
        statement({ timestamp: "2026-01-02T03:04:06Z", last_updated: "2026-01-02T03:04:07Z" }),
        statement({ timestamp: "yesterday" })
      )
    )
    assert.deepStrictEqual(
      statements.map(({ at }) => at),
      [AT + 1, AT + 2, AT]
    )
  })

  it("is a predicate of in-toto too, about the subjects of the statement", () => {
    const { facts, subjects, statements } = Files.documentOf(
      Files.statement({
        predicateType: "https://openvex.dev/ns/v0.2.0",
        predicate: Files.openVex()
      })
    )
    assert.deepStrictEqual([facts.kind, subjects.length, statements.length], ["vex", 1, 1])
  })

  it("of other versions is named and not read", () => {
    const of = (context: string) => Files.messageOf(Files.openVex({ "@context": context }))
    assert.strictEqual(
      of("https://openvex.dev/ns/v0.3.1"),
      "This looks like OpenVEX 0.3.1, which is not read yet; 0.2 is"
    )
    assert.strictEqual(
      of("https://openvex.dev/nsx"),
      "This looks like OpenVEX, which is not read yet; 0.2 is"
    )
    const { facts } = Files.documentOf(Files.openVex({ "@context": "https://openvex.dev/ns" }))
    assert.isNull(facts.format.version)
  })

  it("is refused with members that are not what they must be", () => {
    const cases: ReadonlyArray<readonly [unknown, string]> = [
      [Files.openVex({ statements: {} }), "statements is not a list"],
      [withStatements(1), "statements[0] is not an object"],
      [
        withStatements(statement(), statement({ vulnerability: 1 })),
        "statements[1].vulnerability has no name"
      ],
      [withStatements(statement({ status: "maybe" })), "statements[0].status is none of OpenVEX"]
    ]
    for (const [file, message] of cases) assert.strictEqual(Files.messageOf(file), message)
  })

  it("has at most 50,000 statements, of which facts list 1,000", () => {
    const many = (count: number) =>
      withStatements(
        statement({ products: Array.from({ length: count }, (_, index) => `pkg:npm/a@${index}`) })
      )
    const { facts, statements } = Files.documentOf(many(VexStatements.STATEMENTS_MAX))
    assert.strictEqual(statements.length, VexStatements.STATEMENTS_MAX)
    assert.deepStrictEqual(
      facts.kind === "vex" ? [facts.statement_count, facts.statements.length, facts.truncated] : [],
      [VexStatements.STATEMENTS_MAX, STATEMENTS_LISTED_MAX, ["statements"]]
    )
    assert.strictEqual(
      Files.messageOf(many(VexStatements.STATEMENTS_MAX + 1)),
      "there are more than 50000 statements"
    )
  })
})

describe("VEX of CSAF", () => {
  it("names products by their ids in the tree", () => {
    const { facts, statements } = Files.documentOf(Files.csaf())
    const common = { vulnerability: "CVE-2026-1000", at: AT }
    const purl = "pkg:npm/left-pad@1.3.0"
    const status = "not_affected"
    assert.deepStrictEqual(statements, [
      { ...common, product: purl, status, justification: "component_not_present" },
      {
        ...common,
        product: Files.SHA256,
        status,
        justification: "inline_mitigations_already_exist"
      },
      { ...common, product: purl, status: "fixed", justification: null }
    ])
    assert.deepStrictEqual(facts.tool, { name: "maker", version: "2.1" })
  })

  it("of other versions and categories is not read", () => {
    const of = (document: unknown) => Files.messageOf(Files.csaf({ document }))
    assert.strictEqual(
      of({ csaf_version: "2.1", category: "csaf_vex" }),
      "This looks like CSAF 2.1, which is not read yet; 2.0 is"
    )
    assert.strictEqual(
      of({ csaf_version: "2.0", category: "csaf_base" }),
      "document.category is not csaf_vex; of CSAF only VEX is read"
    )
  })

  it("needs a name of each vulnerability", () => {
    const of = (vulnerability: unknown) => Files.csaf({ vulnerabilities: [vulnerability] })
    const product_status = { known_affected: ["P1"] }
    assert.strictEqual(
      Files.messageOf(of({ product_status })),
      "vulnerabilities[0] has no cve and no id"
    )
    const { statements } = Files.documentOf(of({ product_status, ids: [{ text: "GHSA-1" }] }))
    assert.deepStrictEqual(
      statements.map(({ vulnerability, status }) => [vulnerability, status]),
      [["GHSA-1", "affected"]]
    )
  })

  it("has flags of at most a million products, with those of groups counted each time", () => {
    const file = (groups: number) =>
      Files.csaf({
        product_tree: {
          product_groups: [{ group_id: "G1", product_ids: new Array(999).fill("P1") }]
        },
        vulnerabilities: [
          {
            cve: "CVE-2026-1000",
            flags: [{ label: "component_not_present", group_ids: new Array(groups).fill("G1") }]
          }
        ]
      })
    assert.strictEqual(Files.documentOf(file(999)).facts.kind, "vex")
    for (const groups of [1_000, 100_000])
      assert.strictEqual(Files.messageOf(file(groups)), "flags name more than 1000000 products")
  })
})
