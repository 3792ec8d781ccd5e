/**
 * The file that remembers the largest signed checkpoint of each log, outside of the database.
 *
 * It is replaced by renaming, after its bytes are on the disk, before a checkpoint is given out.
 */
import { open, readFile, rename } from "node:fs/promises"
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
import { LogFileFailed } from "./LogKeyFile.js"

const SETTING = "ATTESTRY_LOG_STATE_FILE"

/** The file in the data folder of the embedded store. */
const OWN_FILE = "log-state.json"

const decode = Schema.decodeUnknown(
  Schema.parseJson(
    Schema.Record({
      key: Schema.String,
      value: Schema.Struct({ size: Schema.Int, root: Schema.String })
    })
  )
)

const readText = async (file: string): Promise<string> => {
  try {
    return await readFile(file, "utf8")
  } catch (cause) {
    if (Predicate.hasProperty(cause, "code") && cause.code === "ENOENT") return "{}"
    throw cause
  }
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

/** A memory in a file. */
export const make = (file: string): Effect.Effect<Memory, LogFileFailed> =>
  Effect.gen(function* () {
    const text = yield* Effect.tryPromise({ try: () => readText(file), catch: failed })
    const read = yield* Effect.mapError(decode(text), failed)
    const known = new Map<string, RememberedCheckpoint>(Object.entries(read))
    const one = yield* Effect.makeSemaphore(1)
    return {
      isKept: true,
      find: (origin) => Effect.sync(() => Option.fromNullable(known.get(origin))),
      put: (origin, checkpoint) =>
        Effect.tryPromise({
          try: async () => {
            const next = new Map(known).set(origin, checkpoint)
            await replace(file, JSON.stringify(Object.fromEntries(next)))
            known.set(origin, checkpoint)
          },
          catch: (cause) => new StoreError({ operation: "LogState.put", cause })
        }).pipe(one.withPermits(1))
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
