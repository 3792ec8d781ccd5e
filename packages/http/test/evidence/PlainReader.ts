/**
 * A reader of evidence for tests of the wire: each line of a file is a JSON object that says its facts itself.
 *
 * The readers of formats have tests of their own in `evidence-intake`.
 */
import { createHash } from "node:crypto"
import {
  type FactsOf,
  type ScanFinding,
  SEVERITIES,
  type VexStatement
} from "@attestry/core/EvidenceFacts"
import {
  EvidenceIsArchive,
  EvidenceReader,
  EvidenceReadersBusy,
  EvidenceTooLarge,
  EvidenceUnreadable,
  type ReadDocument,
  type ReadRequest
} from "@attestry/core/EvidenceReader"
import * as EvidenceVerification from "@attestry/core/EvidenceVerification"
import * as Purl from "@attestry/core/Purl"
import type { TrustPolicyDocument } from "@attestry/core/TrustPolicyDocument"
import { Effect, Either, Layer } from "effect"

/** What a line says. */
export interface PlainLine {
  readonly kind?: "sbom" | "provenance" | "scan" | "vex"
  readonly findings?: ReadonlyArray<Pick<ScanFinding, "id" | "severity" | "purl">>
  /** How many findings facts list; all without it. */
  readonly listed?: number
  readonly statements?: ReadonlyArray<Partial<VexStatement>>
  /** Makes the file another one, and says nothing. */
  readonly salt?: string
  readonly components?: number
  /** The purls of the components of a bill of materials. */
  readonly purls?: ReadonlyArray<string>
  readonly subjects?: ReadonlyArray<{ readonly [algorithm: string]: string }>
  /** The name of a rule of the trust policy; the document is verified by it. */
  readonly rule?: string
  readonly state?: "failed"
  /** The build level that the rule gives. */
  readonly level?: number
}

/** A file of these lines. */
export const fileOf = (...lines: ReadonlyArray<PlainLine>): string =>
  lines.map((line) => JSON.stringify(line)).join("\n")

const verificationOf = ({ rule, state }: PlainLine, trust: TrustPolicyDocument) => {
  const { UNSIGNED } = EvidenceVerification
  if (state === "failed") return { ...UNSIGNED, state, reason: "bad_signature" as const }
  if (rule === undefined) return UNSIGNED
  return trust.rules.some(({ name }) => name === rule)
    ? {
        ...UNSIGNED,
        state: "verified" as const,
        rule,
        signer: { kind: "key", key_id: "k" } as const
      }
    : { ...UNSIGNED, state: "untrusted" as const, reason: "no_rule" as const }
}

const purlsOf = ({ purls = [] }: PlainLine): ReadonlyArray<string> => [...new Set(purls)].sort()

const setOf = (purls: ReadonlyArray<string>): string =>
  createHash("sha256").update(purls.join("\n")).digest("hex")

const findingsOf = ({ findings = [] }: PlainLine): ReadonlyArray<ScanFinding> =>
  findings.map((each) => ({ ...each, fixed_in: null, vex: null }))

const statementsOf = ({ statements = [] }: PlainLine): ReadonlyArray<VexStatement> =>
  statements.map((each) => ({
    vulnerability: "CVE-1",
    product: "pkg:npm/x@1",
    status: "fixed",
    justification: null,
    at: null,
    ...each
  }))

const countsOf = (findings: ReadonlyArray<ScanFinding>): FactsOf<"scan">["counts"] => {
  const of = (severity: string) => findings.filter((each) => each.severity === severity).length
  const [critical, high, medium, low, negligible] = SEVERITIES.map(of)
  return {
    critical: critical ?? 0,
    high: high ?? 0,
    medium: medium ?? 0,
    low: low ?? 0,
    negligible: negligible ?? 0,
    unknown: of("unknown"),
    total: findings.length,
    suppressed: 0
  }
}

type FactsOfEveryKind = Omit<FactsOf<"signature">, "kind">

const factsOf = (line: PlainLine, common: FactsOfEveryKind): ReadDocument["facts"] => {
  const [findings, statements] = [findingsOf(line), statementsOf(line)]
  const { components: total = 1, listed = findings.length } = line
  switch (line.kind ?? "sbom") {
    case "provenance":
      return {
        kind: "provenance",
        ...common,
        builder_id: "builder",
        build_type: null,
        build_level: null,
        source: { uri: null, commit: null, ref: null },
        invocation: null,
        parameters_sha256: null,
        parameters: [],
        dependencies: 0
      }
    case "scan":
      return {
        kind: "scan",
        ...common,
        counts: countsOf(findings),
        findings: findings.slice(0, listed),
        truncated: listed < findings.length ? ["findings"] : [],
        database_at: null
      }
    case "vex":
      return { kind: "vex", ...common, statements, statement_count: statements.length }
    case "sbom":
      return {
        kind: "sbom",
        ...common,
        components: { total, with_purl: total, without_purl: 0 },
        root: null,
        licenses: [],
        purls: purlsOf(line),
        set_sha256: setOf(purlsOf(line))
      }
  }
}

const read = (line: PlainLine, { bytes, trust }: ReadRequest): ReadDocument => {
  const subjects = (line.subjects ?? []).map((digest) => ({ name: null, digest }))
  const common = {
    format: { name: "plain", version: "1" },
    tool: null,
    created_at: null,
    digest: "0".repeat(64),
    size: bytes.byteLength,
    subjects: subjects.slice(0, 100),
    subject_count: subjects.length,
    truncated: []
  }
  return {
    line: null,
    subjects,
    verification: verificationOf(line, trust),
    buildLevel: line.level ?? null,
    predicateType: null,
    components: purlsOf(line).map((purl) => ({ purl, ...Either.getOrThrow(Purl.parse(purl)) })),
    findings: findingsOf(line),
    statements: statementsOf(line),
    facts: factsOf(line, common)
  }
}

const refusalOf = (text: string) => {
  if (text.startsWith("PK")) return new EvidenceIsArchive()
  if (text === "busy") return new EvidenceReadersBusy()
  return text === "bomb"
    ? new EvidenceTooLarge({ problem: "The file unpacks to more than 5 bytes" })
    : new EvidenceUnreadable({ problem: "a member is not closed", line: 2 })
}

/** The reader. */
export const layer: Layer.Layer<never> = Layer.succeed(EvidenceReader, {
  version: "plain-1",
  read: (request) =>
    Effect.try({
      try: () => {
        const lines = new TextDecoder().decode(request.bytes).split("\n")
        const known: ReadonlyArray<PlainLine> = lines.map((line) => JSON.parse(line))
        return {
          documents: known.map((line) => read(line, request)),
          ignored: []
        }
      },
      catch: () => refusalOf(new TextDecoder().decode(request.bytes))
    })
})
