/**
 * Makes leaves of the entries of journals.
 *
 * What is visible and has no leaf gets one, in the order of the numbers; an entry that becomes visible later gets a
 * later index. Nothing is added to the transactions that write. Several processes can work on one log: the lock of its
 * tree keeps them apart, and one integration is one transaction, so that a process that dies leaves nothing half done.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { OrgId } from "../shared/Identifier.js"
import { Secrets } from "../shared/Secrets.js"
import { Transaction } from "../shared/Transaction.js"
import * as EntryId from "./EntryId.js"
import * as LogEntry from "./LogEntry.js"
import * as LogIntegration from "./LogIntegration.js"
import { LogStore } from "./LogStore.js"

/** The most entries of one integration. */
export const BATCH_MAX = 1_024

/** How an integration went: how many leaves were added, and whether more entries wait. */
export interface Integrated {
  readonly added: number
  readonly isPart: boolean
}

const NOTHING: Integrated = { added: 0, isPart: false }

/** Use case: integrates journals into logs. */
export class LogSequencer extends Effect.Service<LogSequencer>()("@attestry/core/LogSequencer", {
  effect: Effect.gen(function* () {
    const store = yield* LogStore
    const secrets = yield* Secrets
    const transaction = yield* Transaction

    const integrateLocked = Effect.fn(function* (org: OrgId, settled: number) {
      const tree = yield* store.lock(org)
      if (Option.isNone(tree)) return NOTHING
      const entries = yield* store.listUnlogged(tree.value, BATCH_MAX)
      const isPart = entries.length === BATCH_MAX
      if (entries.length === 0) return NOTHING
      const salts = yield* secrets.randomBytes(entries.length * LogEntry.MASTER_BYTES)
      const growth = LogIntegration.grow(tree.value, { entries, salts, settled, isPart })
      yield* store.grow(tree.value, growth)
      return { added: entries.length, isPart }
    })

    /** Adds at most `BATCH_MAX` entries to an org's log; none while another process works on it. */
    const integrate = Effect.fn("LogSequencer.integrate")(function* (org: OrgId) {
      // INVARIANT: the number is asked for before the transaction, whose reads then see everything up to it.
      const settled = yield* store.settled
      return yield* transaction.run(org, () => integrateLocked(org, settled))
    })

    /** Begins the log of an org that has none. */
    const start = Effect.fn("LogSequencer.start")(function* (org: OrgId, origin: string) {
      const entryKey = yield* secrets.randomBytes(EntryId.KEY_BYTES)
      yield* store.start({ org_id: org, origin, entryKey })
    })

    return { integrate, start } as const
  })
}) {}
