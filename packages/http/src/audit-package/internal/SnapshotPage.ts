/**
 * The page of the audit package of a snapshot, for people. Its rows are printed one by one while the package is sent,
 * so no step is long.
 */
import type { AttestationView } from "@attestry/core/AttestationViews"
import { kindWord } from "@attestry/core/Environment"
import type { OrgName } from "@attestry/core/Identifier"
import type { SnapshotPackage } from "@attestry/core/SnapshotPackages"
import { isAllowed } from "@attestry/core/SnapshotRows"
import * as WaivedResult from "@attestry/core/WaivedResult"
import { attestationRow } from "./AuditPage.js"
import type { ListedMember } from "./PackageMembers.js"
import {
  document,
  escaped,
  facts,
  link,
  outcome,
  rowOf,
  table,
  tableOf,
  time,
  VERDICTS
} from "./PackagePage.js"

type Row = SnapshotPackage["found"]["rows"][number]

/** What the folder of an attestation is named by. */
export interface NamedAttestation {
  readonly flow: string
  readonly trail: string
  readonly name: string
  readonly id: string
}

/** An attestation that a row was decided on, with its document. */
export interface ShownEvidence {
  readonly attestation_name: string
  readonly attestation_type: string
  readonly is_compliant: boolean
  readonly file: string
}

/** The page of a package that is being sent. Receipts come before the rows that link to them. */
export interface SnapshotPage {
  readonly addAttestation: (view: AttestationView, files: ReadonlyArray<ListedMember>) => void
  /** The name of the receipt of the snapshot, or of an artifact; or why there is none. */
  readonly addReceipt: (fingerprint: string | null, receipt: string) => void
  readonly addRow: (
    row: Row,
    shown: { readonly name: string; readonly evidence: ReadonlyArray<ShownEvidence> }
  ) => void
  readonly print: () => string
}

const lines = (texts: ReadonlyArray<string>): string => texts.join("<br>")

const verdictOf = (verdict: string): string => VERDICTS[verdict] ?? "unknown"

/** The verdict of a row, and the reasons for it. */
const verdictCell = (row: Row): string => {
  const waived = WaivedResult.toField(row.policy_decisions).waived ?? []
  return lines([
    verdictOf(row.verdict),
    ...(isAllowed(row) ? ["the allow-list has it"] : []),
    ...row.reasons.map(({ description }) => escaped(description)),
    ...row.warnings.map(({ description }) => `warning: ${escaped(description)}`),
    ...[...new Set(waived.map(({ waiver }) => waiver))].map((number) => `waiver ${number}`)
  ])
}

/** Where a row comes from, by each flow that knows it. */
const originCell = ({ flows, hidden }: Row, flowNames: SnapshotPackage["found"]["flowNames"]) => {
  const known = flows.map(({ flow_id, git_commit, trail_name }) =>
    [
      `${escaped(flowNames.get(flow_id) ?? "")} / ${escaped(trail_name)}`,
      ...(git_commit === null ? [] : [`<code>${escaped(git_commit)}</code>`])
    ].join("<br>")
  )
  if (hidden !== undefined) return lines([...known, "a flow that you may not read"])
  return known.length === 0 ? "no provenance" : lines(known)
}

const evidenceCell = (evidence: ReadonlyArray<ShownEvidence>): string =>
  evidence.length === 0
    ? "none"
    : lines(
        evidence.map(
          ({ attestation_name, attestation_type, file, is_compliant }) =>
            `${link(file, attestation_name)} ` +
            `(${escaped(attestation_type)}): ${outcome(is_compliant)}`
        )
      )

const artifactCell = ({ environment, fingerprint, name }: Row, isLogical: boolean): string =>
  lines([
    escaped(name),
    `<code>${fingerprint === "" ? "no known fingerprint" : escaped(fingerprint)}</code>`,
    ...(isLogical ? [`in ${escaped(environment)}`] : [])
  ])

