/**
 * Proves the documents of evidence of a capsule: each is read and verified again, and compared with the verification
 * and the facts in the entry of its attestation. Pure.
 *
 * A document that is not proved makes everything *not proved* that reads facts of its trail.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { EvidenceVerification } from "../../evidence/EvidenceVerification.js"
import * as CanonicalJson from "../../shared/CanonicalJson.js"
import { JsonObject } from "../../shared/Evidence.js"
import { isAttestation } from "../../verification/internal/ReplayRules.js"
import type { TrustRoots } from "../Capsule.js"
import type { CheckedDocument, DocumentEvidence } from "../DocumentCheck.js"
import type { CapsuleFact } from "./CapsuleFacts.js"
import type { Judged, Standing } from "./SnapshotProofs.js"

/** The members of an attestation's content that name a document, and what was recorded about it. */
const Recorded = Schema.Struct({
  body: Schema.Struct({
    evidence_digest: Schema.String,
    evidence_position: Schema.Int,
    attestation_data: JsonObject
  })
})

const readRecorded = Schema.decodeUnknownOption(Schema.parseJson(Recorded))
const readVerification = Schema.decodeUnknownOption(
  Schema.Struct({ ...EvidenceVerification.fields, reason: Schema.optional(Schema.Unknown) })
)

/** The verification as the entry has it; its reason may be erased, and decides nothing. */
type RecordedVerification = Omit<EvidenceVerification, "reason">

/** A document that an attestation is made of. */
export interface RecordedDocument {
  readonly sha256: string
  readonly position: number
  readonly data: JsonObject
  readonly verification: RecordedVerification
}

/** The document of an attestation; none for an entry of something else. */
export const documentOf = ({
  content,
  kind
}: {
  readonly kind: string
  readonly content: string
}): Option.Option<RecordedDocument> =>
  isAttestation(kind) && content.includes('"evidence_digest"')
    ? Option.flatMap(readRecorded(content), ({ body }) =>
        Option.map(readVerification(body.attestation_data.verification), (verification) => ({
          sha256: body.evidence_digest,
          position: body.evidence_position,
          data: body.attestation_data,
          verification
        }))
      )
    : Option.none()

/** The members of facts that depend on the decision about a document. */
const DECIDED: ReadonlySet<string> = new Set(["after_vex", "build_level", "verification"])

/** Whether the facts that a document says are those that were recorded. */
const saysSame = (data: JsonObject, facts: CheckedDocument["facts"]): boolean => {
  const plain = (members: object) =>
    Object.fromEntries(Object.entries(members).filter(([name]) => !DECIDED.has(name)))
  return CanonicalJson.print(plain(data)) === CanonicalJson.print(plain(facts))
}

/** Whether a verification comes out as recorded. Signatures that hold may be trusted in other flows alone. */
const comesOutSame = (recorded: RecordedVerification, again: EvidenceVerification): boolean => {
  if (recorded.state === "untrusted")
    return again.state === "untrusted" || again.state === "verified"
  if (recorded.state !== "verified") return again.state === recorded.state
  const compared = ({ log, root, signed_at, signer, state }: RecordedVerification) => ({
    log,
    root,
    signed_at,
    signer,
    state
  })
  return CanonicalJson.equals(compared(recorded), compared(again))
}

const doubtful = (...doubts: ReadonlyArray<string>): Standing => ({ doubts, errors: [] })

/** The versions of the trust policy up to an instant, newest first: a document may be linked long after acceptance. */
const versionsAt = ({ policies }: TrustRoots, at: number): TrustRoots["policies"] =>
  policies.filter((each) => each.at <= at).sort((left, right) => right.version - left.version)

const NO_POLICY: TrustRoots["policies"][number] = { version: 0, at: 0, text: "" }

/** Verifies a document again by one version of the trust policy after the other, until it comes out as recorded. */
const standingOf = (
  { position, sha256, ...recorded }: RecordedDocument,
  { entry: { at } }: CapsuleFact,
  { check, fileOf, trust }: DocumentEvidence
): Standing => {
  const bytes = fileOf(sha256)
  if (bytes === undefined) return doubtful("the file is not inside")
  if (trust === undefined) return doubtful("the trust policies and roots are not inside")
  const { root, rule, state } = recorded.verification
  const roots = new Map(trust.roots.map(({ name, text }) => [name, text]))
  if (root !== null && !roots.has(root)) return doubtful(`the trust root ${root} is not inside`)
  const problems = new Set<string>()
  for (const { text } of [...versionsAt(trust, at), NO_POLICY]) {
    const asked = { bytes, position, policy: text, rule, roots, at }
    const again = check(asked)
    if (typeof again === "string") {
      problems.add(again)
      continue
    }
    const isSame = comesOutSame(recorded.verification, again.verification)
    if (isSame && saysSame(recorded.data, again.facts)) return { doubts: [], errors: [] }
    if (isSame) return doubtful("its facts come out otherwise")
    const said = `its verification was ${state}, and comes out ${again.verification.state}`
    // WHY an error: no policy or root that is missing makes a signature wrong.
    if (again.verification.state === "failed") return { doubts: [], errors: [said] }
    problems.add(said)
  }
  return doubtful(...problems)
}

/** The documents of a capsule. */
export interface DocumentProofs {
  readonly judged: ReadonlyArray<Judged>
  /** Why facts of a subject are not proved by their documents. */
  readonly doubtsOf: (subject: string) => ReadonlyArray<string>
  /** The number of documents that were not checked again. */
  readonly unchecked: number
}

/** Proves every document that attestations name. Without the means for it, documents are counted alone. */
export const prove = (
  facts: ReadonlyArray<CapsuleFact>,
  { documents }: { readonly documents: DocumentEvidence | undefined }
): DocumentProofs => {
  const standings = new Map<string, Judged>()
  const doubts = new Map<string, Set<string>>()
  for (const fact of facts) {
    const recorded = Option.getOrUndefined(documentOf(fact.entry))
    if (recorded === undefined) continue
    const { position, sha256, verification } = recorded
    const key = `${sha256} ${position} ${CanonicalJson.print(recorded.data)}`
    const judged = standings.get(key) ?? {
      claim: { type: "document", sha256, position, state: verification.state },
      ...(documents === undefined ? doubtful() : standingOf(recorded, fact, documents))
    }
    standings.set(key, judged)
    const known = doubts.get(fact.subject) ?? new Set<string>()
    for (const reason of [...judged.doubts, ...judged.errors])
      known.add(`document ${position} of ${sha256}: ${reason}`)
    doubts.set(fact.subject, known)
  }
  return {
    judged: documents === undefined ? [] : [...standings.values()],
    doubtsOf: (subject) => [...(doubts.get(subject) ?? [])],
    unchecked: documents === undefined ? standings.size : 0
  }
}
