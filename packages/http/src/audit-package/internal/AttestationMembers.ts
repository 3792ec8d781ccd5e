/** The members of an attestation in an audit package: its document, and its files that are stored. */
import { AttestationResponse as AttestationSchema } from "@attestry/api/AttestationResponse"
import type { Attachment } from "@attestry/core/Attestation"
import type { AttestationView } from "@attestry/core/AttestationViews"
import type { OrgName } from "@attestry/core/Identifier"
import * as PackagePath from "@attestry/core/PackagePath"
import type { StoreError } from "@attestry/core/StoreError"
import * as Stream from "effect/Stream"
import * as AttestationResponse from "../../attestation/internal/AttestationResponse.js"
import * as FastEncoder from "../../shared/internal/FastEncoder.js"
import type * as PackageMembers from "./PackageMembers.js"

const encode = FastEncoder.make(AttestationSchema.ast)

/** Members that are sent one after another. */
export type Members = Stream.Stream<PackageMembers.Member<StoreError>, StoreError>

/** An attestation with its folder. */
export interface FiledAttestation {
  readonly view: AttestationView
  readonly folder: string
  /** The fingerprints of its files whose content is not stored any more. */
  readonly gone: ReadonlySet<string>
}

/** The files of an attestation below its folder, each under a name of its own. */
export const filesOf = ({
  folder,
  gone,
  view
}: FiledAttestation): ReadonlyArray<PackageMembers.ListedMember> => {
  const { attachments } = view.attestation
  const names = PackagePath.distinct(
    attachments.map(({ filename }) => PackagePath.segment(filename))
  )
  const files = attachments.map(({ fingerprint, size }, index) => ({
    name: `${folder}/evidence/${names[index]}`,
    size,
    sha256: fingerprint
  }))
  // An erased file is left out; `attestation.json` still names it.
  return files.filter(({ sha256 }) => !gone.has(sha256))
}

/** Makes the members of attestations. */
export const make =
  (
    member: PackageMembers.Maker,
    at: { readonly base: string; readonly org: OrgName },
    contentOf: (file: Attachment) => Stream.Stream<Uint8Array, StoreError>
  ) =>
  (filed: FiledAttestation): Members => {
    const { folder, view } = filed
    const document = member.json(
      `${folder}/attestation.json`,
      encode(AttestationResponse.responseOf(at.base, at.org, view))
    )
    const contents = filesOf(filed).flatMap((file) => {
      const stored = view.attestation.attachments.find(
        ({ fingerprint }) => fingerprint === file.sha256
      )
      return stored === undefined ? [] : [{ ...file, content: contentOf(stored) }]
    })
    return Stream.concat(Stream.fromEffect(document), Stream.fromIterable(contents))
  }
