/** The answers to evidence files: what was read, verified and linked, for people and for programs. Pure. */
import * as EvidenceVerification from "@attestry/core/EvidenceVerification"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Json from "../shared/Json.js"
import { type Style, verdict } from "../shared/Style.js"
import * as VerificationText from "./VerificationText.js"

/** A file with the answer of the server. */
export interface Accepted {
  /** The path of the command line. */
  readonly file: string
  readonly answer: Json.Fields
}

/** The attestations of a document. */
const linksOf = (document: Json.Fields): ReadonlyArray<Json.Fields> => Json.objects(document.links)

const documentsOf = ({ answer }: Accepted): ReadonlyArray<Json.Fields> =>
  Json.objects(answer.documents)

/** Whether every attestation is compliant; null if nothing is linked. */
export const isCompliant = (all: ReadonlyArray<Accepted>): boolean | null => {
  const links = all.flatMap(documentsOf).flatMap(linksOf)
  return links.length === 0 ? null : links.every(({ is_compliant }) => is_compliant === true)
}

/** The documents for programs. */
export const documents = (all: ReadonlyArray<Accepted>): ReadonlyArray<Json.Fields> =>
  all.flatMap((each) => documentsOf(each).map((document) => ({ file: each.file, ...document })))

/** The ignored lines for programs. */
export const ignored = (all: ReadonlyArray<Accepted>): ReadonlyArray<Json.Fields> =>
  all.flatMap(({ file, answer }) => Json.objects(answer.ignored).map((line) => ({ file, ...line })))

const verificationOf = Schema.decodeUnknownOption(EvidenceVerification.EvidenceVerification)

/** The verification of a document in words; a state that this program does not know stays a word. */
const verificationLine = ({ verification: value }: Json.Fields, style: Style): string => {
  const verification = Option.getOrUndefined(verificationOf(value))
  if (verification === undefined) return style.text(Json.object(value).state)
  const signer = VerificationText.ofSigner(verification)
  const by = signer === null ? "" : ` by ${style.text(signer)}`
  if (verification.state === "verified")
    return `${style.tint("green", "verified")}${by}, rule ${style.text(verification.rule)}`
  const tint = verification.state === "failed" ? "red" : "yellow"
  const problem = VerificationText.ofServerProblem(verification)
  return `${style.tint(tint, verification.state)}${by}: ${problem}`
}

/** How an answer is told: after a write, before one, as what is stored, or after judging again. */
interface Telling {
  readonly style: Style
  readonly tense: "sent" | "dry-run" | "stored" | "judged"
}

const verbOf = (link: Json.Fields, tense: Telling["tense"]): string => {
  if (tense === "stored") return "recorded"
  if (tense === "judged") return link.created === true ? "recorded again" : "unchanged"
  if (link.created !== true) return "recorded before"
  return tense === "dry-run" ? "would be recorded" : "recorded"
}

const linkLine = (link: Json.Fields, { style, tense }: Telling): string => {
  const trail = `trail ${style.text(link.trail_name)} of flow ${style.text(link.flow_name)}`
  const artifact = Json.text(link.artifact_fingerprint)
  const where = artifact === undefined ? trail : `artifact ${style.short(artifact)} of ${trail}`
  const name = `${style.text(link.attestation_name)} (${style.text(link.attestation_type)})`
  return `${name}: ${verdict(style, link.is_compliant)}, ${verbOf(link, tense)} on ${where}`
}

const SUBJECTS_SHOWN = 3

const waitingLines = ({ waiting }: Json.Fields, style: Style): ReadonlyArray<string> => {
  const subjects = Json.list(waiting)
  if (subjects.length === 0) return []
  const shown = subjects.slice(0, SUBJECTS_SHOWN).map((subject) => `sha256:${style.short(subject)}`)
  const more = subjects.length - shown.length
  return [
    `waits for ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}: not reported as an artifact yet`
  ]
}

const documentLines = (document: Json.Fields, telling: Telling): ReadonlyArray<string> => {
  const { style } = telling
  const { name, version } = Json.object(document.format)
  const format = typeof version === "string" ? `${style.text(name)} ${style.text(version)}` : name
  const file = style.text(document.file)
  return [
    `${file}: ${style.text(document.kind)} (${style.text(format)})`,
    ...[
      verificationLine(document, style),
      ...linksOf(document).map((link) => linkLine(link, telling)),
      ...waitingLines(document, style)
    ].map((line) => `  ${line}`)
  ]
}

/** The lines of attestations that were judged again. */
export const judged = (links: ReadonlyArray<Json.Fields>, style: Style): ReadonlyArray<string> =>
  links.map((link) => linkLine(link, { style, tense: "judged" }))

/** The lines of a stored document. */
export const shown = (document: Json.Fields, style: Style): ReadonlyArray<string> =>
  documentLines(document, { style, tense: "stored" })

/** The lines for people. */
export const lines = (all: ReadonlyArray<Accepted>, telling: Telling): ReadonlyArray<string> => [
  ...documents(all).flatMap((document) => documentLines(document, telling)),
  ...ignored(all).map(
    ({ file, line, reason }) =>
      `${telling.style.text(file)} line ${String(line)}: ignored, ${telling.style.text(reason)}`
  )
]
