/** Documents of SPDX 2 and 3 as tools write them, and predicates that hold a bill of materials. */
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import * as BomFormats from "../../src/internal/bom/BomFormats.js"
import {
  cycloneDxJson,
  DIGEST,
  messageOf,
  readJson,
  sbomOf,
  setDigest,
  spdx2,
  spdx3
} from "./BomDocuments.js"

const LIST = {
  root: { purl: "pkg:npm/shop@1", license: null },
  components: [{ purl: "pkg:npm/left-pad@1.3.0", license: "MIT" }]
}

const item = (id: string, rest: object = {}) => ({ SPDXID: id, name: id, ...rest })

const withPackages = (packages: ReadonlyArray<object>, rest: object = {}) =>
  sbomOf(readJson({ ...spdx2(LIST), relationships: [], documentDescribes: [], packages, ...rest }))

const CHECKSUMS = { checksums: [{ algorithm: "SHA256", checksumValue: DIGEST }] }

describe("SPDX 2", () => {
  it.each(["2.2", "2.3"])("reads version %s", (version) => {
    const { facts, subjects } = sbomOf(readJson(spdx2(LIST, version)))
    assert.deepStrictEqual(facts, {
      kind: "sbom",
      format: { name: "spdx", version },
      tool: { name: "maker", version: "1.0" },
      created_at: 1_767_323_045,
      components: { total: 1, with_purl: 1, without_purl: 0 },
      root: { name: "a", version: null, purl: "pkg:npm/shop@1" },
      licenses: [{ license: "MIT", components: 1 }],
      purls: ["pkg:npm/left-pad@1.3.0"],
      set_sha256: setDigest(["pkg:npm/left-pad@1.3.0"]),
      truncated: []
    })
    assert.deepStrictEqual(subjects, [{ name: "a", digest: { sha256: DIGEST } }])
  })

  it.each(["2.0", "2.1", "2.4", "2.10"])("does not read version %s", (version) => {
    const message = `This looks like SPDX ${version}, which is not read yet; 2.2, 2.3 and 3.0 are`
    assert.strictEqual(messageOf(readJson(spdx2(LIST, version))), message)
  })

  it("does not repeat a version that is none", () => {
    const message = "the version of this SPDX document is not a version"
    assert.strictEqual(messageOf(readJson(spdx2(LIST, "2.x"))), message)
    assert.strictEqual(messageOf(readJson(spdx2(LIST, "2."))), message)
    assert.isNull(readJson(spdx2(LIST, "1.0")))
  })

  it("finds the root by the list of the document, and by relationships of both directions", () => {
    const packages = [item("a", CHECKSUMS), item("b")]
    const relationship = (from: string, relationshipType: string, to: string) => ({
      relationships: [{ spdxElementId: from, relationshipType, relatedSpdxElement: to }]
    })
    const document = "SPDXRef-DOCUMENT"
    for (const rest of [
      { documentDescribes: ["a", "other"] },
      relationship(document, "DESCRIBES", "a"),
      relationship("a", "DESCRIBED_BY", document)
    ]) {
      const { facts, subjects } = withPackages(packages, rest)
      assert.deepStrictEqual([facts.root?.name, facts.components.total], ["a", 1])
      assert.deepStrictEqual(subjects, [{ name: "a", digest: { sha256: DIGEST } }])
    }
    for (const rest of [
      relationship("b", "DESCRIBES", "a"),
      relationship(document, "CONTAINS", "a"),
      relationship(document, "DESCRIBED_BY", "a")
    ]) {
      const { facts, subjects } = withPackages(packages, rest)
      assert.deepStrictEqual([facts.root, facts.components.total, subjects], [null, 2, []])
    }
  })

  it("takes every described package for a root, unless there are no others", () => {
    const packages = [item("a", CHECKSUMS), item("b"), item("c")]
    const some = withPackages(packages, { documentDescribes: ["b", "a"] })
    assert.deepStrictEqual([some.facts.root?.name, some.facts.components.total], ["a", 1])
    assert.lengthOf(some.subjects, 1)
    const all = withPackages(packages, { documentDescribes: ["a", "b", "c"] })
    assert.deepStrictEqual(
      [all.facts.root, all.facts.components.total, all.subjects],
      [null, 3, []]
    )
    const alone = withPackages([item("a", CHECKSUMS)], { documentDescribes: ["a"] })
    assert.deepStrictEqual([alone.facts.root?.name, alone.facts.components.total], ["a", 0])
  })

  it("prefers the concluded licence, and takes no word for a missing one", () => {
    const { facts } = withPackages([
      item("a", { licenseConcluded: "MIT", licenseDeclared: "ISC" }),
      item("b", { licenseConcluded: "NONE", licenseDeclared: "ISC" }),
      item("c", { licenseConcluded: "NOASSERTION", licenseDeclared: "NOASSERTION" })
    ])
    assert.deepStrictEqual(facts.licenses, [
      { license: "ISC", components: 1 },
      { license: "MIT", components: 1 }
    ])
  })

  it.each([
    ["Tool: syft-1.4.0", { name: "syft", version: "1.4.0" }],
    ["Tool: trivy-v0.50", { name: "trivy", version: "v0.50" }],
    ["Tool: sbom-tool", { name: "sbom-tool", version: null }],
    ["Tool: x-2-y/3", { name: "x-2-y", version: "3" }],
    ["Organization: o", null]
  ])("reads the tool of %s", (creator, tool) => {
    const { facts } = withPackages([], { creationInfo: { creators: [creator] } })
    assert.deepStrictEqual([facts.tool, facts.created_at], [tool, null])
  })

  it("refuses packages that are no list of objects", () => {
    for (const packages of [{}, [1], "a"])
      assert.strictEqual(
        messageOf(readJson({ ...spdx2(LIST), packages })),
        "packages is not a list of objects"
      )
  })
})

