/** Reads and verifies a file by a trust policy, and makes the drafts of its documents. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Fingerprint } from "../../artifact/Fingerprint.js"
import type { FlowName, OrgId } from "../../shared/Identifier.js"
import * as StorableText from "../../shared/StorableText.js"
import type { TrustPolicyDocument } from "../../trust-policy/TrustPolicyDocument.js"
import type { ScanFinding, VexStatement } from "../EvidenceFacts.js"
import {
  EvidenceReader,
  EvidenceTooLarge,
  EvidenceUnreadable,
  type ReadComponent,
  type ReadDocument
} from "../EvidenceReader.js"
import type { EvidenceRecord } from "../EvidenceRecord.js"
import type { EvidenceVerification } from "../EvidenceVerification.js"
import * as VexRecords from "./VexRecords.js"

/** A file that has arrived; its content can be read more than once. */
export interface EvidenceFile<E> {
  readonly fingerprint: Fingerprint
  readonly size: number
  readonly content: Stream.Stream<Uint8Array, E>
}

/** A document before it is accepted. */
export type Draft = Omit<EvidenceRecord, "sequence" | "accepted_at" | "accepted_by">

/** A draft, with the lists of which facts have the first members alone. */
export interface ReadDraft {
  readonly draft: Draft
  /** The components that it lists; none of a document that the org has. */
  readonly components: ReadonlyArray<ReadComponent>
  /** The findings of a scan. */
  readonly findings: ReadonlyArray<ScanFinding>
  /** The statements of VEX. */
  readonly statements: ReadonlyArray<VexStatement>
}

/** A file to read. */
export interface Reading {
  readonly org: OrgId
  readonly file: Pick<EvidenceFile<never>, "fingerprint" | "size">
  readonly bytes: Uint8Array
  readonly filename: string
  readonly trust: TrustPolicyDocument
}

/** The text of a value as JSON, or nothing where stores cannot preserve it. */
const isStorable = (value: unknown): boolean => {
  let isFine = true
  JSON.stringify(value, (key, member: unknown) => {
    const texts = typeof member === "string" ? [key, member] : [key]
    if (texts.some(StorableText.isUnstorable)) isFine = false
    return member
  })
  return isFine
}

/** The policy with the rules first that speak about a flow, since the first rule that fits applies. */
export const rulesFirst = (
  trust: TrustPolicyDocument,
  flow: FlowName | null
): TrustPolicyDocument => {
  const rank = ({ flows }: TrustPolicyDocument["rules"][number]): number => {
    if (flow !== null && flows?.includes(flow)) return 0
    return flows === null ? 1 : 2
  }
  return {
    ...trust,
    rules: [...trust.rules].sort((left, right) => rank(left) - rank(right))
  }
}

/** The bytes of a file. */
export const bytesOf = <E>({
  content,
  size
}: Pick<EvidenceFile<E>, "content" | "size">): Effect.Effect<Uint8Array, E> =>
  Effect.map(
    Stream.runFold(content, { bytes: new Uint8Array(size), at: 0 }, ({ at, bytes }, piece) => {
      bytes.set(piece, at)
      return { bytes, at: at + piece.byteLength }
    }),
    ({ bytes }) => bytes
  )

const flowsOf = (trust: TrustPolicyDocument, { rule }: EvidenceVerification) =>
  trust.rules.find(({ name }) => name === rule)?.flows ?? null

/** Reads files. */
export const make = Effect.gen(function* () {
  const reader = yield* EvidenceReader

  /** The documents of a file, and the lines that were passed over. */
  const read = Effect.fnUntraced(function* ({ bytes, file, filename, org, trust }: Reading) {
    const found = yield* reader.read({ org, bytes, trust })
    const draftOf = (
      { buildLevel, facts, predicateType, subjects, verification }: ReadDocument,
      index: number
    ): Draft => ({
      org_id: org,
      digest: file.fingerprint,
      position: index + 1,
      kind: facts.kind,
      predicate_type: predicateType,
      state: verification.state,
      verification,
      flows: verification.state === "verified" ? flowsOf(trust, verification) : null,
      facts: facts.kind === "provenance" ? { ...facts, build_level: buildLevel } : facts,
      subjects,
      reader: reader.version,
      size: file.size,
      filename
    })
    const drafts = found.documents.map((document, index): ReadDraft => {
      const { components, findings, statements } = document
      return { draft: draftOf(document, index), components, findings, statements }
    })
    const damaged = drafts.findIndex(
      ({ draft, statements }) => !isStorable(draft) || !isStorable(statements)
    )
    if (damaged >= 0)
      return yield* new EvidenceUnreadable({
        problem: "a text has a NUL character or half of a surrogate pair",
        line: found.documents[damaged]?.line ?? null
      })
    if (drafts.some(({ statements }) => VexRecords.sizeOf(statements) > VexRecords.STATEMENTS_MAX))
      return yield* new EvidenceTooLarge({
        problem: `it has more than ${VexRecords.STATEMENTS_MAX} statements about components`
      })
    return { drafts, ignored: found.ignored }
  })

  return { read } as const
})
