/**
 * `attestry evidence verify FILE…`: recognises evidence files, reads them, and verifies their signatures offline.
 *
 * With `--trust-policy` no request is sent; otherwise the only one gets the trust policy of the org.
 */
import * as Timestamp from "@attestry/core/Timestamp"
import type { EvidenceDocument, EvidenceFile } from "@attestry/evidence-intake/EvidenceDocument"
import * as EvidenceReader from "@attestry/evidence-intake/EvidenceReader"
import * as EvidenceVerifier from "@attestry/evidence-intake/EvidenceVerifier"
import * as ArtifactArgument from "../artifact/ArtifactArgument.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import type { Style } from "../shared/Style.js"
import * as EvidenceFiles from "./EvidenceFiles.js"
import * as TrustFiles from "./TrustFiles.js"
import * as VerificationText from "./VerificationText.js"

/** The result for one document of a file. */
interface Verified {
  readonly file: string
  readonly document: EvidenceDocument
  readonly result: EvidenceVerifier.VerifiedEvidence
  /** Whether it is about the artifact of the command line; null without one. */
  readonly isAbout: boolean | null
}

/** A file of the command line with what the reader found in it. */
type VerifiedFile = Pick<EvidenceFile, "documents" | "ignored"> & { readonly file: string }

const names = (document: EvidenceDocument, fingerprint: string): boolean =>
  document.subjects.some(({ digest }) => digest.sha256 === fingerprint)

const isGood = ({ isAbout, result }: Verified): boolean =>
  result.verification.state === "verified" && isAbout !== false

const SUBJECTS_SHOWN = 3

const subjectLine = ({ document }: Verified, style: Style): ReadonlyArray<string> => {
  const shown = document.subjects.slice(0, SUBJECTS_SHOWN).map(({ digest, name }) => {
    const [algorithm = "", value = ""] = Object.entries(digest)[0] ?? []
    const label = name === null ? "" : ` (${style.text(name)})`
    return `${style.text(algorithm)}:${style.short(value)}${label}`
  })
  const more = document.subjects.length - shown.length
  if (shown.length === 0) return []
  return [`  about ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`]
}

const linesOf = (each: Verified, style: Style): ReadonlyArray<string> => {
  const { document, file, isAbout, result } = each
  const { verification } = result
  const { format, kind } = document.facts
  const signer = VerificationText.ofSigner(verification)
  const by = signer === null ? "" : ` by ${style.text(signer)}`
  const line = document.line === null ? "" : ` line ${document.line}`
  const version = format.version === null ? "" : ` ${style.text(format.version)}`
  return [
    `${style.text(file)}${line}: ${kind} (${style.text(format.name)}${version})`,
    verification.state === "verified"
      ? `  ${style.tint("green", "verified")}${by}, rule ${style.text(verification.rule)}`
      : `  ${style.tint("red", verification.state)}${by}: ${VerificationText.ofProblem(verification)}`,
    ...subjectLine(each, style),
    ...(isAbout === false ? [`  ${style.tint("red", "it is about another artifact")}`] : [])
  ]
}

const documentOf = ({ document, file, isAbout, result }: Verified) => ({
  file,
  line: document.line,
  kind: document.facts.kind,
  verification: result.verification,
  build_level: result.buildLevel,
  about: isAbout,
  subjects: document.facts.subjects,
  facts: document.facts
})

/** Runs `attestry evidence verify`. */
export const run: CommandModule["run"] = async (context, args) => {
  const { host } = context
  const policy = await TrustFiles.policy(context, args)
  const roots = await TrustFiles.roots(context, args)
  const fingerprint = await ArtifactArgument.flagged(context, args)
  const now = Timestamp.fromMillis(host.now())
  const bytesMax = EvidenceReader.FILE_BYTES_MAX
  EvidenceFiles.requireOneStdin(args.positionals)
  const files: Array<VerifiedFile> = []
  for (const path of args.positionals) {
    const { file } = await EvidenceFiles.read({ host, path, bytesMax })
    files.push({ file: path, documents: file.documents, ignored: file.ignored })
  }
  const results = files.flatMap(({ documents, file }) =>
    documents.map((document): Verified => {
      const isAbout = fingerprint === undefined ? null : names(document, fingerprint)
      const result = EvidenceVerifier.verify(document, { policy: policy.document, roots, now })
      return { file, document, result, isAbout }
    })
  )
  const ignored = files.flatMap(({ file, ignored: lines }) =>
    lines.map((each) => ({ file, ...each }))
  )
  const isVerified = results.every(isGood)
  return {
    exit: isVerified ? "done" : "no",
    value: {
      schema: "attestry.cli/evidence-verify/v1",
      verified: isVerified,
      trust_policy: policy.source,
      documents: results.map(documentOf),
      ignored
    },
    items: results.map(documentOf),
    quiet: isVerified ? "verified" : "not verified",
    lines: (style) => [
      ...results.flatMap((each) => linesOf(each, style)),
      ...ignored.map(
        ({ file, line, reason }) => `${style.text(file)} line ${line}: ignored, ${reason}`
      ),
      ...(isVerified ? [] : [`verified with ${style.text(policy.source)}`])
    ]
  }
}
