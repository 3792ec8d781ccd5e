/** Scans of Trivy, Grype and Snyk, and the predicates about scans. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { FINDINGS_MAX } from "../../src/internal/scan/ScanContent.js"
import * as Purl from "../../src/Purl.js"
import * as Reading from "./Reading.js"

const DIGEST = "ab".repeat(32)

const TRIVY = {
  SchemaVersion: 2,
  CreatedAt: "2026-11-18T12:00:00.123456789Z",
  ArtifactName: "shop:1",
  ArtifactType: "container_image",
  Trivy: { Version: "0.70.0" },
  Metadata: { ImageID: `sha256:${"cd".repeat(32)}`, RepoDigests: [`shop@sha256:${DIGEST}`] },
  Results: [
    {
      Target: "shop:1 (alpine)",
      Vulnerabilities: [
        {
          VulnerabilityID: "CVE-2026-0001",
          PkgName: "libx",
          PkgIdentifier: { PURL: "pkg:apk/alpine/libx@1.0" },
          FixedVersion: "1.1",
          Severity: "LOW",
          CVSS: { nvd: { V2Score: 10, V3Score: 7.5 }, redhat: { V3Score: 6 } }
        },
        { VulnerabilityID: "CVE-2026-0002", Severity: "MEDIUM" },
        { VulnerabilityID: "CVE-2026-0003", Severity: "UNKNOWN" }
      ],
      Misconfigurations: [
        { ID: "DS-1", Status: "FAIL", Severity: "CRITICAL" },
        { ID: "DS-2", Status: "PASS", Severity: "CRITICAL" },
        { ID: "DS-3", Status: "EXCEPTION", Severity: "CRITICAL" }
      ],
      Secrets: [{ RuleID: "a-key", Severity: "HIGH" }],
      ExperimentalModifiedFindings: [{ Type: "vulnerability", Status: "not_affected" }]
    },
    { Target: "nothing found" }
  ]
}

const GRYPE = {
  matches: [
    {
      vulnerability: {
        id: "GHSA-1",
        severity: "High",
        cvss: [
          { version: "2.0", metrics: { baseScore: 2 } },
          { version: "3.1", metrics: { baseScore: 9.8 } }
        ],
        fix: { versions: ["1.1", "2.0"], state: "fixed" }
      },
      artifact: { name: "x", purl: "pkg:npm/x@1.0" }
    },
    { vulnerability: { id: "CVE-1", severity: "Negligible", cvss: [] }, artifact: {} }
  ],
  ignoredMatches: [{ vulnerability: { id: "CVE-2" } }],
  source: {
    type: "image",
    target: {
      userInput: "shop:1",
      manifestDigest: `sha256:${"ef".repeat(32)}`,
      repoDigests: [`shop@sha256:${DIGEST}`]
    }
  },
  descriptor: {
    name: "grype",
    version: "0.100.0",
    timestamp: "2026-11-18T12:00:00Z",
    db: { status: { built: "2026-11-17T00:00:00Z" } }
  }
}

const SNYK = {
  ok: false,
  dependencyCount: 2,
  packageManager: "npm",
  vulnerabilities: [
    { id: "SNYK-1", severity: "high", cvssScore: 9.8, fixedIn: ["1.1"], name: "x" },
    { id: "SNYK-1", severity: "high", name: "x", from: ["another", "path"] },
    { id: "SNYK-2", severity: "critical" },
    { id: "SNYK-3", severity: "odd" }
  ],
  filtered: { ignore: [{ id: "SNYK-4" }, { id: "SNYK-4" }], patch: [] }
}

describe("a scan of Trivy", () => {
  it("counts vulnerabilities, failed checks and secrets by severity", () => {
    const { facts, findings, subjects } = Reading.contentOf(Reading.json(TRIVY))
    assert.deepStrictEqual(subjects, [{ name: "shop", digest: { sha256: DIGEST } }])
    assert.strictEqual(findings?.length, 5)
    assert.deepStrictEqual(findings?.[0], {
      id: "CVE-2026-0001",
      severity: "high",
      purl: "pkg:apk/alpine/libx@1.0",
      fixed_in: "1.1",
      vex: null
    })
    assert.deepStrictEqual(
      facts.kind === "scan" && [Reading.nonZero(facts.counts), facts.tool, facts.database_at],
      [
        { critical: 1, high: 2, medium: 1, unknown: 1, total: 5, suppressed: 2 },
        { name: "Trivy", version: "0.70.0" },
        null
      ]
    )
    assert.strictEqual(facts.created_at, Date.UTC(2026, 10, 18, 12) / 1_000 + 0.123456)
  })

  it("is clean without results", () => {
    const { Results: _, ...clean } = TRIVY
    assert.deepStrictEqual(Reading.nonZero(Reading.factsOf("scan", Reading.json(clean)).counts), {})
  })

  it("is refused with findings that are none", () => {
    for (const [Results, message] of [
      [{}, "`Results` is not a list"],
      [[null], "`Results[0]` is not an object"],
      [[{ Vulnerabilities: "none" }], "`Results[0].Vulnerabilities` is not a list"],
      [[{}, { Secrets: [{}, 5] }], "`Results[1].Secrets[1]` is not an object"]
    ])
      assert.strictEqual(Reading.problemOf(Reading.json({ ...TRIVY, Results })).message, message)
  })
})

describe("a scan of Grype", () => {
  it("counts matches by severity, and ignored ones apart", () => {
    const { facts, findings, subjects } = Reading.contentOf(Reading.json(GRYPE))
    assert.deepStrictEqual(
      subjects.map(({ name, digest }) => [name, digest.sha256]),
      [
        ["shop", DIGEST],
        ["shop:1", "ef".repeat(32)]
      ]
    )
    assert.deepStrictEqual(findings?.[0], {
      id: "GHSA-1",
      severity: "critical",
      purl: "pkg:npm/x@1.0",
      fixed_in: "1.1, 2.0",
      vex: null
    })
    if (facts.kind !== "scan") assert.fail(facts.kind)
    assert.deepStrictEqual(Reading.nonZero(facts.counts), {
      critical: 1,
      negligible: 1,
      total: 2,
      suppressed: 1
    })
    assert.strictEqual(facts.database_at, Date.UTC(2026, 10, 17) / 1_000)
  })

  it("knows the age of an older database, too", () => {
    const older = { ...GRYPE, descriptor: { db: { built: "2026-11-16T00:00:00Z" } } }
    assert.strictEqual(
      Reading.factsOf("scan", Reading.json(older)).database_at,
      Date.UTC(2026, 10, 16) / 1_000
    )
  })
})

/** The counts of `attestry attest snyk`: each id once for each project, critical ones among the high ones. */
const countsOfCommandLine = (projects: ReadonlyArray<typeof SNYK>) => {
  const all = projects.flatMap(({ vulnerabilities }) => [
    ...new Map(vulnerabilities.map((each) => [each.id, each.severity])).values()
  ])
  const of = (...words: ReadonlyArray<string>) => all.filter((word) => words.includes(word)).length
  const high = of("critical", "high", "error")
  const medium = of("medium", "warning")
  return { high, medium, low: all.length - high - medium }
}