describe("SPDX 3", () => {
  it.each(["3.0.0", "3.0.1", "3.0"])("reads version %s", (version) => {
    const { facts, subjects } = sbomOf(readJson(spdx3(LIST, version)))
    assert.deepStrictEqual(facts, {
      ...sbomOf(readJson(spdx2(LIST))).facts,
      format: { name: "spdx", version }
    })
    assert.deepStrictEqual(subjects, [{ name: "a", digest: { sha256: DIGEST } }])
  })

  it("does not read other versions or contexts", () => {
    assert.strictEqual(
      messageOf(readJson(spdx3(LIST, "3.1"))),
      "This looks like SPDX 3.1, which is not read yet; 2.2, 2.3 and 3.0 are"
    )
    const document = spdx3(LIST)
    const inContext = (context: unknown) => readJson({ ...document, "@context": context })
    assert.isNull(inContext("https://example.org/context.jsonld"))
    assert.isNull(inContext(["https://spdx.org/rdf/3.0.1/spdx-context.jsonld"]))
    assert.strictEqual(
      messageOf(inContext("https://spdx.org/rdf/3.0.1/other.jsonld")),
      "the version of this SPDX document is not a version"
    )
  })

  it("takes purls from identifiers too, and packages of every class", () => {
    const identifier = { externalIdentifierType: "packageUrl", identifier: "pkg:npm/a@1" }
    const other = { externalIdentifierType: "cpe23", identifier: "cpe:2.3:a" }
    const graph = [
      { type: "software_Package", spdxId: "1", externalIdentifier: [other, identifier] },
      { type: "ai_AIPackage", spdxId: "2", externalIdentifier: identifier },
      { type: "dataset_DatasetPackage", spdxId: "3", software_packageUrl: "pkg:npm/b@1" },
      { type: "software_File", spdxId: "4", software_packageUrl: "pkg:npm/c@1" }
    ]
    const { facts, components } = sbomOf(readJson({ ...spdx3(LIST), "@graph": graph }))
    assert.deepStrictEqual(
      components.map(({ purl }) => purl),
      ["pkg:npm/a@1", "pkg:npm/b@1"]
    )
    assert.deepStrictEqual(facts.components, { total: 3, with_purl: 3, without_purl: 0 })
  })

  it("reads a document of one element, and one without a document", () => {
    const { "@context": context } = spdx3(LIST)
    const alone = {
      "@context": context,
      type: "software_Package",
      software_packageUrl: "pkg:npm/a"
    }
    assert.strictEqual(sbomOf(readJson(alone)).facts.components.with_purl, 1)
    const graph = [
      { type: "software_Sbom", spdxId: "bom", rootElement: "root" },
      { type: "software_Package", spdxId: "root", name: "r", creationInfo: { created: "x" } },
      { type: "software_Package", spdxId: "a" }
    ]
    const { facts } = sbomOf(readJson({ "@context": context, "@graph": graph }))
    assert.deepStrictEqual([facts.root?.name, facts.components.total], ["r", 1])
    assert.strictEqual(
      messageOf(readJson({ "@context": context, "@graph": {} })),
      "@graph is not a list of objects"
    )
  })
})

describe("predicates", () => {
  const readerOf = (type: string) =>
    BomFormats.PREDICATES.filter(({ isPredicate }) => isPredicate(type))

  it.each([
    ["https://cyclonedx.org/bom", cycloneDxJson(LIST)],
    ["https://cyclonedx.org/bom/v1.4", cycloneDxJson(LIST)],
    ["https://spdx.dev/Document", spdx2(LIST)],
    ["https://spdx.dev/Document/v2.3", spdx2(LIST)],
    ["https://spdx.dev/Document/v3", spdx3(LIST)]
  ])("reads %s", (type, document) => {
    const [reader, ...others] = readerOf(type)
    assert.isEmpty(others)
    assert.deepStrictEqual(reader?.read(document) ?? null, readJson(document))
  })

  it("refuses content of another format", () => {
    const messages = ["https://cyclonedx.org/bom", "https://spdx.dev/Document"].map((type) => {
      const read = readerOf(type)[0]?.read({}) ?? Either.right(null)
      return Either.isLeft(read) ? read.left.message : null
    })
    assert.deepStrictEqual(messages, [
      "the predicate is not a CycloneDX document",
      "the predicate is not an SPDX document"
    ])
    assert.isEmpty(readerOf("https://slsa.dev/provenance/v1"))
  })
})
