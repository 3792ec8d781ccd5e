/**
 * Adds journal entries to logs as leaves.
 *
 * Visible entries without a leaf get one in the order of their sequence numbers; an entry that becomes visible later
 * gets a later index. The transactions that write the journal do no work for the log. Several processes can work on
 * one log: each locks its tree, and an integration is one transaction, so a process that dies leaves nothing half
 * done.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { JournalActor, JournalEntry } from "../journal/JournalEntry.js"
import { JournalStore } from "../journal/JournalStore.js"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import type { OrgId } from "../shared/Identifier.js"
import { Secrets } from "../shared/Secrets.js"
import * as Slices from "../shared/Slices.js"
import type { Timestamp } from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import * as EntryId from "./internal/EntryId.js"
import type { LogTree } from "./Log.js"
import * as LogEntry from "./LogEntry.js"
import * as LogIntegration from "./LogIntegration.js"
import { LogStore, type LogVisibility } from "./LogStore.js"

/** The maximum number of entries in one integration. */
export const BATCH_MAX = 1_024

/** The number of leaves added, and whether more entries wait. */
export interface Integrated {
  readonly added: number
  readonly isPart: boolean
}

/** The actor of entries that no request caused. */
const SYSTEM: JournalActor = { kind: "system", id: "log", name: "log" }

/** A change to the log itself, such as a new key. */
export interface LogChange {
  readonly kind: string
  readonly at: Timestamp
  readonly content: unknown
  readonly actor?: JournalActor
}

const NOTHING: Integrated = { added: 0, isPart: false }

/** Use case: integrates journals into logs. */
export class LogSequencer extends Effect.Service<LogSequencer>()("@attestry/core/LogSequencer", {
  effect: Effect.gen(function* () {
    const store = yield* LogStore
    const journal = yield* JournalStore
    const secrets = yield* Secrets
    const transaction = yield* Transaction

    const integrateLocked = Effect.fn(function* (org: OrgId, visibleUpTo: number) {
      const tree = yield* store.lock(org)
      if (Option.isNone(tree)) return NOTHING
      const entries = yield* store.listUnlogged(tree.value, BATCH_MAX)
      const isPart = entries.length === BATCH_MAX
      if (entries.length === 0) return NOTHING
      const salts = yield* secrets.randomBytes(entries.length * LogEntry.MASTER_BYTES)
      const growth = yield* Slices.run(() =>
        LogIntegration.grow(tree.value, { entries, salts, visibleUpTo, isPart })
      )
      yield* store.grow(tree.value, growth)
      return { added: entries.length, isPart }
    })

    /**
     * Adds at most `BATCH_MAX` entries to an org's log. Adds none while another process has locked it. A caller with
     * many orgs reads the visibility once, before the first.
     */
    const integrate = Effect.fn("LogSequencer.integrate")(function* (
      org: OrgId,
      visibility?: LogVisibility
    ) {
      // INVARIANT: the watermark is read before the transaction, so the transaction sees every entry up to it.
      const { upTo } = visibility ?? (yield* store.visibility)
      return yield* transaction.run(org, () => integrateLocked(org, upTo))
    })

    /** The index of the newest leaf of an entry's subject in an epoch. */
    const newestOf = (tree: LogTree, { org_id, subject }: JournalEntry) =>
      Effect.gen(function* () {
        const entries = yield* journal.listBySubject(org_id, subject)
        const logged = yield* Effect.forEach(entries, ({ sequence }) =>
          store.listLogged(tree, { sequence })
        )
        const indexes = logged.flat().map(({ leaf }) => leaf.index)
        return indexes.length === 0 ? null : Math.max(...indexes)
      })

    /**
     * Appends an entry about the log itself to the journal, and makes it the next leaf, before all waiting entries.
     * Call it in the transaction of the change.
     */
    const record = Effect.fn("LogSequencer.record")(function* (org: OrgId, change: LogChange) {
      const content = CanonicalJson.print(change.content)
      const entry = yield* journal.append({
        org_id: org,
        kind: change.kind,
        at: change.at,
        content,
        subject: { type: "log", id: org },
        actor: change.actor ?? SYSTEM,
        digest: yield* secrets.digest(content)
      })
      const tree = yield* store.lock(org)
      // Another process has locked the log, so this entry gets its leaf later like any other.
      if (Option.isNone(tree)) return
      const salts = yield* secrets.randomBytes(LogEntry.MASTER_BYTES)
      const prev = yield* newestOf(tree.value, entry)
      // WHY 0: entries with lower sequence numbers may still wait.
      const input = { entries: [{ entry, prev }], salts, visibleUpTo: 0, isPart: true }
      const growth = yield* Slices.run(() => LogIntegration.grow(tree.value, input))
      yield* store.grow(tree.value, growth)
    })

    /** Creates the log of an org if it has none. */
    const start = Effect.fn("LogSequencer.start")(function* (org: OrgId, origin: string) {
      const entryKey = yield* secrets.randomBytes(EntryId.KEY_BYTES)
      yield* transaction.run(org, () => store.start({ org_id: org, origin, entryKey }))
    })

    /** Creates the log of an org if it has none, and adds all waiting entries. */
    const catchUp = Effect.fn("LogSequencer.catchUp")(function* (org: OrgId, origin: string) {
      if (Option.isNone(yield* store.find(org))) yield* start(org, origin)
      yield* Effect.repeat(integrate(org), { while: ({ isPart }) => isPart })
    })

    return { catchUp, integrate, record, start } as const
  })
}) {}
