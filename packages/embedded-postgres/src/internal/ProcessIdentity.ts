/**
 * Is the process that wrote this record still the one that runs under that process id?
 *
 * A process id alone is not enough, because ids are reused: a process is its id together with its
 * start time, seen from one running system and one process id namespace.
 */
import { execFile } from "node:child_process"
import { readFile, readlink } from "node:fs/promises"
import { hostname } from "node:os"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** One process: its id, when it started, and the system in which the two mean something. */
export interface ProcessIdentity {
  readonly pid: number
  readonly start: string
  readonly scope: string
}

/** Whether this system describes its processes below `/proc`. */
export const hasProc = process.platform === "linux"

/** The start time in `/proc/<pid>/stat`, in clock ticks since boot; `None` for a dead process. */
export const parseStat = (text: string): Option.Option<string> => {
  // WHY: the second field is the program's name and may itself hold spaces and parentheses.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
  const [state, start] = [fields[0], fields[19]]
  return start === undefined || state === "Z" || state === "X" ? Option.none() : Option.some(start)
}

/** The start time that `ps -o stat=,lstart=` prints; `None` for a dead process. */
export const parsePs = (text: string): Option.Option<string> => {
  const [state, ...start] = text.trim().split(/\s+/)
  return state === undefined || state.startsWith("Z") || start.length === 0
    ? Option.none()
    : Option.some(start.join(" "))
}

const ps = (pid: number): Effect.Effect<string> =>
  Effect.async((resume) => {
    execFile(
      "ps",
      ["-o", "stat=,lstart=", "-p", String(pid)],
      { env: { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" } },
      (_error, stdout) => resume(Effect.succeed(stdout))
    )
  })

const readText = (read: () => Promise<string>): Effect.Effect<string> =>
  Effect.tryPromise(read).pipe(Effect.orElseSucceed(() => ""))

/** When the process with that id started; `None` when there is none, or only its remains. */
export const startOf = (pid: number): Effect.Effect<Option.Option<string>> =>
  hasProc
    ? readText(() => readFile(`/proc/${pid}/stat`, "utf8")).pipe(Effect.map(parseStat))
    : ps(pid).pipe(Effect.map(parsePs))

/** Whether a process runs under that id right now, whichever it is. */
export const isRunning = (pid: number): Effect.Effect<boolean> =>
  Effect.map(startOf(pid), Option.isSome)

// The kernel counts start times in hundredths of a second on every platform that Node.js supports.
const ticksPerSecond = 100

/** When the process with that id started, as a time of the system's clock. */
export const startedAtSeconds = (pid: number): Effect.Effect<Option.Option<number>> =>
  Effect.gen(function* () {
    const start = yield* startOf(pid)
    if (!hasProc) return Option.map(start, (text) => Date.parse(`${text} UTC`) / 1_000)
    const boot = /^btime (\d+)$/m.exec(yield* readText(() => readFile("/proc/stat", "utf8")))?.[1]
    return Option.map(start, (ticks) => Number(boot) + Number(ticks) / ticksPerSecond)
  })

/** Names the boot and the process id namespace; two processes with equal scopes see equal ids. */
export const scope: Effect.Effect<string> = hasProc
  ? Effect.zipWith(
      readText(() => readFile("/proc/sys/kernel/random/boot_id", "utf8")),
      readText(() => readlink("/proc/self/ns/pid")),
      (boot, namespace) => `${boot.trim()}/${namespace}`
    )
  : Effect.sync(hostname)

/** The identity of this process. */
export const current: Effect.Effect<ProcessIdentity> = Effect.gen(function* () {
  const start = yield* startOf(process.pid)
  return { pid: process.pid, start: Option.getOrElse(start, () => ""), scope: yield* scope }
})