describe("a scan of Snyk", () => {
  it("counts each vulnerability once, by the word of Snyk", () => {
    const facts = Reading.factsOf("snyk", Reading.json(SNYK))
    assert.deepStrictEqual(Reading.nonZero(facts.counts), {
      critical: 1,
      high: 1,
      unknown: 1,
      total: 3,
      suppressed: 1
    })
  })

  it("counts a vulnerability with two severities by the higher one", () => {
    const low = { id: "SNYK-1", severity: "low" }
    const critical = { id: "SNYK-1", severity: "critical" }
    for (const vulnerabilities of [
      [low, critical],
      [critical, low]
    ])
      assert.deepStrictEqual(
        Reading.nonZero(Reading.factsOf("snyk", Reading.json({ ...SNYK, vulnerabilities })).counts),
        { critical: 1, total: 1, suppressed: 1 }
      )
  })

  it("has the projects of a list, and the applications of an image", () => {
    const image = { ...SNYK, docker: {}, applications: [SNYK] }
    const counts = (value: unknown) => Reading.factsOf("snyk", Reading.json(value)).counts.total
    assert.strictEqual(counts([SNYK, SNYK]), 6)
    assert.strictEqual(counts(image), 6)
  })

  it("is refused with a project that was not scanned", () => {
    const failed = { ok: false, error: "no lockfile" }
    assert.strictEqual(
      Reading.problemOf(Reading.json([SNYK, failed])).message,
      "`[1].vulnerabilities` is not a list"
    )
  })

  const words = ["critical", "high", "medium", "low", "odd"]
  it.prop(
    "has the counts of the command line",
    {
      projects: FastCheck.array(
        FastCheck.array(FastCheck.tuple(FastCheck.nat(8), FastCheck.nat(4)), { maxLength: 12 }),
        { minLength: 1, maxLength: 3 }
      )
    },
    ({ projects }) => {
      const scans = projects.map((each) => ({
        ...SNYK,
        filtered: { ignore: [], patch: [] },
        // One id has one severity, as in every file of Snyk.
        vulnerabilities: each.map(([id]) => ({ id: `S-${id}`, severity: words[id % 5] ?? "" }))
      }))
      const { counts } = Reading.factsOf("snyk", Reading.json(scans))
      assert.deepStrictEqual(
        {
          high: counts.critical + counts.high,
          medium: counts.medium,
          low: counts.low + counts.unknown
        },
        countsOfCommandLine(scans)
      )
    }
  )
})

