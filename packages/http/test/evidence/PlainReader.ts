/**
 * A reader of evidence for tests of the wire: each line of a file is a JSON object that says its facts itself.
 *
 * The readers of formats have tests of their own in `evidence-intake`.
 */
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
import type { TrustPolicyDocument } from "@attestry/core/TrustPolicyDocument"
import { Effect, Layer } from "effect"

/** What a line says. */
export interface PlainLine {
  readonly kind?: "sbom" | "provenance"
  readonly components?: number
  readonly subjects?: ReadonlyArray<{ readonly [algorithm: string]: string }>
  /** The name of a rule of the trust policy; the document is verified by it. */
  readonly rule?: string
  readonly state?: "failed"
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
  const total = line.components ?? 1
  return {
    line: null,
    subjects,
    verification: verificationOf(line, trust),
    buildLevel: null,
    predicateType: null,
    components: [],
    findings: [],
    statements: [],
    facts:
      line.kind === "provenance"
        ? {
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
        : {
            kind: "sbom",
            ...common,
            components: { total, with_purl: total, without_purl: 0 },
            root: null,
            licenses: [],
            set_sha256: "0".repeat(64)
          }
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
