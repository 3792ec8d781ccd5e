/** For receipts: the places of entries in published trees, and signatures by the keys of a log. */

import * as Base64 from "@attestry/transparency-log/Base64"
import * as Checkpoint from "@attestry/transparency-log/Checkpoint"
import * as Sha256 from "@attestry/transparency-log/Sha256"
import * as SignedNote from "@attestry/transparency-log/SignedNote"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as EntryId from "./internal/EntryId.js"
import * as OpenLogs from "./internal/OpenLogs.js"
import { entryOf } from "./Log.js"
import { LogKeys } from "./LogKeys.js"
import * as LogProof from "./LogProof.js"
import { LogSigner } from "./LogSigner.js"
import { LogStore } from "./LogStore.js"
import { type LogQuestion, LogViews } from "./LogViews.js"
import * as PublicKeySet from "./PublicKeySet.js"

/** The place of an entry in a published tree. */
export interface EntryPlace {
  readonly entry: string
  readonly origin: string
  readonly index: number
  /** The digest of the bytes of the entry, in hexadecimal. */
  readonly sha256: string
}

/** A published tree. */
export interface PublishedTree {
  readonly origin: string
  readonly size: number
  /** In Base64. */
  readonly root: string
}

/** A signature by a key of a log, which is named by its thumbprint. */
export interface KeySignature {
  readonly keyid: string
  readonly sig: Uint8Array
}

/** Use case: refers to the log. */
export class LogReferences extends Effect.Service<LogReferences>()("@attestry/core/LogReferences", {
  effect: Effect.gen(function* () {
    const [store, views] = [yield* LogStore, yield* LogViews]
    const [signer, logKeys] = [yield* LogSigner, yield* LogKeys]
    const open = yield* OpenLogs.make

    /** The places of journal entries, in the same order; none for one that no published tree has yet. */
    const places = Effect.fn("LogReferences.places")(function* (
      question: LogQuestion,
      sequences: ReadonlyArray<number>
    ) {
      const { trees } = yield* open(question)
      const logs = yield* Effect.forEach([...trees].reverse(), ({ epoch }) =>
        open({ ...question, epoch })
      )
      return yield* Effect.forEach(sequences, (sequence) =>
        Effect.gen(function* () {
          for (const { tree, head } of logs) {
            const [logged] = yield* store.listLogged(tree, { sequence })
            if (logged === undefined) continue
            const { index } = logged.leaf
            if (index >= head.size) return Option.none<EntryPlace>()
            const sha256 = Base64.encodeHex(Sha256.digest(entryOf(logged).bytes))
            const entry = EntryId.make(tree.entryKey, sequence)
            return Option.some<EntryPlace>({ entry, origin: tree.origin, index, sha256 })
          }
          return Option.none<EntryPlace>()
        })
      )
    })

    /** The published tree of the newest epoch; fails if nothing is signed. */
    const published = Effect.fn("LogReferences.published")(function* (question: LogQuestion) {
      const note = Option.flatMap(SignedNote.parse(yield* views.checkpoint(question)), ({ text }) =>
        Checkpoint.parse(text)
      )
      if (Option.isNone(note)) {
        return yield* new LogProof.LogUnsigned({ org: question.org, reason: "empty" })
      }
      const { origin, size, root } = note.value
      return { origin, size, root: Base64.encode(root) } satisfies PublishedTree
    })

    /** The public keys with which a log signs now. A key that is not recorded yet signs nothing: no reader has it. */
    const signingKeys = ({ tree }: OpenLogs.OpenLog, origin: string) =>
      Effect.gen(function* () {
        const recorded = (yield* logKeys.list(tree.org_id)).filter(
          ({ retired_at }) => retired_at === null
        )
        return (yield* signer.keys(origin)).flatMap(({ vkey }) =>
          recorded.some((key) => key.vkey === vkey) ? Option.toArray(SignedNote.parseKey(vkey)) : []
        )
      })

    /** The signatures of a text by every active key of a log; fails if there is none. */
    const sign = Effect.fn("LogReferences.sign")(function* (
      question: LogQuestion,
      { origin, text }: { readonly origin: string; readonly text: string }
    ) {
      const keys = yield* signingKeys(yield* open(question), origin)
      if (keys.length === 0) {
        const reason = (yield* signer.keys(origin)).length === 0 ? "no-key" : "empty"
        return yield* new LogProof.LogUnsigned({ org: question.org, reason })
      }
      const lines = yield* signer.sign(origin, text)
      return lines.flatMap((line): ReadonlyArray<KeySignature> => {
        const key = keys.find((each) => SignedNote.isBy(each, line))
        if (key === undefined) return []
        const keyid = PublicKeySet.thumbprint(Base64.encodeUrl(key.publicKey))
        return [{ keyid, sig: line.signature }]
      })
    })

    return { places, published, sign } as const
  })
}) {}
