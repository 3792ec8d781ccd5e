/**
 * Which server processes belong to a cluster, and how are they ended?
 *
 * A killed parent leaves a whole server behind; a killed server leaves its children behind, and
 * they hold shared memory. Both are ended before a new server starts; nothing acknowledged is lost.
 */
import { execFile } from "node:child_process"
import { readdir, readFile, stat } from "node:fs/promises"
import { promisify } from "node:util"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ProcessIdentity from "./ProcessIdentity.js"
import { waitUntil } from "./RealTime.js"
import * as ServerRecord from "./ServerRecord.js"

/**
 * The name that every process of a cluster's server shows in its command line.
 *
 * WHY: every account can read command lines, while the folder in which another account's process
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
    const [, pid, uid, command] = /^\s*(\d+)\s+(-?\d+)\s+(.*)$/.exec(line) ?? []
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
    const postmaster = Option.filter(yield* ServerRecord.read(cluster), ({ pid }) =>
      running.includes(pid)
    )
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
