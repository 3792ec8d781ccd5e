/** Asks for one line on the terminal; what is typed for a hidden one is not shown. */
import { createInterface } from "node:readline"
import { Writable } from "node:stream"

/** The line that was typed. */
export const ask = (question: string, hidden: boolean): Promise<string> =>
  new Promise((resolve, reject) => {
    process.stderr.write(question)
    const silent = new Writable({ write: (_piece, _encoding, done) => done() })
    const reader = createInterface({
      input: process.stdin,
      output: hidden ? silent : process.stderr,
      terminal: process.stdin.isTTY === true
    })
    const answers: Array<string> = []
    reader.once("line", (line) => {
      answers.push(line)
      reader.close()
    })
    let isInterrupted = false
    reader.once("SIGINT", () => {
      isInterrupted = true
      reader.close()
      // WHY after the signal: the program must know of it before the question fails.
      process.once("SIGINT", () => reject(new Error("interrupted")))
      process.kill(process.pid, "SIGINT")
    })
    reader.once("close", () => {
      if (hidden) process.stderr.write("\n")
      const [line] = answers
      if (isInterrupted) return
      if (line === undefined) reject(new Error("nothing was typed"))
      else resolve(line.trim())
    })
  })
