/** Keeps the statements of accepted VEX, and takes away the findings of scans that verified statements deny. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type { WriteContext } from "../../access/internal/WriteContext.js"
import { Journals } from "../../journal/Journals.js"
import type { FlowName, OrgId } from "../../shared/Identifier.js"
import type { AfterVex } from "../AfterVex.js"
import * as AfterVexOf from "../AfterVex.js"
import type { EvidenceFacts, FindingCounts, ScanFinding, VexStatement } from "../EvidenceFacts.js"
import type { EvidenceRecord } from "../EvidenceRecord.js"
import {
  type Deciding,
  decidingOf,
  type KeptStatement,
  PRODUCT_LENGTH_MAX,
  VULNERABILITY_LENGTH_MAX
} from "../KeptStatement.js"
import * as VexDecision from "../VexDecision.js"
import { VexStore } from "../VexStore.js"
import * as EvidenceEntry from "./EvidenceEntry.js"

/** The most findings that are asked about at once. */
export const FINDINGS_ASKED_MAX = 1_000

/** The most images of a scan from which VEX takes findings away. */
export const IMAGES_MAX = 16

/** The most statements of one journal entry. */
export const STATEMENTS_OF_ENTRY_MAX = 500

/** The most statements of a document that are kept. */
export const STATEMENTS_MAX = 50_000

/** The most characters of a justification that is kept. */
export const JUSTIFICATION_LENGTH_MAX = 256

/** A document whose statements are kept. */
export type StatingDocument = Pick<
  EvidenceRecord,
  "digest" | "flows" | "org_id" | "position" | "sequence" | "state"
>

/** A scan, and where its findings count. */
export interface Scanned {
  /** All findings of the scan. */
  readonly findings: ReadonlyArray<ScanFinding>
  /** The SHA-256 digests of the images that were scanned. */
  readonly images: ReadonlyArray<string>
  /** The flow of the artifacts; null where it is not known. */
  readonly flow: FlowName | null
  /** Statements of the same file, which are not kept yet. */
  readonly beside: ReadonlyArray<KeptStatement>
}

const isShort = ({ component, product, vulnerability }: KeptStatement): boolean =>
  vulnerability.length <= VULNERABILITY_LENGTH_MAX &&
  product.length <= PRODUCT_LENGTH_MAX &&
  (component === null || component.length <= PRODUCT_LENGTH_MAX)

/** The beginning of a justification. WHY the end is cut once more: half of a surrogate pair cannot be stored. */
const shortened = (justification: string | null): string | null =>
  justification?.slice(0, JUSTIFICATION_LENGTH_MAX).replace(/[\uD800-\uDBFF]$/, "") ?? null

/** The number of statements that a document has, each about one component or a whole product. */
export const sizeOf = (statements: ReadonlyArray<VexStatement>): number =>
  statements.reduce((total, { subcomponents }) => total + (subcomponents?.length ?? 1), 0)

/** The statements of a document as they are kept; one with a text that is too long is left out, and decides nothing. */
export const keptOf = (
  { digest, flows, org_id, position, sequence, state }: StatingDocument,
  statements: ReadonlyArray<VexStatement>
): ReadonlyArray<KeptStatement> =>
  statements
    .flatMap(({ subcomponents, justification, ...statement }) =>
      (subcomponents ?? [null]).map((component) => ({
        org_id,
        digest,
        position,
        ordinal: 0,
        ...statement,
        component,
        justification: shortened(justification),
        trusted: state === "verified",
        flows,
        sequence
      }))
    )
    .filter(isShort)
    .map((statement, index) => ({ ...statement, ordinal: index + 1 }))

const deniedOf = ({ finding, statement }: VexDecision.DeniedFinding<Deciding>) => {
  const { id, purl, severity } = finding
  const { digest, position, product, status } = statement
  return { id, severity, purl, product, status, digest, position }
}

const afterVexOf = (
  counts: FindingCounts,
  denied: ReadonlyArray<VexDecision.DeniedFinding<Deciding>>
): AfterVex => ({
  counts: VexDecision.without(
    counts,
    denied.map(({ finding }) => finding)
  ),
  denied_count: denied.length,
  denied: denied.slice(0, AfterVexOf.DENIED_LISTED_MAX).map(deniedOf)
})

/** Statements on the store. */
export const make = Effect.gen(function* () {
  const store = yield* VexStore
  const journals = yield* Journals

  /** Keeps the statements of a document in slices. */
  const keep = (
    writer: WriteContext,
    document: StatingDocument,
    statements: ReadonlyArray<VexStatement>
  ) =>
    Effect.forEach(
      Arr.chunksOf(keptOf(document, statements), STATEMENTS_OF_ENTRY_MAX),
      (slice) =>
        Effect.zipRight(
          store.append(document.org_id, slice),
          journals.record({
            ...writer,
            kind: "vex_stated",
            subject: { type: "evidence", id: document.digest },
            content: EvidenceEntry.stated(slice)
          })
        ),
      { discard: true }
    )

  /** The findings of one slice that are taken away. */
  const deniedAmong = Effect.fnUntraced(function* (
    org: OrgId,
    findings: ReadonlyArray<ScanFinding>,
    { beside, flow, images }: Scanned
  ) {
    const purls = [...new Set(findings.flatMap(({ purl }) => (purl === null ? [] : [purl])))]
    const kept = yield* store.listDeciding(org, {
      vulnerabilities: [...new Set(findings.map(({ id }) => id))],
      products: [...new Set([...purls, ...images])],
      components: purls,
      flow
    })
    const own = beside.filter(
      ({ flows }) => flows === null || (flow !== null && flows.includes(flow))
    )
    const statements = VexDecision.index([...kept, ...own].map(decidingOf))
    return VexDecision.denied(findings, { images, statements })
  })

  /** What verified statements take away from a scan; null if they take nothing away. */
  const afterVex = Effect.fnUntraced(function* (
    org: OrgId,
    facts: EvidenceFacts,
    scanned: Scanned
  ) {
    const { findings, images } = scanned
    const isScan = facts.kind === "scan" || facts.kind === "snyk"
    if (!isScan || images.length > IMAGES_MAX) return null
    const denied: Array<VexDecision.DeniedFinding<Deciding>> = []
    // A finding without an id is one that no statement can name.
    for (const slice of Arr.chunksOf(
      findings.filter(({ id }) => id !== ""),
      FINDINGS_ASKED_MAX
    ))
      for (const each of yield* deniedAmong(org, slice, scanned)) denied.push(each)
    return denied.length === 0 ? null : afterVexOf(facts.counts, denied)
  })

  return { afterVex, keep } as const
})
