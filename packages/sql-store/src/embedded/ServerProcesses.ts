/**
 * Which server processes belong to a cluster, and how are they ended?
 *
 * A killed parent leaves a whole server behind; a killed server leaves its children behind, and they
 * hold shared memory. Both are ended before a new server starts; nothing acknowledged is lost.
 */
import { execFile } from "node:child_process"
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ProcessIdentity from "./ProcessIdentity.js"
import { waitUntil } from "./RealTime.js"

/** What a server writes about itself into `postmaster.pid`. */
export interface ServerRecord {
  readonly pid: number
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

/**
 * The name that every process of a cluster's server shows in its command line.
 *
 * WHY: command lines can be read by everybody, while the folder in which another account's process
 * works is hidden even from root inside most containers.
 */
export const nameOf = async (cluster: string): Promise<string> => {
  const { dev, ino } = await stat(cluster, { bigint: true })
  return `attestry[${dev.toString(36)}-${ino.toString(36)}]`
}

interface RunningProcess {
  readonly pid: number
  readonly uid: number
  readonly command: string
}

const readProcess = async (pid: number): Promise<RunningProcess> => {
  const status = await readFile(`/proc/${pid}/status`, "utf8")
  const uid = Number(/^Uid:\s+\d+\s+(\d+)/m.exec(status)?.[1])
  return { pid, uid, command: await readFile(`/proc/${pid}/cmdline`, "utf8") }
}

const readProc = async (): Promise<ReadonlyArray<RunningProcess>> => {
  const pids = (await readdir("/proc")).map(Number).filter(Number.isInteger)
  const found = await Promise.all(pids.map((pid) => readProcess(pid).catch(() => [])))
  return found.flat()
}

/** Reads what `ps -o pid=,uid=,command=` prints. */
export const parsePs = (text: string): ReadonlyArray<RunningProcess> =>
  text.split("\n").flatMap((line) => {
    const [, pid, uid, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return command === undefined ? [] : { pid: Number(pid), uid: Number(uid), command }
  })

const readPs = async (): Promise<ReadonlyArray<RunningProcess>> => {
  const { stdout } = await promisify(execFile)("ps", ["-axww", "-o", "pid=,uid=,command="])
  return parsePs(stdout)
}

const find = async (cluster: string): Promise<ReadonlyArray<number>> => {
  const [name, owner] = await Promise.all([nameOf(cluster), stat(cluster)])
  const running = await (ProcessIdentity.hasProc ? readProc() : readPs())
  return running
    .filter(({ command, uid }) => uid === owner.uid && command.includes(name))
    .filter(({ command }) => command.includes("postgres"))
    .map(({ pid }) => pid)
}

/** The server processes of a cluster, the postmaster among them; none when there is no cluster. */
export const list = (cluster: string): Effect.Effect<ReadonlyArray<number>> =>
  Effect.tryPromise(() => find(cluster)).pipe(Effect.orElseSucceed(() => []))

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
