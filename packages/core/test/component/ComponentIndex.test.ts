/** Which rows of the index of components follow from documents. */
import * as ComponentIndex from "@attestry/core/ComponentIndex"
import type { EvidenceFacts, ScanFinding, Subject } from "@attestry/core/EvidenceFacts"
import { Fingerprint } from "@attestry/core/Fingerprint"
import * as Purl from "@attestry/core/Purl"
import * as Slices from "@attestry/core/Slices"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"

const component = (purl: string) => ({ purl, ...Either.getOrThrow(Purl.parse(purl)) })

const finding = (id: string, purl: string | null, severity: ScanFinding["severity"]) => ({
  id,
  purl,
  severity,
  fixed_in: null,
  vex: null
})

const componentsOf = (...documents: ReadonlyArray<Partial<ComponentIndex.IndexedDocument>>) =>
  Slices.runSync(
    ComponentIndex.componentsOf(
      documents.map((document) => ({ components: [], findings: [], ...document }))
    )
  )

const vulnerabilitiesOf = (...documents: ReadonlyArray<ReadonlyArray<ScanFinding>>) =>
  Slices.runSync(
    ComponentIndex.vulnerabilitiesOf(documents.map((findings) => ({ components: [], findings })))
  )

describe("components of documents", () => {
  it("are those of all bills and findings, each once, whatever their order", () => {
    const purls = FastCheck.array(
      FastCheck.constantFrom("pkg:npm/a@1", "pkg:npm/b@1", "pkg:deb/c@2")
    )
    FastCheck.assert(
      FastCheck.property(purls, purls, (listed, found) => {
        const components = listed.map(component)
        const findings = found.map((purl) => finding("CVE-1", purl, "low"))
        const expected = [...new Set([...listed, ...found])].sort()
        for (const documents of [
          [{ components }, { findings }],
          [{ findings }, { components }]
        ])
          assert.deepStrictEqual(componentsOf(...documents), expected.map(component))
      })
    )
  })

  it("leave out what stores cannot keep or index", () => {
    const start = "pkg:npm/"
    const longest = start + "a".repeat(ComponentIndex.PURL_CHARACTERS_MAX - start.length)
    const plain = component("pkg:npm/a@1")
    const components = [
      component(longest),
      { ...plain, purl: `${longest}a` },
      { ...plain, purl: "pkg:npm/b", name: "\0" },
      { ...plain, purl: "pkg:npm/c", version: "\ud800" },
      { ...plain, purl: "pkg:npm/d", type: "?" }
    ]
    const findings = [finding("CVE-1", null, "low"), finding("CVE-1", "none", "low")]
    assert.deepStrictEqual(componentsOf({ components, findings }), [component(longest)])
  })
})

describe("vulnerabilities of documents", () => {
  it("are each pair once, by the first document, with the highest severity", () => {
    const named = vulnerabilitiesOf(
      [finding("CVE-2", "pkg:npm/a", "low"), finding("CVE-1", null, "critical")],
      [finding("CVE-2", "pkg:npm/a", "high"), finding("CVE-1", "pkg:npm/b", "unknown")],
      [finding("CVE-1", "pkg:npm/b", "negligible")]
    )
    assert.deepStrictEqual(named, [
      { document: 1, vulnerability: "CVE-1", purl: "pkg:npm/b", severity: "negligible" },
      { document: 0, vulnerability: "CVE-2", purl: "pkg:npm/a", severity: "high" }
    ])
  })

  it("have names of limited length that stores can keep", () => {
    const longest = "C".repeat(ComponentIndex.VULNERABILITY_CHARACTERS_MAX)
    const ids = [longest, `${longest}C`, "", "\0"]
    const named = vulnerabilitiesOf(ids.map((id) => finding(id, "pkg:npm/a", "low")))
    assert.deepStrictEqual(
      named.map(({ vulnerability }) => vulnerability),
      [longest]
    )
  })
})

describe("the listing of a document", () => {
  const common = {
    format: { name: "a format", version: null },
    tool: null,
    created_at: null,
    digest: "0".repeat(64),
    size: 1,
    subjects: [],
    subject_count: 0,
    truncated: []
  }
  const provenance = {
    ...common,
    kind: "provenance",
    builder_id: null,
    build_type: null,
    build_level: null,
    source: { uri: null, commit: null, ref: null },
    invocation: null,
    parameters_sha256: null,
    parameters: [],
    dependencies: 0
  } as const
  const sbom = {
    ...common,
    kind: "sbom",
    components: { total: 0, with_purl: 0, without_purl: 0 },
    root: null,
    licenses: [],
    purls: [],
    set_sha256: "s"
  } as const
  const listingOf = (facts: EvidenceFacts, digest: Subject["digest"]) =>
    ComponentIndex.listingOf({
      digest: Fingerprint.make("d".repeat(64)),
      position: 2,
      facts,
      subjects: [{ name: null, digest }]
    })
  const [print, commit] = [{ sha256: "ab".repeat(32) }, { gitCommit: "1".repeat(40) }]

  it("has the set of the bill of materials, whatever that is about", () => {
    for (const digest of [print, commit])
      assert.deepStrictEqual(listingOf(sbom, digest), { kind: "sbom", set_digest: "s" })
  })

  it("has a set of its own for provenance of an artifact, and none for that of a commit", () => {
    const set_digest = `provenance:${"d".repeat(64)}:2`
    assert.deepStrictEqual(listingOf(provenance, print), { kind: "provenance", set_digest })
    for (const digest of [commit, { sha512: "ab" }, {}])
      assert.isUndefined(listingOf(provenance, digest))
  })

  it("is none for other kinds", () => {
    assert.isUndefined(listingOf({ ...common, kind: "signature" }, print))
  })
})
