/**
 * The page of an audit package, for people: what the package is about, its artifacts, and its attestations with their
 * outcomes and files.
 */
import type { ArtifactView } from "@attestry/core/ArtifactViews"
import type { Attestation } from "@attestry/core/Attestation"
import { toWire } from "@attestry/core/AttestationTypePattern"
import type { AuditPackage } from "@attestry/core/AuditPackages"
import type { AttestationStatus } from "@attestry/core/ComplianceStatus"
import type { PackagedReceipt } from "@attestry/core/PackageReceipts"
import * as Either from "effect/Either"
import type { ListedMember } from "./PackageMembers.js"
import { document, escaped, facts, link, outcome, table, time, verdictIn } from "./PackagePage.js"

/** An attestation with the names of its files in the package. */
export interface ShownAttestation {
  readonly attestation: Pick<
    Attestation,
    "name" | "type" | "isCompliant" | "isOverride" | "created_by" | "created_at"
  >
  readonly under: string | null
  readonly files: ReadonlyArray<ListedMember>
}

/** A receipt with its name in the package; null where there is none. */
export interface ShownReceipt extends PackagedReceipt {
  readonly name: string | null
}

const artifactRow = ({ artifact, state }: ArtifactView): ReadonlyArray<string> => [
  escaped(artifact.slot),
  escaped(artifact.report.filename),
  `<code>${escaped(artifact.fingerprint)}</code>`,
  escaped(state),
  `${time(artifact.created_at)}<br>${escaped(artifact.created_by)}`
]

const fileLine = ({ name, size, sha256 }: ListedMember): string =>
  `${link(name)} ` + `(${size} bytes)<br><code>${escaped(sha256)}</code>`

/** The cells of an attestation: name, type, what it is about, outcome, report, files. */
export const attestationRow = ({
  attestation,
  under,
  files
}: ShownAttestation): ReadonlyArray<string> => [
  escaped(attestation.name),
  escaped(toWire(attestation.type)),
  under === null ? "the trail" : escaped(under),
  outcome(attestation.isCompliant) + (attestation.isOverride ? " (override)" : ""),
  `${time(attestation.created_at)}<br>${escaped(attestation.created_by)}`,
  files.length === 0 ? "none" : files.map(fileLine).join("<br>")
]

const receiptRow = ({
  environment,
  fingerprint,
  index,
  name,
  receipt
}: ShownReceipt): ReadonlyArray<string> => [
  `${escaped(environment)}#${index}`,
  `<code>${escaped(fingerprint ?? "")}</code>`,
  Either.isRight(receipt) ? verdictIn(receipt.right) : "unknown",
  name === null || Either.isLeft(receipt)
    ? `no receipt: ${escaped(Either.merge(receipt))}`
    : link(name)
]

const missing = (under: string, statuses: ReadonlyArray<AttestationStatus>) =>
  statuses
    .filter(({ status }) => status === "MISSING")
    .map((one) => [escaped(under), escaped(one.attestation_name), escaped(one.attestation_type)])

const missingRows = ({ trail }: AuditPackage["trail"]["evaluation"]) => [
  ...missing("the trail", trail.attestations_statuses),
  ...Object.entries(trail.artifacts_statuses).flatMap(([slot, { attestations_statuses }]) =>
    missing(slot, attestations_statuses)
  )
]

const about = (given: AuditPackage): ReadonlyArray<readonly [name: string, value: string]> => {
  const { org, at, madeBy, trail: view } = given
  const { flow, trail, evaluation } = view
  return [
    ["Org", escaped(org)],
    ["Flow", escaped(flow.name)],
    ["Trail", escaped(trail.name)],
    ["Description", escaped(trail.description ?? "")],
    ["Commit", `<code>${escaped(trail.git_commit_info?.sha1 ?? "")}</code>`],
    ["Status", `${escaped(evaluation.trail.status)}, ${outcome(evaluation.trail.is_compliant)}`],
    ["Begun", `${time(trail.created_at)} by ${escaped(trail.created_by)}`],
    ["Last changed", time(at)],
    ["Package made by", escaped(madeBy)]
  ]
}

/** The page, as HTML. */
export const print = (
  given: AuditPackage,
  attestations: ReadonlyArray<ShownAttestation>,
  receipts: ReadonlyArray<ShownReceipt>
): string =>
  document(
    `Audit package: ${escaped(given.trail.flow.name)} / ${escaped(given.trail.trail.name)}`,
    [
      facts(about(given)),
      "<h2>Artifacts</h2>",
      table(
        ["Slot", "Name", "Fingerprint", "State", "Reported"],
        given.artifacts.map(artifactRow),
        "None."
      ),
      "<h2>Attestations</h2>",
      table(
        ["Name", "Type", "About", "Outcome", "Reported", "Files"],
        attestations.map(attestationRow),
        "None."
      ),
      "<h2>Expected and missing</h2>",
      table(["About", "Name", "Type"], missingRows(given.trail.evaluation), "Nothing is missing."),
      "<h2>Verdicts</h2>",
      table(
        ["Snapshot", "Artifact", "Verdict", "Receipt"],
        receipts.map(receiptRow),
        "They have run nowhere."
      )
    ]
  )
