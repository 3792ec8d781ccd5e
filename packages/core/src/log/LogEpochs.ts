/**
 * Begins a new epoch of a log after an operator has accepted the loss of part of it. DECISIONS.md, "Nothing
 * inconsistent is signed"
 *
 * The new epoch has its own origin. Its first entry records the last signed checkpoint of the old epoch and the size
 * of the loss. The old origin is never signed again, because only the newest epoch is signed.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { JournalActor, JournalEntry } from "../journal/JournalEntry.js"
import type { OrgId } from "../shared/Identifier.js"
import type { Timestamp } from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import { LogCheckpoints } from "./LogCheckpoints.js"
import { LogSequencer } from "./LogSequencer.js"
import { LogStore } from "./LogStore.js"

/** There is no loss to accept: the log extends its signed trees, or another process has locked it. */
export class NothingLost extends Schema.TaggedError<NothingLost>()("NothingLost", {}) {
  override get message(): string {
    return "the log continues what was signed; there is no rollback to accept"
  }
}

/** How an epoch began: its origin, and the state of the previous epoch. */
export interface EpochStarted {
  readonly epoch: number
  readonly origin: string
  readonly previous: {
    readonly origin: string
    /** The size of the largest checkpoint known to be signed. */
    readonly size: number
    readonly root: string
    /** How many entries of that checkpoint the store has lost. */
    readonly lost: number
  }
}

/** The origin of an epoch, derived from that of the first epoch. */
export const originOf = (first: string, epoch: number): string =>
  epoch === 1 ? first : `${first}/epochs/${epoch}`

/** The kind of the journal entry that begins an epoch. */
const KIND = "log_epoch_started"

const decodeStarted = Schema.decodeUnknownOption(
  Schema.parseJson(
    Schema.Struct({
      epoch: Schema.Int,
      origin: Schema.String,
      previous: Schema.Struct({
        origin: Schema.String,
        size: Schema.Int,
        root: Schema.String,
        lost: Schema.Int
      })
    })
  )
)

/** The start of an epoch, if the entry records one. */
export const startedOf = ({ kind, content }: JournalEntry): Option.Option<EpochStarted> =>
  kind === KIND ? decodeStarted(content) : Option.none()

/** The end of each epoch, by number: the instant of the entry that begins the next one. */
export const endings = (entries: ReadonlyArray<JournalEntry>): ReadonlyMap<number, Timestamp> =>
  new Map(
    entries.flatMap((entry) =>
      Option.toArray(startedOf(entry)).map(({ epoch }) => [epoch - 1, entry.at] as const)
    )
  )

/** Use case: epochs of logs. */
export class LogEpochs extends Effect.Service<LogEpochs>()("@attestry/core/LogEpochs", {
  effect: Effect.gen(function* () {
    const [store, sequencer] = [yield* LogStore, yield* LogSequencer]
    const [checkpoints, transaction] = [yield* LogCheckpoints, yield* Transaction]

    const begin = Effect.fn(function* (org: OrgId) {
      const tree = yield* store.lock(org)
      if (Option.isNone(tree) || !(yield* checkpoints.isFork(tree.value))) {
        return yield* new NothingLost()
      }
      const signed = yield* checkpoints.remembered(tree.value)
      const { origin, entryKey, horizon, done, edge } = tree.value
      const epoch = tree.value.epoch + 1
      const [first] = yield* store.listTrees(org)
      const started: EpochStarted = {
        epoch,
        origin: originOf(first?.origin ?? origin, epoch),
        previous: {
          origin,
          ...Option.match(signed, {
            onNone: () => ({ size: edge.size, root: "" }),
            onSome: ({ size, root }) => ({ size, root })
          }),
          lost: Math.max(0, Option.getOrElse(signed, () => edge).size - edge.size)
        }
      }
      yield* store.start({
        org_id: org,
        epoch,
        origin: started.origin,
        entryKey,
        horizon,
        done
      })
      return started
    })

    /** Begins the next epoch of a log that does not extend its signed trees, and signs it. */
    const acceptRollback = Effect.fn("LogEpochs.acceptRollback")(function* (
      org: OrgId,
      actor: JournalActor
    ) {
      const started = yield* transaction.run(org, (scope) =>
        Effect.gen(function* () {
          const made = yield* begin(org)
          const at = yield* scope.now
          yield* sequencer.record(org, { kind: KIND, at, content: made, actor })
          return made
        })
      )
      yield* checkpoints.publish(org)
      return started
    })

    return { acceptRollback } as const
  })
}) {}
