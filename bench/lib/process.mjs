/** A server in a process of its own, started and stopped by a benchmark. */
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"

const { scripts } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))

/** The settings of V8 with which `pnpm start` starts a server: both sides of a comparison have them. */
const SETTINGS = scripts.start.match(/--\S+/g)

/**
 * Servers that run. WHY ended with the benchmark, however that ends: their PostgreSQL ends with it, and a server
 * without one warns for ever.
 */
const running = new Set()
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL")
})
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1))

/**
 * Starts a script and waits until its output matches; gives the match, its process and the way to stop it.
 * Where it listens to its input, `ask(line)` waits for the answer `done <line>`.
 */
export const startProcess = (args, { env, ready }) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...SETTINGS, ...args], {
      env: { ...process.env, ...env },
      stdio: ["pipe", "pipe", "inherit"]
    })
    running.add(child)
    child.once("exit", () => running.delete(child))
    let output = ""
    const waiting = []
    child.stdout.setEncoding("utf8")
    child.stdout.on("data", (text) => {
      output += text
      for (const _ of text.matchAll(/^done /gm)) waiting.shift()?.()
      const match = ready.exec(output)
      if (match === null) return
      const stop = () =>
        new Promise((ended) => {
          child.once("exit", ended)
          child.kill("SIGTERM")
        })
      const ask = (line) =>
        new Promise((answered) => {
          waiting.push(answered)
          child.stdin.write(`${line}\n`)
        })
      resolve({ pid: child.pid, match, stop, ask, child })
    })
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}:\n${output}`)))
  })
