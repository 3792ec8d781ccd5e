/** Documents of CycloneDX of every version, as tools write them. */
import { Enums, Models, Serialize, Spec } from "@cyclonedx/cyclonedx-library"
import { assert, describe, it } from "@effect/vitest"
import { LICENSE_CHARACTERS_MAX, NAME_CHARACTERS_MAX } from "../../src/internal/bom/BomContent.js"
import * as BomFormats from "../../src/internal/bom/BomFormats.js"
import {
  cycloneDxJson,
  cycloneDxXml,
  DIGEST,
  messageOf,
  readJson,
  readXml,
  sbomOf,
  setDigest
} from "./BomDocuments.js"

const LIST = {
  root: { purl: "pkg:npm/shop@1", license: null },
  components: [{ purl: "pkg:npm/left-pad@1.3.0", license: "MIT" }]
}

const VERSIONS = ["1.2", "1.3", "1.4", "1.5", "1.6", "1.7"]

const SPECS = [
  Spec.Spec1dot2,
  Spec.Spec1dot3,
  Spec.Spec1dot4,
  Spec.Spec1dot5,
  Spec.Spec1dot6,
  Spec.Spec1dot7
]

/** A document as the library of CycloneDX makes it. */
const made = (): Models.Bom => {
  const component = (name: string, rest: Models.OptionalComponentProperties) =>
    new Models.Component(Enums.ComponentType.Library, name, rest)
  const root = component("shop", {
    group: "@acme",
    version: "2.0.0",
    bomRef: "root",
    purl: "pkg:npm/%40acme/shop@2.0.0",
    hashes: new Models.HashDictionary([[Enums.HashAlgorithm["SHA-256"], DIGEST]])
  })
  const leftPad = component("left-pad", {
    version: "1.3.0",
    purl: "pkg:npm/left-pad@1.3.0",
    bomRef: "1"
  })
  leftPad.licenses.add(new Models.SpdxLicense("MIT"))
  const inner = component("inner", { purl: "pkg:npm/inner@1", bomRef: "2" })
  inner.licenses.add(new Models.LicenseExpression("MIT OR ISC"))
  leftPad.components.add(inner)
  const bom = new Models.Bom({ metadata: new Models.Metadata({ component: root }) })
  bom.metadata.timestamp = new Date(1_767_323_045_000)
  bom.metadata.tools.tools.add(new Models.Tool({ vendor: "v", name: "maker", version: "1.0" }))
  bom.components.add(leftPad)
  bom.components.add(component("file", { bomRef: "3" }))
  leftPad.dependencies.add(inner.bomRef)
  inner.dependencies.add(leftPad.bomRef)
  return bom
}

const EXPECTED = {
  kind: "sbom",
  tool: { name: "maker", version: "1.0" },
  created_at: 1_767_323_045,
  components: { total: 3, with_purl: 2, without_purl: 1 },
  root: { name: "@acme/shop", version: "2.0.0", purl: "pkg:npm/%40acme/shop@2.0.0" },
  licenses: [
    { license: "MIT", components: 1 },
    { license: "MIT OR ISC", components: 1 }
  ],
  purls: ["pkg:npm/inner@1", "pkg:npm/left-pad@1.3.0"],
  set_sha256: setDigest(["pkg:npm/left-pad@1.3.0", "pkg:npm/inner@1"]),
  truncated: []
} as const

