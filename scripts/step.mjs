/** One step of a longer work, which shows on standard error that it goes on while it takes long. */
import { spawn } from "node:child_process"

/** After how many milliseconds a step is mentioned, and how often again. */
const FIRST_MS = 1_000
const AGAIN_MS = 10_000

/** Runs a program to its end, and ends this program when it fails. */
export const step = (title, program, args, { cwd, firstMs = FIRST_MS, againMs = AGAIN_MS }) =>
  new Promise((resolve) => {
    const began = performance.now()
    const tell = () => {
      const seconds = Math.round((performance.now() - began) / 1_000)
      process.stderr.write(`attestry: ${title} (${seconds} s)\n`)
    }
    let again
    const first = setTimeout(() => {
      tell()
      again = setInterval(tell, againMs)
    }, firstMs)
    const child = spawn(program, args, { cwd, stdio: ["ignore", "inherit", "inherit"] })
    const end = (status) => {
      clearTimeout(first)
      clearInterval(again)
      if (status === 0) resolve()
      else process.exit(status ?? 1)
    }
    child.once("error", (error) => {
      process.stderr.write(`attestry: ${title} failed: ${error.message}\n`)
      end(1)
    })
    child.once("exit", end)
  })
