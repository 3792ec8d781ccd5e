/**
 * How is a PostgreSQL program started, listened to and ended?
 *
 * Programs run in their own session, so a Ctrl-C in the terminal reaches only this process, and
 * with an environment of their own, so that no secret of this process reaches the server.
 */
import { type ChildProcess, spawn } from "node:child_process"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import type { ServerAccount } from "./ServerAccount.js"

/** A program, its folder and its account. */
export interface ProgramSpec {
  readonly program: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  readonly account: Option.Option<ServerAccount>
  /** An open file that the program finds as `/dev/fd/3`. */
  readonly inheritedFile?: number
}

/** A program that was started; `pid` is `None` when the system refused to start it. */
export interface SpawnedProcess {
  readonly pid: Option.Option<number>
  /** Waits for the end and says how it came: exit code, signal or the reason of a refusal. */
  readonly ended: Effect.Effect<string>
  readonly hasEnded: Effect.Effect<boolean>
  /** The last lines of what the program wrote. */
  readonly output: Effect.Effect<string>
  /** Sends a signal; does nothing once the program has ended. */
  readonly signal: (signal: NodeJS.Signals) => void
}

const tailLengthMax = 4_000
// WHY: orphaned server processes can hold the pipe open long after the program has ended.
const lastWordsMs = 250

const launch = (spec: ProgramSpec): ChildProcess =>
  spawn(spec.program, [...spec.args], {
    cwd: spec.cwd,
    detached: true,
    env: { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" },
    stdio: [
      "ignore",
      "pipe",
      "pipe",
      ...(spec.inheritedFile === undefined ? [] : [spec.inheritedFile])
    ],
    ...Option.getOrElse(spec.account, () => ({}))
  })

const collectLog = (child: ChildProcess, onLine: (line: string) => void) => {
  let tail = ""
  let rest = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      tail = (tail + chunk).slice(-tailLengthMax)
      const lines = (rest + chunk).split("\n")
      rest = lines.pop() ?? ""
      lines.forEach(onLine)
    })
  }
  return () => tail.trim()
}

const refused = (reason: string): SpawnedProcess => ({
  pid: Option.none(),
  ended: Effect.succeed(reason),
  hasEnded: Effect.succeed(true),
  output: Effect.succeed(""),
  signal: () => undefined
})

/** Starts a program; its output goes to the server log at level `debug`, line by line. */
export const start = (spec: ProgramSpec): Effect.Effect<SpawnedProcess> =>
  Effect.gen(function* () {
    const runtime = yield* Effect.runtime<never>()
    const run = Runtime.runFork(runtime)
    const ended = yield* Deferred.make<string>()
    const closed = yield* Deferred.make<void>()
    return yield* Effect.try(() => launch(spec)).pipe(
      Effect.map((child): SpawnedProcess => {
        const tail = collectLog(child, (line) => run(Effect.logDebug(line)))
        const end = (how: string) => Deferred.unsafeDone(ended, Effect.succeed(how))
        child.on("error", (error) => end(error.message))
        child.on("exit", (code, signal) => end(signal ?? `exit code ${code}`))
        child.on("close", () => Deferred.unsafeDone(closed, Effect.void))
        return {
          pid: Option.fromNullable(child.pid),
          ended: Deferred.await(ended),
          hasEnded: Deferred.isDone(ended),
          output: Deferred.await(closed).pipe(
            Effect.timeout(lastWordsMs),
            Effect.interruptible,
            Effect.ignore,
            Effect.map(tail)
          ),
          signal: (signal) => void child.kill(signal)
        }
      }),
      // WHY: some refusals, such as a missing right to change the user, are thrown, not emitted.
      Effect.catchAll((cause) => Effect.succeed(refused(String(cause.error))))
    )
  })

// WHY: initdb runs the server as a child of its own, in the same process group.
const killGroup = (pid: Option.Option<number>): Effect.Effect<void> =>
  Effect.forEach(Option.toArray(pid), (id) => Effect.try(() => process.kill(-id, "SIGKILL"))).pipe(
    Effect.ignore
  )

/** How a program that ran to its end did so. */
export interface Outcome {
  readonly succeeded: boolean
  readonly how: string
  readonly output: string
}

/** Runs a program to its end; it is killed when the time is up or the caller is interrupted. */
export const run = (spec: ProgramSpec, timeoutMs: number): Effect.Effect<Outcome> =>
  Effect.acquireUseRelease(
    start(spec),
    (program) =>
      program.ended.pipe(
        Effect.timeoutTo({
          duration: timeoutMs,
          onSuccess: (how) => how,
          onTimeout: () => `no end after ${timeoutMs} ms`
        }),
        Effect.interruptible,
        Effect.zipWith(program.output, (how, output) => ({
          succeeded: how === "exit code 0",
          how,
          output
        }))
      ),
    (program) => Effect.unlessEffect(killGroup(program.pid), program.hasEnded)
  )
