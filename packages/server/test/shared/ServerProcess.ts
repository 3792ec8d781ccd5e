/**
 * The assembled server in its own process: the built executable, bundled into one file.
 *
 * WHY bundled: Node takes two seconds of CPU to resolve the modules of the executable, and half a second to load the
 * bundle. `EXECUTABLE` is the unbundled one, which operators run.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { onTestFailed } from "vitest"
import { getCurrentTest } from "vitest/suite"
import { makeDataFolder } from "../../../embedded-postgres/test/DataFolder.js"

/** The built executable. */
export const EXECUTABLE = join(import.meta.dirname, "../../dist/main.js")

const root = join(import.meta.dirname, "../../../..")

/** The bundle of the current build; the first test file after a build writes it. */
const bundle = (): string => {
  const builtAt = readdirSync(join(root, "packages"))
    .flatMap((name) => ["src", "webcrypto"].map((part) => `${name}/dist/${part}.tsbuildinfo`))
    .map((name) => join(root, "packages", name))
    .map((file) => (existsSync(file) ? statSync(file).mtimeMs : 0))
  const folder = join(root, "node_modules/.cache/attestry")
  const file = join(folder, `server-${Math.max(...builtAt)}.mjs`)
  if (existsSync(file)) return file
  mkdirSync(folder, { recursive: true })
  execFileSync(process.execPath, [join(root, "scripts/bundle.mjs"), file])
  return file
}

/** The bundled executable. */
export const MAIN = bundle()

/** A server that is ready. */
export interface ServerProcess {
  readonly url: string
  readonly child: ChildProcess
  /** Its standard output. */
  readonly shown: string
  /** Its standard error until now. */
  readonly warned: () => string
  /** The key that was shown at the first start. */
  readonly key: string | undefined
  readonly org: string | undefined
  /** Sends a signal and waits for the exit; gives the exit code. */
  readonly stop: (signal: NodeJS.Signals) => Promise<number | null>
}

/** The environment of this process without variables of tests, which the server would report as unknown. */
const OWN_SETTINGS = /^ATTESTRY_/
const surroundings = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !OWN_SETTINGS.test(name)))

/** Runs the server until it exits. */
export const runToEnd = async (args: ReadonlyArray<string>, env: NodeJS.ProcessEnv = {}) => {
  const child = spawn(process.execPath, [MAIN, ...args], { env: { ...surroundings(), ...env } })
  let output = ""
  child.stdout.on("data", (text) => (output += text))
  child.stderr.on("data", (text) => (output += text))
  const [code] = await once(child, "exit")
  return { code, output }
}

/** The servers that run. */
const running = new Set<ChildProcess>()

/** A server that was asked to stop exits within this time, or is killed. */
const STOP_MS_MAX = 10_000

const stopChild = async (child: ChildProcess): Promise<void> => {
  if (!running.has(child)) return
  const ended = once(child, "exit")
  child.kill("SIGTERM")
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS_MAX)
  await ended
  clearTimeout(timer)
}

/**
 * Starts the server, or another executable of it, and waits until it is ready. A test that fails stops the servers that
 * it started.
 */
export const start = (env: NodeJS.ProcessEnv, main: string = MAIN): Promise<ServerProcess> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [main, "--port", "0"], {
      env: { ...surroundings(), ATTESTRY_LOG_LEVEL: "error", ...env }
    })
    running.add(child)
    child.once("exit", () => running.delete(child))
    if (getCurrentTest() !== undefined) onTestFailed(() => stopChild(child))
    let shown = ""
    let errors = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      shown += text
      const url = /ready at (\S+)/.exec(shown)?.[1]
      if (url === undefined || !shown.endsWith("\n\n")) return
      resolve({
        url,
        child,
        shown,
        warned: () => errors,
        key: /API key +(\S+)/.exec(shown)?.[1],
        org: /Org +(\S+)/.exec(shown)?.[1],
        stop: async (signal) => {
          const ended = once(child, "exit")
          child.kill(signal)
          const [code] = await ended
          return code
        }
      })
    })
    child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text))
    child.once("exit", (code) => reject(new Error(`ended with ${code}: ${shown}${errors}`)))
  })

/** A folder that is removed at the end, after the servers that still run of those that were started meanwhile. */
export const withFolder = async <A>(use: (folder: string) => Promise<A>): Promise<A> => {
  const folder = await makeDataFolder()
  const before = new Set(running)
  try {
    return await use(folder)
  } finally {
    await Promise.all([...running].filter((child) => !before.has(child)).map(stopChild))
    await rm(folder, { recursive: true, force: true })
  }
}