describe("CycloneDX", () => {
  it.each(SPECS.map((spec) => [spec.version, spec] as const))(
    "reads what the library writes for %s, cycles of dependencies included",
    (version, spec) => {
      const json = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(spec))
      const text = json.serialize(made(), { sortLists: true })
      assert.include(text, "dependsOn")
      const { facts, subjects } = sbomOf(readJson(JSON.parse(text)))
      assert.deepStrictEqual(facts, { ...EXPECTED, format: { name: "cyclonedx", version } })
      assert.deepStrictEqual(subjects, [{ name: "@acme/shop", digest: { sha256: DIGEST } }])
    }
  )

  it.each(VERSIONS)("reads version %s in both forms", (version) => {
    const json = sbomOf(readJson(cycloneDxJson(LIST, version)))
    const xml = sbomOf(readXml(cycloneDxXml(LIST, version)))
    assert.deepStrictEqual(json.facts.format, { name: "cyclonedx", version })
    assert.deepStrictEqual(xml.facts.format, { name: "cyclonedx-xml", version })
    assert.deepStrictEqual(xml.components, json.components)
  })

  it.each(["1.0", "1.1", "1.8", "1.9", "2.0", "1.10"])("does not read version %s", (version) => {
    const message = `This looks like CycloneDX ${version}, which is not read yet; 1.2 to 1.7 are`
    assert.strictEqual(messageOf(readJson(cycloneDxJson(LIST, version))), message)
    assert.strictEqual(messageOf(readXml(cycloneDxXml(LIST, version))), message)
  })

  it("does not repeat a version that is none", () => {
    const message = "the version of this CycloneDX document is not a version"
    for (const version of ["", "x", "1.5; drop", "1".repeat(100)])
      assert.strictEqual(messageOf(readJson(cycloneDxJson(LIST, version))), message)
    assert.strictEqual(messageOf(readJson({ bomFormat: "CycloneDX" })), message)
    assert.strictEqual(messageOf(readXml(cycloneDxXml(LIST, ""))), message)
  })

  it("reads tools in each of their forms", () => {
    const document = (tools: unknown) => ({ ...cycloneDxJson(LIST), metadata: { tools } })
    const tool = { name: "syft", version: "1.4" }
    const toolOf = (tools: unknown) => sbomOf(readJson(document(tools))).facts.tool
    assert.deepStrictEqual(toolOf([tool, { name: "other" }]), tool)
    assert.deepStrictEqual(toolOf({ components: [tool] }), tool)
    assert.deepStrictEqual(toolOf({ services: [{ name: "s" }] }), { name: "s", version: null })
    assert.deepStrictEqual(toolOf({ components: [{ version: "1" }] }), null)
    assert.deepStrictEqual(toolOf("syft"), null)
    const xml = (tools: string) =>
      sbomOf(readXml(cycloneDxXml(LIST).replace(/<tools>.*<\/tools>/, `<tools>${tools}</tools>`)))
    const inner = "<name>syft</name><version>1.4</version>"
    const written = `<components><component>${inner}</component></components>`
    assert.deepStrictEqual(xml(written).facts.tool, tool)
    assert.deepStrictEqual(xml("").facts.tool, null)
  })

  it("takes components below the root, and never the root itself", () => {
    const root = { name: "r", purl: "pkg:npm/r@1", components: [{ purl: "pkg:npm/below@1" }] }
    const components = [{ purl: "pkg:npm/R@1" }, { purl: "pkg:npm/r@2" }]
    const document = { ...cycloneDxJson(LIST), metadata: { component: root }, components }
    const { facts, components: read } = sbomOf(readJson(document))
    assert.deepStrictEqual(
      read.map(({ purl }) => purl),
      ["pkg:npm/below@1", "pkg:npm/r@2"]
    )
    assert.strictEqual(facts.components.total, 2)
  })

  it("refuses components that are no list of objects", () => {
    const message = "components is not a list of objects"
    for (const components of [{}, "a", [null], [[]], [{ components: 1 }]])
      assert.strictEqual(messageOf(readJson({ ...cycloneDxJson(LIST), components })), message)
  })

  it("takes digests of 64 hexadecimal characters alone", () => {
    const hashes = ["", "3a", "zz".repeat(32), "00".repeat(33), DIGEST, DIGEST.toUpperCase()]
    const component = { name: "r", hashes: hashes.map((content) => ({ alg: "SHA-256", content })) }
    const { subjects } = sbomOf(readJson({ ...cycloneDxJson(LIST), metadata: { component } }))
    assert.deepStrictEqual(subjects, [{ name: "r", digest: { sha256: DIGEST } }])
  })

  it("lists the hundred most frequent licences, and cuts long texts", () => {
    const named = (name: string) => ({ licenses: [{ license: { name } }, { license: { name } }] })
    const long = "é".repeat(LICENSE_CHARACTERS_MAX + 1)
    const halved = `${"a".repeat(NAME_CHARACTERS_MAX - 1)}🦉`
    const components = Array.from({ length: 101 }, (_, index) => named(`license ${index}`))
    const document = (more: ReadonlyArray<object>) => ({
      ...cycloneDxJson(LIST),
      metadata: { component: { name: halved } },
      components: [...components, ...more]
    })
    const { facts } = sbomOf(readJson(document([named(long), named(long), named("license 100")])))
    assert.lengthOf(facts.licenses, 100)
    assert.deepStrictEqual(facts.licenses.slice(0, 3), [
      { license: "license 100", components: 2 },
      { license: "é".repeat(LICENSE_CHARACTERS_MAX), components: 2 },
      { license: "license 0", components: 1 }
    ])
    assert.deepStrictEqual(facts.truncated, ["licenses"])
    assert.strictEqual(facts.root?.name, "a".repeat(NAME_CHARACTERS_MAX - 1))
  })

  it("is recognised by its content alone", () => {
    assert.isNull(readJson({ bomFormat: "cyclonedx", specVersion: "1.5" }))
    assert.isNull(readJson([cycloneDxJson(LIST)]))
    assert.isNull(readXml(`<bom xmlns="http://example.org/bom/1.5"/>`))
    assert.isNull(readXml(`<b xmlns="http://cyclonedx.org/schema/bom/1.5"/>`))
    assert.deepStrictEqual(
      [...BomFormats.JSON, ...BomFormats.XML].map(({ rule, name }) => [rule, name]),
      [
        [5, "cyclonedx"],
        [6, "spdx"],
        [15, "cyclonedx-xml"]
      ]
    )
  })
})
