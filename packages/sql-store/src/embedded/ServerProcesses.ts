/**
 * Which server processes still work in a cluster's folder, and how are they ended?
 *
 * A killed parent leaves a whole server behind; a killed server leaves its children behind, and they
 * hold shared memory. Both are ended before a new server starts; nothing acknowledged is lost.
 */
import type { BigIntStats } from "node:fs"
import { readdir, readFile, readlink, rm, stat, writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ProcessIdentity from "./ProcessIdentity.js"
import { waitUntil } from "./RealTime.js"

/** What a server writes about itself into `postmaster.pid`. */
export interface ServerRecord {
  readonly pid: number
  readonly startedAtSeconds: number
  /** The last line: `starting`, `ready`, `stopping` or `standby`; empty before the first of them. */
  readonly status: string
}

/** Reads the text of `postmaster.pid`; `None` when a crash cut it off. */
export const parseRecord = (text: string): Option.Option<ServerRecord> => {
  const lines = text.split("\n")
  // WHY: a server without a postmaster, as initdb runs it, writes its id as a negative number.
  const pid = Math.abs(Number(lines[0]))
  return Number.isInteger(pid) && pid > 0
    ? Option.some({
        pid,
        startedAtSeconds: Number(lines[2] ?? 0),
        status: (lines[7] ?? "").trim()
      })
    : Option.none()
}

const recordPath = (cluster: string): string => join(cluster, "postmaster.pid")

/** The record of the server that runs, or last ran, in the cluster. */
export const record = (cluster: string): Effect.Effect<Option.Option<ServerRecord>> =>
  Effect.tryPromise(() => readFile(recordPath(cluster), "utf8")).pipe(
    Effect.map(parseRecord),
    Effect.orElseSucceed(() => Option.none())
  )

const isServerIn = async (pid: number, folder: BigIntStats): Promise<boolean> => {
  const place = await stat(`/proc/${pid}/cwd`, { bigint: true })
  if (place.dev !== folder.dev || place.ino !== folder.ino) return false
  // WHY: a shell may stand in the folder; only the server's own program is ever ended.
  return basename(await readlink(`/proc/${pid}/exe`)).split(" ")[0] === "postgres"
}

const scanProc = async (cluster: string): Promise<ReadonlyArray<number>> => {
  const folder = await stat(cluster, { bigint: true }).catch(() => undefined)
  if (folder === undefined) return []
  const pids = (await readdir("/proc")).map(Number).filter(Number.isInteger)
  const checks = await Promise.all(pids.map((pid) => isServerIn(pid, folder).catch(() => false)))
  return pids.filter((_, index) => checks[index])
}

const startToleranceSeconds = 5

/** Without `/proc` only the recorded server can be found, by its id and start time. */
const recorded = (cluster: string): Effect.Effect<ReadonlyArray<number>> =>
  Effect.gen(function* () {
    const found = yield* record(cluster)
    if (Option.isNone(found)) return []
    const { pid, startedAtSeconds } = found.value
    const start = yield* ProcessIdentity.startOf(pid)
    const isSame = Option.exists(start, (text) => {
      const seconds = Date.parse(`${text} UTC`) / 1_000
      return Math.abs(seconds - startedAtSeconds) <= startToleranceSeconds
    })
    return isSame ? [pid] : []
  })

/** The processes that work in the cluster's folder. */
export const list = (cluster: string): Effect.Effect<ReadonlyArray<number>> =>
  ProcessIdentity.hasProc ? Effect.promise(() => scanProc(cluster)) : recorded(cluster)

const send = (pids: ReadonlyArray<number>, signal: NodeJS.Signals): Effect.Effect<void> =>
  Effect.forEach(pids, (pid) => Effect.ignore(Effect.try(() => process.kill(pid, signal))), {
    discard: true
  })

/** A signal, and how long to wait for its effect before the next one. */
export type Escalation = ReadonlyArray<readonly [signal: NodeJS.Signals, waitMs: number]>

/** Fast shutdown first, which loses nothing; then immediate shutdown; then the end. */
export const shutdown = (stopTimeoutMs: number): Escalation => [
  ["SIGINT", stopTimeoutMs],
  ["SIGQUIT", 5_000],
  ["SIGKILL", 5_000]
]

/** Sends one signal after the other until the processes are gone; `false` if they never are. */
export const end = (
  isGone: Effect.Effect<boolean>,
  signal: (signal: NodeJS.Signals) => Effect.Effect<void>,
  escalation: Escalation
): Effect.Effect<boolean> =>
  Effect.reduce(escalation, false, (gone, [name, forMs]) =>
    gone
      ? Effect.succeed(true)
      : Effect.zipRight(signal(name), waitUntil(isGone, { everyMs: 10, forMs }))
  )

/** Ends every server process in the cluster's folder, the postmaster first. */
export const endAll = (cluster: string, stopTimeoutMs: number): Effect.Effect<void> =>
  Effect.gen(function* () {
    const running = yield* list(cluster)
    const postmaster = Option.filter(yield* record(cluster), ({ pid }) => running.includes(pid))
    if (Option.isSome(postmaster)) {
      const { pid } = postmaster.value
      yield* Effect.logWarning(`stopping the server left running as process ${pid}`)
      const isGone = Effect.map(ProcessIdentity.isRunning(pid), (runs) => !runs)
      yield* end(isGone, (signal) => send([pid], signal), shutdown(stopTimeoutMs))
    }
    const isEmpty = Effect.map(list(cluster), (pids) => pids.length === 0)
    // Orphans notice by themselves that their postmaster is gone, unless they are busy.
    if (yield* waitUntil(isEmpty, { everyMs: 20, forMs: 500 })) return
    const kill = (signal: NodeJS.Signals) =>
      Effect.flatMap(list(cluster), (pids) => send(pids, signal))
    yield* end(isEmpty, kill, [["SIGKILL", 5_000]])
  })

/** Makes the record of a dead server harmless when its process id now belongs to another process. */
export const disown = async (cluster: string): Promise<void> => {
  const text = await readFile(recordPath(cluster), "utf8").catch(() => undefined)
  if (text === undefined) return
  if (Option.isNone(parseRecord(text))) return rm(recordPath(cluster), { force: true })
  // WHY: the server ignores a record that names its own parent, but still checks the shared memory
  // that the record names; removing the file would lose that check.
  await writeFile(recordPath(cluster), text.replace(/^-?\d+/, String(process.pid)))
}