describe("a predicate about a scan", () => {
  const VULNS = "https://in-toto.io/attestation/vulns/v0.2"
  const COSIGN = "https://cosign.sigstore.dev/attestation/vuln/v1"
  const scanner = (result: unknown) => ({
    scanner: {
      uri: "pkg:github/example/scanner@1",
      version: "1.0",
      db: { lastUpdate: "2026-11-17T00:00:00Z" },
      result
    },
    metadata: { scanFinishedOn: "2026-11-18T00:00:00Z" }
  })

  it("of in-toto has a list of vulnerabilities", () => {
    const result = [
      {
        id: "CVE-1",
        severity: [
          { method: "nvd", score: "low" },
          { method: "cvss_score", score: "9.2" }
        ]
      },
      {
        id: "CVE-2",
        severity: [
          { method: "nvd", score: "medium" },
          { method: "x", score: "high" }
        ]
      },
      { vulnerability: { id: "CVE-3", severity: [{ method: "epss", score: "0.9" }] } }
    ]
    const facts = Reading.factsOf("scan", Reading.predicate(VULNS, scanner(result)))
    assert.deepStrictEqual(
      facts.findings.map(({ id, severity }) => [id, severity]),
      [
        ["CVE-1", "critical"],
        ["CVE-2", "high"],
        ["CVE-3", "unknown"]
      ]
    )
    assert.strictEqual(facts.database_at, Date.UTC(2026, 10, 17) / 1_000)
    assert.strictEqual(facts.created_at, Date.UTC(2026, 10, 18) / 1_000)
    assert.deepStrictEqual(facts.tool, { name: "pkg:github/example/scanner@1", version: "1.0" })
  })

  it("of cosign has the report of a scanner, and no subjects of its own", () => {
    for (const report of [TRIVY, GRYPE]) {
      const bare = Reading.contentOf(Reading.json(report))
      const { facts, findings, subjects } = Reading.contentOf(
        Reading.predicate(COSIGN, scanner(report))
      )
      assert.deepStrictEqual(findings, bare.findings)
      assert.deepStrictEqual(subjects, [])
      assert.strictEqual(facts.kind, "scan")
    }
  })

  it("is refused with a result that is not read", () => {
    for (const result of [undefined, null, "clean", {}, { runs: [] }])
      assert.include(
        Reading.problemOf(Reading.predicate(COSIGN, scanner(result))).message,
        "`scanner.result` is no list"
      )
  })
})

describe("the limits of a scan", () => {
  it("are the named number of findings", () => {
    const of = (length: number) => ({
      ...GRYPE,
      matches: Array.from({ length }, () => ({ vulnerability: { id: "CVE-1" } })),
      ignoredMatches: []
    })
    const facts = Reading.factsOf("scan", Reading.json(of(FINDINGS_MAX)))
    assert.strictEqual(facts.counts.unknown, FINDINGS_MAX)
    assert.strictEqual(facts.findings.length, 1_000)
    assert.deepStrictEqual(facts.truncated, ["findings"])
    assert.strictEqual(Reading.problemOf(Reading.json(of(FINDINGS_MAX + 1))).kind, "too_large")
  })

  it("are the named length of a purl", () => {
    const of = (length: number) => ({
      ...GRYPE,
      matches: [{ vulnerability: {}, artifact: { purl: "pkg:npm/".padEnd(length, "a") } }]
    })
    assert.strictEqual(Reading.contentOf(Reading.json(of(Purl.CHARACTERS_MAX))).findings?.length, 1)
    assert.strictEqual(
      Reading.problemOf(Reading.json(of(Purl.CHARACTERS_MAX + 1))).kind,
      "unreadable"
    )
  })
})

describe("the purl of a finding", () => {
  const purlOf = (purl: unknown) =>
    Reading.contentOf(
      Reading.json({ ...GRYPE, matches: [{ vulnerability: {}, artifact: { purl } }] })
    ).findings?.[0]?.purl

  it("is normalised, without qualifiers and subpath", () => {
    assert.strictEqual(
      purlOf("pkg:apk/alpine/libx@1.0?arch=x86_64&distro=3"),
      "pkg:apk/alpine/libx@1.0"
    )
    assert.strictEqual(purlOf("pkg:pypi/Big_Name@1"), "pkg:pypi/big-name@1")
    assert.strictEqual(purlOf("pkg:npm/x@1#lib"), "pkg:npm/x@1")
  })

  it("is null for anything else", () => {
    for (const value of ["", "pkg:", "npm/x", 1, null, "pkg:npm/x\ud800@1"])
      assert.isNull(purlOf(value))
  })
})
