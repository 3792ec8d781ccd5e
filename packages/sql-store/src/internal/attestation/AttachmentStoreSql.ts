/** `AttachmentStore` on PostgreSQL: rows of at most 256 KiB, written once and read one by one. */
import {
  type AttachmentKey,
  AttachmentStore,
  CHUNK_BYTES_MAX
} from "@attestry/core/AttachmentStore"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

const Stored = Schema.Struct({ fingerprint: Schema.String })

const RowInterval = Schema.Struct({ content: Schema.Uint8ArrayFromSelf })

/** The same bytes in pieces of one size, whatever the pieces they came in. */
const inPieces = <E>(content: Stream.Stream<Uint8Array, E>): Stream.Stream<Uint8Array, E> =>
  Stream.suspend(() => {
    let buffer = new Uint8Array(CHUNK_BYTES_MAX)
    let filled = 0
    const fill = (bytes: Uint8Array): ReadonlyArray<Uint8Array> => {
      const full: Array<Uint8Array> = []
      let offset = 0
      while (offset < bytes.byteLength) {
        const part = bytes.subarray(offset, offset + CHUNK_BYTES_MAX - filled)
        buffer.set(part, filled)
        filled += part.byteLength
        offset += part.byteLength
        if (filled === CHUNK_BYTES_MAX) {
          full.push(buffer)
          buffer = new Uint8Array(CHUNK_BYTES_MAX)
          filled = 0
        }
      }
      return full
    }
    const rest = Stream.suspend(() =>
      filled === 0 ? Stream.empty : Stream.succeed(buffer.subarray(0, filled))
    )
    return Stream.concat(Stream.mapConcat(content, fill), rest)
  })

/** `AttachmentStore` on PostgreSQL. */
export const layer: Layer.Layer<AttachmentStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    AttachmentStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make

      const insertPiece = ({ org, fingerprint }: AttachmentKey, index: number, piece: Uint8Array) =>
        rows.run({
          operation: "AttachmentStore.put",
          org,
          statement: sql`insert into attachment_chunk (org_id, fingerprint, index, content)
            values (${org}, ${fingerprint}, ${index}, ${piece})`
        })

      const readPiece = ({ org, fingerprint }: AttachmentKey, index: number) =>
        rows.first(RowInterval, {
          operation: "AttachmentStore.read",
          org,
          statement: sql`select content from attachment_chunk
            where org_id = ${org} and fingerprint = ${fingerprint} and index = ${index}`
        })

      return AttachmentStore.of({
        put: (key, content) =>
          Effect.gen(function* () {
            const isNew = yield* rows.wrote({
              operation: "AttachmentStore.put",
              org: key.org,
              statement: sql`insert into attachment (org_id, fingerprint)
                values (${key.org}, ${key.fingerprint})
                on conflict (org_id, fingerprint) do nothing returning fingerprint`
            })
            if (!isNew) return
            let index = 0
            yield* Stream.runForEach(inPieces(content), (piece) => insertPiece(key, index++, piece))
          }),
        has: ({ org, fingerprint }) =>
          Effect.map(
            rows.first(Stored, {
              operation: "AttachmentStore.has",
              org,
              statement: sql`select fingerprint from attachment
                where org_id = ${org} and fingerprint = ${fingerprint}`
            }),
            Option.isSome
          ),
        erase: ({ org, fingerprint }) =>
          rows.run({
            operation: "AttachmentStore.erase",
            org,
            statement: sql`select attachment_erase(${fingerprint})`
          }),
        read: (key) =>
          Stream.unfoldEffect(0, (index) =>
            Effect.map(
              readPiece(key, index),
              Option.map(({ content }) => [content, index + 1] as const)
            )
          )
      })
    })
  )
