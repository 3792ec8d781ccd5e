/** Reads one line from the terminal, with or without echo. */
import { createInterface } from "node:readline"
import { Writable } from "node:stream"

/** Asks a question; returns the typed line. */
export const ask = (question: string, hidden: boolean): Promise<string> =>
  new Promise((resolve, reject) => {
    const silent = new Writable({ write: (_piece, _encoding, done) => done() })
    const reader = createInterface({
      input: process.stdin,
      output: hidden ? silent : process.stderr,
      terminal: process.stdin.isTTY === true
    })
    // WHY after the reader: the terminal would echo characters that are typed before the reader is ready.
    process.stderr.write(question)
    const answers: Array<string> = []
    reader.once("line", (line) => {
      answers.push(line)
      reader.close()
    })
    let isInterrupted = false
    reader.once("SIGINT", () => {
      isInterrupted = true
      // WHY not a real signal: without a reader, the process would exit before the signal arrives.
      process.emit("SIGINT")
      reader.close()
      reject(new Error("interrupted"))
    })
    reader.once("close", () => {
      if (hidden) process.stderr.write("\n")
      const [line] = answers
      if (isInterrupted) return
      if (line === undefined) reject(new Error("nothing was typed"))
      else resolve(line.trim())
    })
  })
