/** Bills of materials that are made to break a reader are read in bounded time, or refused. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { COMPONENTS_MAX } from "../../src/internal/bom/Bom.js"
import {
  cycloneDxJson,
  cycloneDxXml,
  messageOf,
  readJson,
  readParsed,
  readXml,
  sbomOf,
  setDigest,
  spdx2,
  spdx3
} from "./BomDocuments.js"

const EMPTY = { root: null, components: [] }
const MANY = `a bill of materials with more than ${COMPONENTS_MAX} components is not read`

const cycloneDx = (components: ReadonlyArray<object>) => ({ ...cycloneDxJson(EMPTY), components })

/** A component in as many others as asked for, made from the inside. */
const nested = (levels: number): object => {
  let component: object = { name: "0", purl: "pkg:npm/a@0" }
  for (let level = 1; level < levels; level += 1)
    component = { name: "a", purl: `pkg:npm/a@${level}`, components: [component] }
  return component
}

const longPurl = (characters: number) => `pkg:npm/${"a".repeat(characters - 8)}`

describe("hostile bills of materials", () => {
  it("are read when components are nested 10,000 deep", () => {
    const read = sbomOf(readParsed(cycloneDx([nested(10_000)])))
    assert.strictEqual(read.facts.components.with_purl, 10_000)
    assert.lengthOf(read.components, 10_000)
  })

  it("are read when 100,000 components have one name", () => {
    const purl = "pkg:npm/a@1"
    const components = Array.from({ length: 100_000 }, () => ({ name: "a", purl }))
    const { facts, components: read } = sbomOf(readJson(cycloneDx(components)))
    assert.lengthOf(read, 1)
    assert.strictEqual(facts.components.total, 100_000)
    assert.strictEqual(facts.set_sha256, setDigest([purl]))
  })

  it("are read when documents describe themselves in circles", () => {
    const relationship = (from: string, type: string, to: string) => ({
      spdxElementId: from,
      relationshipType: type,
      relatedSpdxElement: to
    })
    const relationships = [
      relationship("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-DOCUMENT"),
      relationship("SPDXRef-0", "DEPENDS_ON", "SPDXRef-1"),
      relationship("SPDXRef-1", "DEPENDS_ON", "SPDXRef-0")
    ]
    const components = [
      { purl: "pkg:npm/a@1", license: null },
      { purl: "pkg:npm/b@1", license: null }
    ]
    const list = { root: null, components }
    const read = sbomOf(readJson({ ...spdx2(list), relationships }))
    assert.strictEqual(read.facts.components.total, 2)
    const graph = [
      { type: "SpdxDocument", spdxId: "a", rootElement: ["b", "a"] },
      { type: "software_Sbom", spdxId: "b", rootElement: ["a", "b", "c"] },
      { type: "software_Package", spdxId: "c", rootElement: ["b"] }
    ]
    const circle = sbomOf(readJson({ ...spdx3(EMPTY), "@graph": graph }))
    assert.deepStrictEqual([circle.facts.components.total, circle.facts.root?.purl], [0, null])
  })

  it("take names of objects for data", () => {
    const text = `{"bomFormat":"CycloneDX","specVersion":"1.5","__proto__":{"components":[{}]},
      "components":[{"__proto__":{"purl":"pkg:npm/a@1"},"name":"__proto__",
        "licenses":[{"license":{"id":"__proto__"}},{"license":{"id":"constructor"}}]},
        {"name":"constructor","purl":"pkg:constructor/__proto__@1"}]}`
    const { facts, components } = sbomOf(readJson(JSON.parse(text)))
    assert.deepStrictEqual(
      components.map(({ type, name }) => [type, name]),
      [["constructor", "__proto__"]]
    )
    assert.strictEqual(facts.components.without_purl, 1)
    assert.deepStrictEqual(
      facts.licenses.map(({ license }) => license),
      ["__proto__", "constructor"]
    )
  })

  it("are refused for a purl of more than 4,096 characters", () => {
    const message = "the purl of a component has more than 4096 characters"
    const withPurl = (purl: string) => readJson(cycloneDx([{ name: "a", purl }]))
    assert.strictEqual(sbomOf(withPurl(longPurl(4_096))).facts.components.with_purl, 1)
    assert.strictEqual(messageOf(withPurl(longPurl(4_097))), message)
    assert.strictEqual(messageOf(withPurl(`pkg:npm/${"a/".repeat(50_000)}b`)), message)
    const root = { purl: longPurl(4_097), license: null }
    assert.strictEqual(messageOf(readJson(spdx2({ ...EMPTY, root }))), message)
  })

  it("are read with 200,000 components, and refused with one more", () => {
    const fill = <Item>(item: Item, count: number) => new Array<Item>(count).fill(item)
    const component = { name: "a" }
    const read = sbomOf(readParsed(cycloneDx(fill(component, COMPONENTS_MAX))))
    assert.strictEqual(read.facts.components.without_purl, COMPONENTS_MAX)
    const below = cycloneDx([{ name: "a", components: fill(component, COMPONENTS_MAX) }])
    assert.strictEqual(messageOf(readParsed(below)), MANY)
    assert.strictEqual(messageOf(readParsed(cycloneDx(fill(component, COMPONENTS_MAX + 1)))), MANY)
    const packages = fill({ name: "a" }, COMPONENTS_MAX + 1)
    assert.strictEqual(messageOf(readParsed({ ...spdx2(EMPTY), packages })), MANY)
    const graph = fill({ type: "software_Package" }, COMPONENTS_MAX + 1)
    assert.strictEqual(messageOf(readParsed({ ...spdx3(EMPTY), "@graph": graph })), MANY)
  })

  it("are refused in XML with entities, an internal subset or 100,000 levels", () => {
    const subset = "XML with an internal subset in its document type is not read"
    const bom = cycloneDxXml(EMPTY).replace(/^.*\n/, "")
    assert.strictEqual(messageOf(readXml(`<!DOCTYPE bom [<!ENTITY a "&a;">]>${bom}`)), subset)
    assert.isNotNull(sbomOf(readXml(`<!DOCTYPE bom SYSTEM "http://example.org/a.dtd">${bom}`)))
    const deep = bom.replace("<components>", `<components>${"<component>".repeat(100_000)}`)
    assert.strictEqual(messageOf(readXml(deep)), "this XML has more than 64 levels of elements")
  })

  it.prop(
    "give content or one problem, whatever their members are",
    {
      members: FastCheck.dictionary(
        FastCheck.constantFrom(
          "metadata",
          "components",
          "vulnerabilities",
          "packages",
          "relationships",
          "documentDescribes",
          "creationInfo",
          "@graph"
        ),
        FastCheck.jsonValue({ maxDepth: 3 })
      )
    },
    ({ members }) => {
      const list = { root: { purl: "pkg:npm/r@1", license: null }, components: [] }
      for (const document of [cycloneDxJson(list), spdx2(list), spdx3(list)]) {
        const read = readJson({ ...document, ...members })
        assert.isTrue(messageOf(read) !== null || sbomOf(read).facts.kind === "sbom")
      }
    },
    { fastCheck: { numRuns: 200 } }
  )
})
