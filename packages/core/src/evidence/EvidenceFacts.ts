/**
 * The facts of an evidence file: what its content says, in one form for all formats of a kind.
 *
 * Facts are the `attestation_data` of the attestation, so members have the spelling of the wire. Long lists are cut,
 * and `truncated` names those that were.
 */
import * as Schema from "effect/Schema"
import type { EvidenceKind } from "./EvidenceKind.js"

/** The most bytes of the facts of a file as JSON. */
export const BYTES_MAX = 262_144
/** The most subjects of a file. */
export const SUBJECTS_MAX = 1_024
/** The most subjects that facts list. */
export const SUBJECTS_LISTED_MAX = 100
/** The most findings that facts list. */
export const FINDINGS_LISTED_MAX = 1_000
/** The most statements of VEX that facts list. */
export const STATEMENTS_LISTED_MAX = 1_000
/** The most names of failed tests that facts list. */
export const FAILED_LISTED_MAX = 100
/** The most licences that facts list. */
export const LICENSES_LISTED_MAX = 100
/** The most purls that facts list. */
export const PURLS_LISTED_MAX = 2_000
/** The most bytes of a predicate that facts keep whole. */
export const PREDICATE_BYTES_MAX = 65_536

const Count = Schema.Int.pipe(Schema.nonNegative())

const NamedVersion = Schema.Struct({
  name: Schema.String,
  version: Schema.NullOr(Schema.String)
})

/** Something that a file is about: digests by algorithm, such as `sha256` and `gitCommit`. */
export const Subject = Schema.Struct({
  name: Schema.NullOr(Schema.String),
  digest: Schema.Record({ key: Schema.String, value: Schema.String })
}).annotations({ identifier: "EvidenceSubject" })
/** Something that a file is about. */
export type Subject = typeof Subject.Type

/** The severities, from the highest to the lowest. */
export const SEVERITIES = ["critical", "high", "medium", "low", "negligible"] as const

/** The severity of a finding; `unknown` reaches every threshold. */
export const Severity = Schema.Literal(...SEVERITIES, "unknown").annotations({
  identifier: "FindingSeverity"
})
/** The severity of a finding. */
export type Severity = typeof Severity.Type

/** Findings by severity; suppressed ones count in `suppressed` alone. */
export const FindingCounts = Schema.Struct({
  critical: Count,
  high: Count,
  medium: Count,
  low: Count,
  negligible: Count,
  unknown: Count,
  total: Count,
  suppressed: Count
})
/** Findings by severity. */
export type FindingCounts = typeof FindingCounts.Type

/** A vulnerability that a scan found in a component. */
export const ScanFinding = Schema.Struct({
  id: Schema.String,
  severity: Severity,
  purl: Schema.NullOr(Schema.String),
  fixed_in: Schema.NullOr(Schema.String),
  /** The status that a VEX document gives it; null without one. */
  vex: Schema.NullOr(Schema.String)
})
/** A vulnerability that a scan found in a component. */
export type ScanFinding = typeof ScanFinding.Type

/** A result of an analysis of code. */
export const AnalysisFinding = Schema.Struct({
  rule_id: Schema.NullOr(Schema.String),
  level: Schema.NullOr(Schema.String),
  severity: Severity,
  uri: Schema.NullOr(Schema.String),
  line: Schema.NullOr(Schema.Int)
})
/** A result of an analysis of code. */
export type AnalysisFinding = typeof AnalysisFinding.Type

const Covered = Schema.Struct({ covered: Count, total: Count, percent: Schema.Number })

const common = {
  format: NamedVersion,
  /** The tool that made the file. */
  tool: Schema.NullOr(NamedVersion),
  /** When the file was made, in epoch seconds, as it says itself. */
  created_at: Schema.NullOr(Schema.Number),
  /** The SHA-256 of the file as sent. */
  digest: Schema.String,
  size: Count,
  /** The first subjects; `subject_count` counts all. */
  subjects: Schema.Array(Subject),
  subject_count: Count,
  /** The members whose lists were cut. */
  truncated: Schema.Array(Schema.String)
}

const of = <Kind extends EvidenceKind, Fields extends Schema.Struct.Fields>(
  kind: Kind,
  fields: Fields
) => Schema.Struct({ kind: Schema.Literal(kind), ...common, ...fields })

const text = Schema.NullOr(Schema.String)

