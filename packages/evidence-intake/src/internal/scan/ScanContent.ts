/** Builds the content of a scan for vulnerabilities from the findings of its format. */
import { FINDINGS_LISTED_MAX, type ScanFinding, type Subject } from "@attestry/core/EvidenceFacts"
import * as StorableText from "@attestry/core/StorableText"
import * as Either from "effect/Either"
import type { EvidenceProblem } from "../../EvidenceProblem.js"
import * as Purl from "../../Purl.js"
import type { ReadContent } from "../ReadContent.js"
import * as Fields from "./Fields.js"
import * as Listing from "./Listing.js"
import * as Severities from "./Severities.js"

/** The most findings of a scan. */
export const FINDINGS_MAX = 200_000

/** The findings of a scan while it is read. */
export interface ScanReading {
  readonly format: { readonly name: string; readonly version: string | null }
  readonly tool: { readonly name: string; readonly version: string | null } | null
  readonly createdAt: number | null
  readonly databaseAt: number | null
  readonly findings: ReadonlyArray<ScanFinding>
  /** How many findings were taken away: ignored, suppressed or by VEX. */
  readonly suppressed: number
  readonly subjects: ReadonlyArray<Subject>
}

/** A normalised package URL; null for any other value. One that is too long is as it was, and is refused later. */
export const purlOf = (value: unknown): string | null => {
  if (typeof value !== "string" || !value.startsWith("pkg:")) return null
  // WHY: the escapes of half a surrogate pair are those of another text.
  if (StorableText.isUnstorable(value)) return null
  return value.length > Purl.CHARACTERS_MAX
    ? value
    : Either.match(Purl.parse(value), { onLeft: () => null, onRight: ({ purl }) => purl })
}

const problemOf = ({ findings, suppressed }: ScanReading): EvidenceProblem | null => {
  if (findings.length + suppressed > FINDINGS_MAX)
    return Fields.tooLarge(`it has more than ${FINDINGS_MAX} findings`)
  return findings.some(({ purl }) => purl !== null && purl.length > Purl.CHARACTERS_MAX)
    ? Fields.unreadable(`a purl has more than ${Purl.CHARACTERS_MAX} characters`)
    : null
}

/** The counts and the listed findings of a scan, or why it is not read. */
const read = (reading: ScanReading) => {
  const problem = problemOf(reading)
  if (problem !== null) return Either.left(problem)
  const counts = Severities.tally()
  counts.suppressed = reading.suppressed
  for (const { severity } of reading.findings) Severities.add(counts, severity)
  const { listed, truncated } = Listing.cut("findings", reading.findings, {
    max: FINDINGS_LISTED_MAX,
    total: reading.findings.length
  })
  const { format, tool, createdAt } = reading
  return Either.right({
    format,
    tool,
    created_at: createdAt,
    truncated,
    counts: { ...counts },
    findings: listed
  })
}

/** The content of a scan. */
export const scan = (reading: ScanReading): Either.Either<ReadContent, EvidenceProblem> =>
  Either.map(read(reading), (facts) => ({
    facts: { kind: "scan" as const, ...facts, database_at: reading.databaseAt },
    subjects: reading.subjects,
    findings: reading.findings
  }))

/** The content of a scan of Snyk. */
export const snyk = (reading: ScanReading): Either.Either<ReadContent, EvidenceProblem> =>
  Either.map(read(reading), (facts) => ({
    facts: { kind: "snyk" as const, ...facts },
    subjects: reading.subjects,
    findings: reading.findings
  }))
