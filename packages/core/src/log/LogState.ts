/**
 * Port: the largest signed checkpoint of each log, remembered outside of the database.
 *
 * It detects a database that was restored to an earlier state while no process ran. The default remembers nothing.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { StoreError } from "../shared/StoreError.js"

/** A remembered checkpoint. */
export interface RememberedCheckpoint {
  readonly size: number
  /** The root in Base64. */
  readonly root: string
  /**
   * The size of the newest checkpoint that the store had before this one. WHY not this one: a process may die after
   * it remembers a checkpoint and before it stores it.
   */
  readonly stored?: number
}

/** Remembers checkpoints by origin. */
export interface Memory {
  /** Whether remembered checkpoints outlive the process. */
  readonly isKept: boolean
  readonly find: (origin: string) => Effect.Effect<Option.Option<RememberedCheckpoint>, StoreError>
  /** The remembered checkpoint of every log, by origin, including logs that the store does not have. */
  readonly list: Effect.Effect<ReadonlyMap<string, RememberedCheckpoint>, StoreError>
  /**
   * Remembers a checkpoint, unless a larger one is remembered. Called before the checkpoint is published. Fails if
   * another root is remembered for its size.
   */
  readonly put: (
    origin: string,
    checkpoint: RememberedCheckpoint
  ) => Effect.Effect<void, StoreError>
}

/** A memory that is not persistent. */
export const inProcess = (): Memory => {
  const known = new Map<string, RememberedCheckpoint>()
  return {
    isKept: false,
    find: (origin) => Effect.sync(() => Option.fromNullable(known.get(origin))),
    list: Effect.sync(() => new Map(known)),
    put: (origin, checkpoint) => Effect.sync(() => void known.set(origin, checkpoint))
  }
}

const NOTHING: Memory = {
  isKept: false,
  find: () => Effect.succeed(Option.none()),
  list: Effect.succeed(new Map()),
  put: () => Effect.void
}

/** Port: remembered checkpoints. */
export class LogState extends Context.Reference<LogState>()("@attestry/core/LogState", {
  defaultValue: () => NOTHING
}) {}
