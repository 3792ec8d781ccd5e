/** What the verification of a capsule found, for people. */
import type { CapsuleReport, Claim, ClaimedRelease, Finding } from "@attestry/core/CapsuleReport"
import * as Timestamp from "@attestry/core/Timestamp"
import type { Style } from "../shared/Style.js"

/** So many reasons of one finding are shown. */
const REASONS = 5

const placeOf = ({ artifact, environment, index }: ClaimedRelease, style: Style): string =>
  style.text(`${environment}#${index} ${artifact}`)

const givenOf = (
  given: Extract<Claim, { readonly type: "requirement" }>["given"],
  style: Style
): string =>
  given
    .map(
      ({ at, by, entry }) =>
        `, by ${style.text(by)} ${style.instant(Timestamp.toSeconds(at))} in entry ${entry}`
    )
    .join("")

const subjectOf = (claim: Claim, style: Style): string => {
  switch (claim.type) {
    case "releases":
      return (
        `the table of ${claim.releases} releases from ${style.instant(Timestamp.toSeconds(claim.from))} to ` +
        `${style.instant(Timestamp.toSeconds(claim.to))}, ${claim.complete} with everything required`
      )
    case "release":
      return (
        `release ${placeOf(claim, style)} ${style.short(claim.fingerprint)} ${style.text(claim.verdict)}, ` +
        style.instant(Timestamp.toSeconds(claim.at))
      )
    case "requirement":
      return (
        `${placeOf(claim, style)}: ${style.text(claim.requirement)} ${style.text(claim.state)}` +
        givenOf(claim.given, style)
      )
    case "snapshot":
      return (
        `snapshot ${style.text(`${claim.environment}#${claim.index}`)} ${style.text(claim.verdict)}, ` +
        `${claim.rows} running, ${style.instant(Timestamp.toSeconds(claim.at))}`
      )
    case "trail":
      return `trail ${style.text(`${claim.flow}/${claim.trail}`)} ${style.text(claim.status)}`
    case "artifact":
      return `artifact ${style.text(claim.fingerprint)}, known to ${claim.flows} flows`
    case "chain":
      return `all ${claim.entries} entries about ${style.text(`${claim.subject.type} ${claim.subject.id}`)}`
    case "file":
      return `file ${style.text(claim.sha256)}, ${claim.size} bytes`
    case "document":
      return `document ${claim.position} of ${style.text(claim.sha256)} ${style.text(claim.state)}`
  }
}

const findingLines = (
  word: string,
  { claim, reasons }: Finding,
  style: Style
): ReadonlyArray<string> => [
  `${word} ${subjectOf(claim, style)}`,
  ...reasons.slice(0, REASONS).map((reason) => `  ${style.text(reason)}`),
  ...(reasons.length > REASONS ? [`  and ${reasons.length - REASONS} more`] : [])
]

const counted = (claims: ReadonlyArray<Claim>): string => {
  const counts = new Map<string, number>()
  for (const { type } of claims) counts.set(type, (counts.get(type) ?? 0) + 1)
  const words = [...counts].map(([type, count]) =>
    type === "releases" ? "the table of releases" : `${count} ${type}${count === 1 ? "" : "s"}`
  )
  return words.join(", ") || "nothing"
}

const OUTCOMES = {
  proved: ["green", "proved"],
  "not-proved": ["yellow", "not proved in full"],
  wrong: ["red", "wrong"]
} as const

/** What was found. With `explain`, also what was proved, one by one. */
export const toLines = (
  report: CapsuleReport,
  style: Style,
  { explain }: { readonly explain: boolean }
): ReadonlyArray<string> => {
  const { entries, notProved, origin, proved, size, trust, withheld, wrong } = report
  const [color, word] = OUTCOMES[report.outcome]
  return [
    style.tint(color, word),
    ...wrong.flatMap((finding) => findingLines("wrong:", finding, style)),
    ...notProved.flatMap((finding) => findingLines("not proved:", finding, style)),
    ...(explain ? proved.map((claim) => `proved: ${subjectOf(claim, style)}`) : []),
    `proved ${counted(proved)}`,
    `withheld ${withheld.entries} entries, ${withheld.members} members`,
    ...(withheld.documents > 0
      ? [`${withheld.documents} documents of evidence are not inside, and were not verified again`]
      : []),
    `log ${style.text(origin)}, ${entries} entries of ${size}`,
    ...(trust.witnesses.length > 0
      ? [`cosigned by ${trust.witnesses.map((name) => style.text(name)).join(", ")}`]
      : []),
    trust.isGiven
      ? `signed by ${trust.keys.map((key) => style.text(key)).join(", ")}`
      : `signed by the capsule's own keys ${trust.keys.map((key) => style.text(key)).join(", ")}: ` +
        "give --keys or --verifier to check them"
  ]
}
