/**
 * The file that remembers the largest signed checkpoint of each log, outside of the database.
 *
 * Checkpoints that are remembered at the same time share one write.
 * It is replaced by renaming, after its bytes are on the disk, before a checkpoint is given out. Servers may share it:
 * each reads what the others have written, and none replaces a checkpoint by a smaller one.
 */
import { open, readFile, rename, stat } from "node:fs/promises"
import { join } from "node:path"
import { LogState, type Memory, type RememberedCheckpoint } from "@attestry/core/LogState"
import { StoreError } from "@attestry/core/StoreError"
import { StoreHealth } from "@attestry/core/StoreHealth"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { ServerConfig } from "../ServerConfig.js"
import { withLock } from "./FileLock.js"
import { LogFileFailed } from "./LogKeyFile.js"

const SETTING = "ATTESTRY_LOG_STATE_FILE"

/** The file in the data folder of the embedded store. */
const OWN_FILE = "log-state.json"

type Remembered = ReadonlyMap<string, RememberedCheckpoint>

const decode = Schema.decodeUnknownPromise(
  Schema.parseJson(
    Schema.Record({
      key: Schema.String,
      value: Schema.Struct({
        size: Schema.Int,
        root: Schema.String,
        stored: Schema.optionalWith(Schema.Int, { exact: true })
      })
    })
  )
)

const orElse = async <A, B>(work: Promise<A>, absent: B): Promise<A | B> => {
  try {
    return await work
  } catch (cause) {
    if (Predicate.hasProperty(cause, "code") && cause.code === "ENOENT") return absent
    throw cause
  }
}

const readAll = async (file: string): Promise<Remembered> =>
  new Map(Object.entries(await decode(await orElse(readFile(file, "utf8"), "{}"))))

/** The attributes of a file that change when it is replaced. */
const versionOf = async (file: string): Promise<string> => {
  const found = await orElse(stat(file, { bigint: true }), undefined)
  return found === undefined ? "" : `${found.ino} ${found.mtimeNs} ${found.size}`
}

const replace = async (file: string, text: string): Promise<void> => {
  const next = `${file}.new`
  const handle = await open(next, "w", 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(next, file)
}

const failed = (cause: unknown) =>
  new LogFileFailed({ setting: SETTING, problem: `the file cannot be used: ${String(cause)}` })

/** A checkpoint that waits to be written. */
interface Waiting {
  readonly origin: string
  readonly checkpoint: RememberedCheckpoint
  readonly resolve: () => void
  readonly reject: (cause: unknown) => void
}

/** Whether a checkpoint is to be remembered; one of the same size with another root is refused. */
const isNew = (
  { origin, checkpoint: next }: Waiting,
  before: RememberedCheckpoint | undefined
): boolean => {
  if (before === undefined || next.size > before.size) return true
  if (next.size === before.size && next.root !== before.root) {
    throw new Error(`another root was signed for size ${next.size} of \`${origin}\``)
  }
  return false
}

/** Writes checkpoints to the file; those that arrive while it is written share the next write. */
const makeWriter = (file: string) => {
  const queue: Array<Waiting> = []
  let last = Promise.resolve()

  const writeAll = async (all: ReadonlyArray<Waiting>) => {
    const next = new Map(await readAll(file))
    const refused = new Map<Waiting, unknown>()
    let isChanged = false
    for (const each of all) {
      try {
        if (!isNew(each, next.get(each.origin))) continue
        next.set(each.origin, each.checkpoint)
        isChanged = true
      } catch (cause) {
        refused.set(each, cause)
      }
    }
    if (isChanged) await replace(file, JSON.stringify(Object.fromEntries(next)))
    for (const each of all) {
      if (refused.has(each)) each.reject(refused.get(each))
      else each.resolve()
    }
  }

  const writeWaiting = async () => {
    if (queue.length === 0) return
    let all: ReadonlyArray<Waiting> = []
    try {
      await withLock(file, () => {
        // WHY here: what arrived while another process held the lock is written too.
        all = queue.splice(0)
        return writeAll(all)
      })
    } catch (cause) {
      for (const { reject } of [...all, ...queue.splice(0)]) reject(cause)
    }
  }

  return (origin: string, checkpoint: RememberedCheckpoint): Promise<void> =>
    new Promise((resolve, reject) => {
      queue.push({ origin, checkpoint, resolve, reject })
      last = last.then(writeWaiting)
    })
}

/** A memory in a file. */
export const make = (file: string): Effect.Effect<Memory, LogFileFailed> =>
  Effect.gen(function* () {
    let known: Remembered = new Map()
    let version: string | undefined
    const refresh = async () => {
      // INVARIANT: the version is read first; what is written in between is read once more.
      const now = await versionOf(file)
      if (now === version) return
      known = await readAll(file)
      version = now
    }
    yield* Effect.tryPromise({ try: refresh, catch: failed })
    const one = yield* Effect.makeSemaphore(1)

    const read = <A>(operation: string, answer: () => A) =>
      Effect.tryPromise({
        try: async () => {
          await refresh()
          return answer()
        },
        catch: (cause) => new StoreError({ operation, cause })
      }).pipe(one.withPermits(1))

    const put = makeWriter(file)
    return {
      isKept: true,
      find: (origin) => read("LogState.find", () => Option.fromNullable(known.get(origin))),
      list: read("LogState.list", () => new Map(known)),
      put: (origin, checkpoint) =>
        Effect.tryPromise({
          try: () => put(origin, checkpoint),
          catch: (cause) => new StoreError({ operation: "LogState.put", cause })
        })
    }
  })

/** Remembers checkpoints in the configured file, or in the data folder of the embedded store. */
export const layer = (config: ServerConfig): Layer.Layer<never, LogFileFailed, StoreHealth> =>
  Layer.effect(
    LogState,
    Effect.gen(function* () {
      // WHY: the data folder is there when the store is.
      yield* StoreHealth
      const own = join(config.ATTESTRY_DATA_DIR, OWN_FILE)
      const file =
        config.ATTESTRY_LOG_STATE_FILE ?? (config.ATTESTRY_STORE === "embedded" ? own : undefined)
      return file === undefined ? yield* LogState : yield* make(file)
    })
  )
