/** Reads attestations and the content of their files while a package is sent. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { AttachmentStore } from "../../attestation/AttachmentStore.js"
import type { Attachment, Attestation } from "../../attestation/Attestation.js"
import { AttestationStore } from "../../attestation/AttestationStore.js"
import type { AttestationId, OrgId } from "../../shared/Identifier.js"
import { StoreError } from "../../shared/StoreError.js"

/** How many attestations are read together. */
const SLICE_LENGTH = 16

/** An attestation, and the fingerprints of its files whose content is not stored any more. */
export interface StoredAttestation {
  readonly attestation: Attestation
  readonly gone: ReadonlySet<string>
}

/** Makes the reads. */
export const make = Effect.gen(function* () {
  const attestations = yield* AttestationStore
  const contents = yield* AttachmentStore

  const readSlice = (org: OrgId, ids: ReadonlyArray<AttestationId>) =>
    Effect.map(attestations.listByIds(org, ids), (found) => {
      const byId = new Map(found.map((one) => [one.id, one] as const))
      return ids.flatMap((id) => byId.get(id) ?? [])
    })

  const goneOf = (org: OrgId, { attachments }: Attestation) =>
    Effect.map(
      Effect.filter(
        attachments.map(({ fingerprint }) => fingerprint),
        (fingerprint) => contents.has({ org, fingerprint }),
        { negate: true }
      ),
      (gone): ReadonlySet<string> => new Set(gone)
    )

  /** The attestations in the order of their ids; unknown ids are left out. */
  const list = (
    org: OrgId,
    ids: ReadonlyArray<AttestationId>
  ): Stream.Stream<Attestation, StoreError> =>
    Stream.fromIterable(ids).pipe(
      Stream.grouped(SLICE_LENGTH),
      Stream.mapEffect((slice) => readSlice(org, [...slice])),
      Stream.flattenIterables
    )

  /** The same, each with its files that are gone. */
  const read = (
    org: OrgId,
    ids: ReadonlyArray<AttestationId>
  ): Stream.Stream<StoredAttestation, StoreError> =>
    Stream.mapEffect(list(org, ids), (attestation) =>
      Effect.map(goneOf(org, attestation), (gone) => ({ attestation, gone }))
    )

  /** The bytes of a file, which are as many as were reported. */
  const contentOf =
    (org: OrgId) =>
    ({ fingerprint, size }: Attachment): Stream.Stream<Uint8Array, StoreError> =>
      Stream.suspend(() => {
        let read = 0
        const incomplete = new StoreError({
          operation: "AuditPackages.contentOf",
          cause: new Error("a stored file does not have its size")
        })
        return contents.read({ org, fingerprint }).pipe(
          Stream.mapEffect((piece) => {
            read += piece.byteLength
            return read > size ? incomplete : Effect.succeed(piece)
          }),
          Stream.concat(
            Stream.suspend(() => (read < size ? Stream.fail(incomplete) : Stream.empty))
          )
        )
      })

  return { list, read, contentOf } as const
})
