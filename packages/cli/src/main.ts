#!/usr/bin/env node
/** The program `attestry`: the real host for `Program`, signals, and the exit code. */
import { homedir } from "node:os"
import type { Host, TextStream } from "./shared/Host.js"
import { VERSION } from "./shared/Version.js"

const NODE_MIN = [20, 19] as const

const isOld = (): boolean => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  return major < NODE_MIN[0] || (major === NODE_MIN[0] && minor < NODE_MIN[1])
}

const streamOf = (stream: NodeJS.WriteStream): TextStream => ({
  write: (text) => {
    stream.write(text)
  },
  get isTerminal() {
    return stream.isTTY === true
  },
  get columns() {
    return stream.columns ?? 80
  }
})

const readStdin = async (bytesMax = Number.POSITIVE_INFINITY): Promise<Uint8Array> => {
  const pieces: Array<Buffer> = []
  let size = 0
  for await (const piece of process.stdin) {
    const bytes = Buffer.from(piece)
    pieces.push(bytes)
    size += bytes.byteLength
    if (size > bytesMax) break
  }
  return Buffer.concat(pieces)
}

const sleep = (millis: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, millis)
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer)
        reject(signal.reason)
      },
      { once: true }
    )
  })

/**
 * WHY our variables are removed from the process: child programs inherit its variables, and ours may contain a key.
 */
const takeVariables = (): Host["env"] => {
  const env = { ...process.env }
  for (const name of Object.keys(env)) if (name.startsWith("ATTESTRY_")) delete process.env[name]
  return env
}

const writeStdout = (bytes: Uint8Array): Promise<void> =>
  new Promise((resolve) => process.stdout.write(bytes, () => resolve()))

const hostOf = (signal: AbortSignal): Host => ({
  env: takeVariables(),
  cwd: process.cwd(),
  home: homedir(),
  platform: process.platform,
  stdout: streamOf(process.stdout),
  stderr: streamOf(process.stderr),
  writeStdout,
  readStdin,
  stdinIsTerminal: process.stdin.isTTY === true,
  ask: async (question, hidden) => (await import("./shared/Prompt.js")).ask(question, hidden),
  now: () => Date.now(),
  sleep,
  signal
})

/** WHY 70: Node would exit with 1, which means a no. */
const crash = (error: unknown): never => {
  process.stderr.write(
    `error: this is a bug of attestry: ${error instanceof Error ? error.message : error}\n`
  )
  process.exit(70)
}

const start = async (): Promise<void> => {
  process.on("uncaughtException", crash)
  process.on("unhandledRejection", crash)
  // WHY: a reader such as `head` may close the pipe early.
  process.stdout.on("error", () => {})
  if (isOld()) {
    process.stderr.write(`error: attestry needs Node ${NODE_MIN.join(".")} or newer\n`)
    process.exitCode = 2
    return
  }
  // WHY: a process that ends without a result has a bug, and must not exit with 0.
  process.exitCode = 70
  const argv = process.argv.slice(2)
  // WHY here: installers ask for the version, which does not need the tree of commands.
  if (argv.length === 1 && argv[0] === "--version") {
    process.stdout.write(`${VERSION}\n`)
    process.exitCode = 0
    return
  }
  const controller = new AbortController()
  for (const name of ["SIGINT", "SIGTERM"] as const)
    process.once(name, () => controller.abort(name))
  const { run } = await import("./Program.js")
  process.exitCode = await run(hostOf(controller.signal), argv)
}

start().catch(crash)
