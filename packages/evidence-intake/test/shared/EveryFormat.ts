/** A file of each format that is read, and generators of other spellings and of damaged bytes of them. */
import { FastCheck } from "effect"
import * as Bom from "../bom/BomDocuments.js"
import * as Files from "./EvidenceFiles.js"

/** A file: a value of JSON, or a text. */
export interface Sample {
  /** The name of the format in messages. */
  readonly format: string
  readonly content: unknown
}

const LIST: Bom.List = {
  root: { purl: "pkg:npm/shop@1.0.0", license: null },
  components: [
    { purl: "pkg:npm/a@1.0.0", license: "MIT" },
    { purl: "pkg:npm/b@2.0.0", license: null },
    { purl: null, license: "MIT" }
  ]
}

const sarif = {
  version: "2.1.0",
  runs: [
    {
      tool: { driver: { name: "linter", version: "1", rules: [{ id: "r" }] } },
      results: [{ ruleId: "r", level: "error" }, { ruleId: "s" }]
    }
  ]
}

const ctrf = {
  reportFormat: "CTRF",
  results: {
    tool: { name: "runner" },
    summary: { tests: 2, passed: 1, failed: 1, pending: 0, skipped: 0, other: 0 },
    tests: [
      { name: "a", status: "passed", duration: 1 },
      { name: "b", status: "failed", duration: 1 }
    ]
  }
}

const trivy = {
  SchemaVersion: 2,
  CreatedAt: "2026-11-18T12:00:00Z",
  ArtifactName: "shop:1",
  Metadata: { RepoDigests: [`shop@sha256:${Files.SHA256}`] },
  Results: [
    {
      Target: "shop:1",
      Vulnerabilities: [
        {
          VulnerabilityID: "CVE-2026-0001",
          PkgIdentifier: { PURL: "pkg:apk/alpine/libx@1.0" },
          Severity: "LOW"
        }
      ]
    }
  ]
}

const grype = {
  matches: [
    {
      vulnerability: { id: "GHSA-1", severity: "High", cvss: [], fix: { versions: ["1.1"] } },
      artifact: { name: "x", purl: "pkg:npm/x@1.0" }
    }
  ],
  source: { type: "image", target: { userInput: "shop:1" } },
  descriptor: { name: "grype", version: "0.100.0", timestamp: "2026-11-18T12:00:00Z" }
}

const snyk = {
  ok: false,
  dependencyCount: 2,
  packageManager: "npm",
  vulnerabilities: [{ id: "SNYK-1", severity: "high", name: "x" }]
}

const summary = {
  total: {
    lines: { total: 3, covered: 2, pct: 66.66 },
    branches: { total: 4, covered: 1, pct: 25 }
  }
}

const verification = Files.statement({
  predicateType: "https://slsa.dev/verification_summary/v1",
  predicate: {
    verifier: { id: "https://verify.example.org/a" },
    timeVerified: "2026-01-02T03:04:05Z",
    resourceUri: "pkg:npm/shop",
    policy: { uri: "https://example.org/policy" },
    verificationResult: "PASSED",
    verifiedLevels: ["SLSA_BUILD_LEVEL_3"]
  }
})

const testResult = Files.statement({
  predicateType: "https://in-toto.io/attestation/test-result/v0.1",
  predicate: { result: "FAILED", passedTests: ["a"], failedTests: ["b"] }
})

const signedBom = Files.envelope(
  Files.statement({
    predicateType: "https://cyclonedx.org/bom",
    predicate: Bom.cycloneDxJson(LIST)
  })
)

/** Files of JSON, of each format one at least. */
export const JSON_SAMPLES: ReadonlyArray<Sample> = [
  { format: "sigstore-bundle", content: Files.bundle() },
  { format: "sigstore-bundle", content: Files.fileBundle() },
  { format: "dsse", content: signedBom },
  { format: "github-attestations", content: Files.answer(Files.bundle(), Files.fileBundle()) },
  { format: "in-toto-statement", content: Files.provenanceStatement() },
  { format: "in-toto-statement", content: verification },
  { format: "in-toto-statement", content: testResult },
  { format: "cyclonedx", content: Bom.cycloneDxJson(LIST) },
  { format: "spdx", content: Bom.spdx2(LIST) },
  { format: "spdx", content: Bom.spdx3(LIST) },
  { format: "openvex", content: Files.openVex() },
  { format: "SARIF", content: sarif },
  { format: "CTRF", content: ctrf },
  { format: "Trivy", content: trivy },
  { format: "Grype", content: grype },
  { format: "Snyk", content: snyk },
  { format: "csaf-vex", content: Files.csaf() },
  { format: "istanbul coverage summary", content: summary }
]

