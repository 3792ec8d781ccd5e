/**
 * The page of an audit package, for people: what the package is about, its artifacts, and its attestations with their
 * outcomes and files.
 *
 * It loads nothing, runs nothing, and every text of users is escaped.
 */
import type { ArtifactView } from "@attestry/core/ArtifactViews"
import type { Attestation } from "@attestry/core/Attestation"
import { toWire } from "@attestry/core/AttestationTypePattern"
import type { AuditPackage } from "@attestry/core/AuditPackages"
import type { AttestationStatus } from "@attestry/core/ComplianceStatus"
import type { PackagedReceipt } from "@attestry/core/PackageReceipts"
import * as Receipt from "@attestry/core/Receipt"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { ListedMember } from "./PackageMembers.js"

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

const ESCAPES: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/** Characters that show nothing, or that change how the characters around them are shown. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

const escaped = (text: string): string =>
  text.replaceAll(INVISIBLE, "\uFFFD").replaceAll(/[&<>"']/g, (mark) => ESCAPES[mark] ?? mark)

const time = (at: Timestamp.Timestamp): string =>
  `${new Date(Math.floor(Timestamp.toSeconds(at)) * 1000).toISOString().slice(0, 19)}Z`

const STYLE = `
body { font: 14px/1.45 system-ui, sans-serif; color: #111; margin: 2rem auto; max-width: 70rem; padding: 0 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2rem }
table { border-collapse: collapse; width: 100% }
th, td { border-bottom: 1px solid #bbb; padding: .35rem .5rem; text-align: left; vertical-align: top }
td { overflow-wrap: anywhere }
thead { display: table-header-group } tr { break-inside: avoid }
code { font: 12px/1.4 ui-monospace, monospace }
.bad { font-weight: bold }
@media print { body { margin: 0; max-width: none; font-size: 10pt } a { color: inherit; text-decoration: none } }
@page { margin: 15mm }
`

const table = (
  heads: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  none: string
): string => {
  if (rows.length === 0) return `<p>${none}</p>`
  const head = heads.map((one) => `<th scope="col">${one}</th>`).join("")
  const body = rows
    .map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`)
    .join("\n")
  return `<table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body}\n</tbody>\n</table>`
}

const outcome = (isCompliant: boolean): string =>
  isCompliant ? "compliant" : '<span class="bad">not compliant</span>'

const artifactRow = ({ artifact, state }: ArtifactView): ReadonlyArray<string> => [
  escaped(artifact.slot),
  escaped(artifact.report.filename),
  `<code>${escaped(artifact.fingerprint)}</code>`,
  escaped(state),
  `${time(artifact.created_at)}<br>${escaped(artifact.created_by)}`
]

const fileLine = ({ name, size, sha256 }: ListedMember): string =>
  `<a href="${escaped(name)}">${escaped(name.slice(name.lastIndexOf("/") + 1))}</a> ` +
  `(${size} bytes)<br><code>${escaped(sha256)}</code>`

const attestationRow = ({ attestation, under, files }: ShownAttestation): ReadonlyArray<string> => [
  escaped(attestation.name),
  escaped(toWire(attestation.type)),
  under === null ? "the trail" : escaped(under),
  outcome(attestation.isCompliant) + (attestation.isOverride ? " (override)" : ""),
  `${time(attestation.created_at)}<br>${escaped(attestation.created_by)}`,
  files.length === 0 ? "none" : files.map(fileLine).join("<br>")
]

const VERDICTS: { readonly [verdict: string]: string } = {
  Compliant: "compliant",
  NonCompliant: '<span class="bad">not compliant</span>',
  Unknown: "not evaluated"
}

/** The verdict that a receipt says. */
const verdictIn = (receipt: string): string =>
  Option.match(Receipt.read(receipt), {
    onNone: () => "unknown",
    onSome: ({ verdict }) => VERDICTS[verdict] ?? "unknown"
  })

const receiptRow = ({
  environment,
  fingerprint,
  index,
  name,
  receipt
}: ShownReceipt): ReadonlyArray<string> => [
  `${escaped(environment)}#${index}`,
  `<code>${escaped(fingerprint)}</code>`,
  Either.isRight(receipt) ? verdictIn(receipt.right) : "unknown",
  name === null || Either.isLeft(receipt)
    ? `no receipt: ${escaped(Either.merge(receipt))}`
    : `<a href="${escaped(name)}">${escaped(name.slice(name.lastIndexOf("/") + 1))}</a>`
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

const facts = (given: AuditPackage): ReadonlyArray<ReadonlyArray<string>> => {
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
  ].map(([name = "", value = ""]) => [`<strong>${name}</strong>`, value])
}

/** The page, as HTML. */
export const print = (
  given: AuditPackage,
  attestations: ReadonlyArray<ShownAttestation>,
  receipts: ReadonlyArray<ShownReceipt>
): string => {
  const title = `Audit package: ${escaped(given.trail.flow.name)} / ${escaped(given.trail.trail.name)}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${title}</h1>
${table(["What", "Value"], facts(given), "")}
<h2>Artifacts</h2>
${table(["Slot", "Name", "Fingerprint", "State", "Reported"], given.artifacts.map(artifactRow), "None.")}
<h2>Attestations</h2>
${table(["Name", "Type", "About", "Outcome", "Reported", "Files"], attestations.map(attestationRow), "None.")}
<h2>Expected and missing</h2>
${table(["About", "Name", "Type"], missingRows(given.trail.evaluation), "Nothing is missing.")}
<h2>Verdicts</h2>
${table(["Snapshot", "Artifact", "Verdict", "Receipt"], receipts.map(receiptRow), "They have run nowhere.")}
<p>Times are in UTC. A receipt is a signed verdict:
<code>attestry receipt verify</code> checks it offline, with the keys of the log, which <code>receipts/keys.json</code>
has; compare them with those that you were given by another way. <code>manifest.json</code> lists the SHA-256
of every file of this package.</p>
</body>
</html>
`
}