/** SLSA provenance. `build_level` is the rule's, never the document's, and null before verification. */
export const ProvenanceFacts = of("provenance", {
  builder_id: text,
  build_type: text,
  build_level: Schema.NullOr(Schema.Int),
  source: Schema.Struct({ uri: text, commit: text, ref: text }),
  invocation: text,
  /** The SHA-256 of the external parameters in canonical JSON. */
  parameters_sha256: text,
  /** The names of the external parameters, sorted. */
  parameters: Schema.Array(Schema.String),
  dependencies: Count
})
/** A verification summary of SLSA, or a simple verification result. */
export const VerificationFacts = of("verification", {
  verifier: text,
  result: text,
  levels: Schema.Array(Schema.String),
  policy: Schema.Struct({ uri: text, sha256: text }),
  verified_at: Schema.NullOr(Schema.Number)
})
/** A bill of materials. `set_sha256` is the digest of its sorted purls. */
export const SbomFacts = of("sbom", {
  components: Schema.Struct({ total: Count, with_purl: Count, without_purl: Count }),
  root: Schema.NullOr(Schema.Struct({ name: text, version: text, purl: text })),
  /** The most frequent licences, each with the number of components. */
  licenses: Schema.Array(Schema.Struct({ license: Schema.String, components: Count })),
  /** The first purls, sorted. */
  purls: Schema.Array(Schema.String),
  set_sha256: Schema.String
})
/** A scan for vulnerabilities. `database_at` is the age of the scanner's database. */
export const ScanFacts = of("scan", {
  counts: FindingCounts,
  findings: Schema.Array(ScanFinding),
  database_at: Schema.NullOr(Schema.Number)
})
/** An analysis of code. */
export const AnalysisFacts = of("analysis", {
  counts: FindingCounts,
  findings: Schema.Array(AnalysisFinding)
})

const tests = {
  tests: Schema.Struct({
    total: Count,
    passed: Count,
    failed: Count,
    skipped: Count,
    other: Count,
    flaky: Count
  }),
  /** In seconds. */
  duration: Schema.NullOr(Schema.Number),
  /** The names of the first failed tests. */
  failed: Schema.Array(Schema.String)
}

/** The results of tests. */
export const TestsFacts = of("tests", tests)
/** The results of tests in the form of JUnit. */
export const JunitFacts = of("junit", tests)
/** A scan of Snyk. */
export const SnykFacts = of("snyk", {
  counts: FindingCounts,
  findings: Schema.Array(ScanFinding)
})
/** The coverage of tests. */
export const CoverageFacts = of("coverage", {
  lines: Schema.NullOr(Covered),
  branches: Schema.NullOr(Covered)
})
/** A statement of VEX about a vulnerability in a product, which is a purl or a SHA-256. */
export const VexStatement = Schema.Struct({
  vulnerability: Schema.String,
  product: Schema.String,
  /** The purls of the components of the product that the statement is about; absent for the whole product. */
  subcomponents: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  status: Schema.Literal("not_affected", "affected", "fixed", "under_investigation"),
  justification: text,
  at: Schema.NullOr(Schema.Number)
})
/** A statement of VEX. */
export type VexStatement = typeof VexStatement.Type
/** Statements of VEX. */
export const VexFacts = of("vex", {
  statements: Schema.Array(VexStatement),
  statement_count: Count
})
/** The signature of a file, which is the subject. */
export const SignatureFacts = of("signature", {})
/** A statement of in-toto whose predicate has no kind of its own. */
export const StatementFacts = of("statement", {
  predicate_type: Schema.String,
  /** Null for a predicate of 64 KiB or more. */
  predicate: Schema.NullOr(Schema.Record({ key: Schema.String, value: Schema.Unknown })),
  predicate_sha256: Schema.String
})

/** The facts of a file. */
export const EvidenceFacts = Schema.Union(
  ProvenanceFacts,
  VerificationFacts,
  SbomFacts,
  ScanFacts,
  AnalysisFacts,
  TestsFacts,
  JunitFacts,
  SnykFacts,
  CoverageFacts,
  VexFacts,
  SignatureFacts,
  StatementFacts
).annotations({ identifier: "EvidenceFacts" })
/** The facts of a file. */
export type EvidenceFacts = typeof EvidenceFacts.Type

/** The facts of a kind. */
export type FactsOf<Kind extends EvidenceKind> = Extract<EvidenceFacts, { readonly kind: Kind }>