const aboutOf = (
  org: OrgName,
  { found: { environment, rows, snapshot }, isPartial, madeBy }: SnapshotPackage
): ReadonlyArray<readonly [name: string, value: string]> => {
  const exited = rows.filter(({ annotation }) => annotation.type === "exited").length
  return [
    ["Org", escaped(org)],
    ["Environment", `${escaped(environment.name)} (${escaped(kindWord(environment))})`],
    ["Snapshot", `${snapshot.index}, ${time(snapshot.timestamp)}`],
    [
      "Verdict",
      lines([
        verdictOf(snapshot.verdict),
        ...(snapshot.reasons ?? []).map(({ description }) => escaped(description))
      ])
    ],
    ["Artifacts", `${rows.length - exited} running, ${exited} exited since the snapshot before`],
    ["Shown", isPartial ? "what the maker of this package may read of the org" : "everything"],
    ["Package made by", escaped(madeBy)]
  ]
}

const policyRows = (
  { found, policies }: SnapshotPackage,
  names: ReadonlyArray<string>
): ReadonlyArray<ReadonlyArray<string>> => {
  const texts = new Map(
    policies.map(({ name, version }, at) => [`${name} ${version}`, names[at]] as const)
  )
  const applied = new Set(found.policies.map(({ name, version }) => `${name} ${version}`))
  return [
    ...found.policies.map(({ failing_artifacts, mode, name, version }) => {
      const file = texts.get(`${name} ${version}`)
      return [
        escaped(name),
        version === 0 ? "built in" : String(version),
        mode === "warn" ? "warns" : "enforced",
        String(failing_artifacts.length),
        file === undefined ? "not shown" : link(file)
      ]
    }),
    ...policies.flatMap(({ name, version }, at) =>
      applied.has(`${name} ${version}`)
        ? []
        : [[escaped(name), String(version), "of rows", "", link(names[at] ?? "")]]
    )
  ]
}

/** Begins the page of a package; `policies` are the names of the texts of its policies. */
export const make = (
  org: OrgName,
  given: SnapshotPackage,
  policies: ReadonlyArray<string>
): SnapshotPage => {
  const { environment, flowNames, snapshot } = given.found
  const isLogical = snapshot.members !== null
  const receipts = new Map<string | null, string>()
  const attestations: Array<string> = []
  const changes: Array<string> = []
  const running: Array<string> = []
  const receiptCell = (fingerprint: string | null): string => {
    const receipt = receipts.get(fingerprint)
    if (receipt === undefined) return "no receipt"
    return receipt.startsWith("receipts/")
      ? link(receipt, "receipt")
      : `no receipt: ${escaped(receipt)}`
  }
  const title = `Audit package: ${escaped(environment.name)}#${snapshot.index}`
  return {
    addReceipt: (fingerprint, receipt) => {
      receipts.set(fingerprint, receipt)
    },
    addAttestation: ({ attestation, flow, trail }, files) => {
      attestations.push(rowOf(attestationRow({ attestation, under: `${flow} / ${trail}`, files })))
    },
    addRow: (row, { evidence, name }) => {
      const { annotation, fingerprint } = row
      const artifact = artifactCell(row, isLogical)
      if (annotation.type !== "unchanged")
        changes.push(
          rowOf([
            escaped(annotation.type.replaceAll("-", " ")),
            artifact,
            `${annotation.was}, then ${annotation.now}`
          ])
        )
      if (annotation.type === "exited") return
      running.push(
        rowOf([
          artifact,
          verdictCell(row),
          originCell(row, flowNames),
          evidenceCell(evidence),
          lines([receiptCell(fingerprint), link(name, "record")])
        ])
      )
    },
    print: () =>
      document(title, [
        facts([...aboutOf(org, given), ["Receipt", receiptCell(null)]]),
        "<h2>Policies</h2>",
        table(
          ["Name", "Version", "Mode", "Artifacts that fail it", "Text"],
          policyRows(given, policies),
          "No policy is attached."
        ),
        "<h2>What ran</h2>",
        tableOf(["Artifact", "Verdict", "From", "Evidence", "Proof"], running, "Nothing."),
        "<h2>Changes since the snapshot before</h2>",
        `<p>${link("events.csv")} has them for a spreadsheet.</p>`,
        tableOf(["Change", "Artifact", "Instances"], changes, "None."),
        "<h2>Attestations</h2>",
        tableOf(["Name", "Type", "About", "Outcome", "Reported", "Files"], attestations, "None.")
      ])
  }
}
