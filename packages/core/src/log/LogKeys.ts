/**
 * The public keys of logs: which keys have signed, and when they changed. Readers learn of a new key from a log that
 * the old key still signs.
 *
 * The store never has private seeds. When the signer's keys differ from the recorded ones, the log gets an entry that
 * names the old and the new keys, before the first checkpoint that the new keys sign.
 */
import * as Effect from "effect/Effect"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import { Transaction } from "../shared/Transaction.js"
import * as LogKeyHistory from "./internal/LogKeyHistory.js"
import type { LogTree, RecordedKey } from "./Log.js"
import { LogSequencer } from "./LogSequencer.js"
import { LogSigner } from "./LogSigner.js"
import { LogStore } from "./LogStore.js"

/** Use case: keys of logs. */
export class LogKeys extends Effect.Service<LogKeys>()("@attestry/core/LogKeys", {
  effect: Effect.gen(function* () {
    const [store, signer] = [yield* LogStore, yield* LogSigner]
    const [sequencer, transaction] = [yield* LogSequencer, yield* Transaction]
    // INVARIANT: the keys of a signer do not change while a process runs.
    const noted = new Set<string>()

    const change = (
      { org_id: org, origin, edge }: LogTree,
      active: ReadonlyArray<{ readonly generation: number; readonly vkey: string }>
    ) =>
      transaction.run(org, (scope) =>
        Effect.gen(function* () {
          const at = yield* scope.now
          const known = (yield* store.listKeys(org)).filter(
            ({ vkey }) => LogKeyHistory.originOf(vkey) === origin
          )
          const current = known.filter(({ retired_at }) => retired_at === null)
          const ended = current.filter(({ vkey }) => !active.some((key) => key.vkey === vkey))
          const begun = active.filter(({ vkey }) => !current.some((key) => key.vkey === vkey))
          for (const key of ended) yield* store.putKey(org, { ...key, retired_at: at })
          for (const key of begun) {
            yield* store.putKey(org, { ...key, first_size: edge.size, retired_at: null })
          }
          if (known.length === 0 || ended.length + begun.length === 0) return
          const content = {
            old: current.map(({ vkey }) => vkey),
            new: active.map(({ vkey }) => vkey),
            size: edge.size
          }
          yield* sequencer.record(org, { kind: LogKeyHistory.ROTATED, at, content })
        })
      )

    /**
     * Records the keys that sign a tree, unless they are recorded already or there is no signer. Returns false if this
     * process knew them to be recorded: then the tree has not grown by it.
     */
    const note = (tree: LogTree): Effect.Effect<boolean, StoreError> =>
      Effect.gen(function* () {
        if (noted.has(tree.origin)) return false
        const active = yield* signer.keys(tree.origin)
        if (active.length > 0) yield* change(tree, active)
        noted.add(tree.origin)
        return true
      })

    /** Every key that has signed the log of an org, including retired keys. */
    const list = (org: OrgId): Effect.Effect<ReadonlyArray<RecordedKey>, StoreError> =>
      store.listKeys(org)

    return { note, list } as const
  })
}) {}
