/** What the verification of a capsule found, in words. */
import type { CapsuleReport, Claim, ClaimedRelease, Finding } from "@attestry/core/CapsuleReport"

/** A part of the result. */
export interface Section {
  readonly title: string
  readonly lines: ReadonlyArray<string>
  readonly open: boolean
}

/** The result in words. */
export interface Words {
  readonly outcome: { readonly text: string; readonly kind: "proved" | "doubtful" | "wrong" }
  readonly about: ReadonlyArray<string>
  readonly sections: ReadonlyArray<Section>
}

/** So many lines of a part are shown. */
const SHOWN = 1_000

const MICROS = 1_000

const dateOf = (at: number): string => new Date(at / MICROS).toISOString()

const VERDICTS: { readonly [verdict: string]: string } = {
  Compliant: "compliant",
  NonCompliant: "not compliant",
  Unknown: "unknown"
}

const placeOf = ({ artifact, environment, index }: ClaimedRelease): string =>
  `${artifact} in snapshot ${index} of ${environment}`

/** A claim in words. */
export const claimText = (claim: Claim): string => {
  switch (claim.type) {
    case "releases":
      return (
        `Table of the ${claim.releases} releases from ${dateOf(claim.from)} to ${dateOf(claim.to)}: ` +
        `${claim.complete} with everything that was required, and none is left out`
      )
    case "release":
      return `Release of ${placeOf(claim)} (${dateOf(claim.at)}): ${VERDICTS[claim.verdict] ?? claim.verdict}`
    case "requirement":
      return (
        `${claim.requirement} of ${placeOf(claim)}: ${claim.state}` +
        claim.given
          .map(({ at, by, entry }) => `, by ${by} (${dateOf(at)}), entry ${entry} of the log`)
          .join("")
      )
    case "snapshot":
      return (
        `Snapshot ${claim.index} of ${claim.environment} (${dateOf(claim.at)}): ` +
        `${VERDICTS[claim.verdict] ?? claim.verdict}, ${claim.rows} artifacts running`
      )
    case "trail":
      return `Trail ${claim.flow}/${claim.trail}: ${claim.status}`
    case "artifact":
      return `Artifact ${claim.fingerprint}: its evidence in ${claim.flows} flows`
    case "chain":
      return `No entry about ${claim.subject.type} ${claim.subject.id} is left out: ${claim.entries} entries`
    case "file":
      return `File ${claim.sha256}, ${claim.size} bytes`
    case "document":
      return `Document ${claim.position} of ${claim.sha256}: ${claim.state}`
  }
}

const findingText = ({ claim, reasons }: Finding): string =>
  `${claimText(claim)} – ${reasons.join("; ")}`

const section = (
  title: string,
  lines: ReadonlyArray<string>,
  open: boolean
): ReadonlyArray<Section> => {
  if (lines.length === 0) return []
  const more = lines.length - SHOWN
  const shown = more > 0 ? [...lines.slice(0, SHOWN), `and ${more} more`] : lines
  return [{ title: `${title}: ${lines.length}`, lines: shown, open }]
}

const OUTCOMES = {
  proved: { text: "Proved", kind: "proved" },
  "not-proved": { text: "Not proved in full", kind: "doubtful" },
  wrong: { text: "Wrong", kind: "wrong" }
} as const

const aboutOf = (report: CapsuleReport): ReadonlyArray<string> => {
  const { entries, madeAt, org, origin, size, trust, withheld } = report
  return [
    `Made by ${origin} for ${org}, ${dateOf(madeAt)}`,
    `${entries} entries of the log, which has ${size}`,
    `Withheld or erased: ${withheld.entries} entries, ${withheld.members} members`,
    ...(withheld.documents > 0
      ? [
          `${withheld.documents} documents of evidence are shown as they were verified when they were accepted; the ` +
            "command line verifies those that are inside again"
        ]
      : []),
    `Signed by the key ${trust.keys.join(", ")}, which is inside of the capsule: compare it with the one that the ` +
      "deployment has published",
    ...(trust.witnesses.length > 0 ? [`Cosigned by ${trust.witnesses.join(", ")}`] : [])
  ]
}

/** The result of a verification. */
export const of = (report: CapsuleReport): Words => {
  const { notProved, proved, wrong } = report
  const isChain = ({ type }: Claim) => type === "chain"
  const answers = proved.filter((claim) => !isChain(claim)).map(claimText)
  return {
    outcome: OUTCOMES[report.outcome],
    about: aboutOf(report),
    sections: [
      ...section("Wrong", wrong.map(findingText), true),
      ...section("Not proved", notProved.map(findingText), true),
      ...section("Proved", answers, true),
      ...section("Complete chains of entries", proved.filter(isChain).map(claimText), false)
    ]
  }
}