/** Files of XML, and one of lines. */
export const TEXT_SAMPLES: ReadonlyArray<Sample> = [
  { format: "cyclonedx-xml", content: Bom.cycloneDxXml(LIST).replace(/^<\?xml.*\?>\n/, "") },
  {
    format: "JUnit XML",
    content:
      '<testsuites><testsuite name="s" tests="2"><testcase classname="A" name="a" time="0.5"/>' +
      '<testcase name="b"><failure message="no"/></testcase></testsuite></testsuites>'
  },
  {
    format: "Cobertura XML",
    content:
      '<coverage line-rate="0.5" lines-covered="1" lines-valid="2" branches-covered="0" branches-valid="0"/>'
  },
  {
    format: "JaCoCo XML",
    content:
      '<report name="shop"><counter type="LINE" missed="1" covered="2"/>' +
      '<counter type="BRANCH" missed="1" covered="1"/></report>'
  },
  {
    format: "Clover XML",
    content:
      '<coverage generated="1790000000"><project><metrics statements="4" coveredstatements="2" ' +
      'conditionals="2" coveredconditionals="1"/></project></coverage>'
  },
  { format: "LCOV", content: "TN:\nSF:a.js\nDA:1,1\nDA:2,0\nLF:2\nLH:1\nend_of_record\n" }
]

/** A file of each format. */
export const ALL: ReadonlyArray<Sample> = [...JSON_SAMPLES, ...TEXT_SAMPLES]

const order = FastCheck.array(FastCheck.nat(), { minLength: 8, maxLength: 8 })

/** The value with the members of each object in another order, which the numbers decide. */
const shuffled = (value: unknown, ranks: ReadonlyArray<number>): unknown => {
  if (Array.isArray(value)) return value.map((item) => shuffled(item, ranks))
  if (typeof value !== "object" || value === null) return value
  const members = Object.entries(value).map(
    ([key, item], at) => [ranks[at % ranks.length] ?? 0, key, shuffled(item, ranks)] as const
  )
  members.sort(([left], [right]) => left - right)
  return Object.fromEntries(members.map(([, key, item]) => [key, item]))
}

/** The attributes of each element in another order, and space after each element. */
const respelled = (text: string, space: string): string =>
  text
    .replace(/<([\w:]+)((?: [\w:-]+="[^"]*")+)/g, (_, name: string, attributes: string) => {
      const all = attributes.match(/ [\w:-]+="[^"]*"/g) ?? []
      return `<${name}${[...all].reverse().join(`${space} `)}`
    })
    .replaceAll("><", `>${space}<`)

const space = FastCheck.constantFrom("", " ", "\t", "\n\n  ", "\r\n")

/** A sample, and the same one with other white space, another order of members and perhaps a byte order mark. */
export const spellings = FastCheck.record({
  sample: FastCheck.constantFrom(...ALL),
  before: space,
  within: space,
  ranks: order,
  indent: FastCheck.nat(4),
  mark: FastCheck.constantFrom("", "\ufeff")
}).map(({ before, indent, mark, ranks, sample: { content, format }, within }) => {
  const isText = typeof content === "string"
  const changed = isText
    ? format === "LCOV"
      ? content
      : respelled(content, within)
    : JSON.stringify(shuffled(content, ranks), null, indent)
  return {
    format,
    original: Files.bytesOf(content),
    changed: Files.bytesOf(`${mark}${before}${changed}${before}`)
  }
})

/**
 * A part of a whole, each equally likely. WHY no double: most doubles between 0 and 1 are next to nothing.
 */
export const part: FastCheck.Arbitrary<number> = FastCheck.nat(10_000).map((at) => at / 10_000)

/** Tokens that formats give a meaning to, and bytes that none has. */
const pieces = FastCheck.oneof(
  FastCheck.constantFrom(
    ...["{", "}", "[", "]", '"', ",", ":", "<", ">", "&a;", "<!DOCTYPE a [", "\\ud800", "null"],
    ...["1e999", "-1", "__proto__", '"__proto__":1,', "\0", "\ufeff", "\n", "end_of_record", "SF:"]
  ).map((text) => Files.bytesOf(text)),
  FastCheck.uint8Array({ minLength: 1, maxLength: 4 })
)

/** A sample with some bytes replaced, removed or put in, and perhaps the end cut off. */
export const damaged = FastCheck.record({
  sample: FastCheck.constantFrom(...ALL),
  changes: FastCheck.array(
    FastCheck.record({
      at: part,
      removed: FastCheck.nat(3),
      piece: pieces
    }),
    { maxLength: 4 }
  ),
  kept: FastCheck.oneof(
    { arbitrary: FastCheck.constant(1), weight: 3 },
    { arbitrary: part, weight: 1 }
  )
}).map(({ changes, kept, sample }) => {
  let bytes = Buffer.from(Files.bytesOf(sample.content))
  for (const { at, piece, removed } of changes) {
    const place = Math.floor(at * bytes.length)
    bytes = Buffer.concat([bytes.subarray(0, place), piece, bytes.subarray(place + removed)])
  }
  return Uint8Array.from(bytes.subarray(0, Math.ceil(kept * bytes.length)))
})
