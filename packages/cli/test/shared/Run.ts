/** Runs a command line in this process, on a machine that is made for it, and gives what it printed. */
import { mkdtempSync } from "node:fs"
import { join } from "node:path"
import { inject } from "vitest"
import * as Program from "../../src/Program.js"
import type { Host } from "../../src/shared/Host.js"

/** What a command line is given. */
export interface Machine {
  readonly cwd?: string
  readonly home?: string
  readonly env?: { readonly [name: string]: string }
  readonly stdin?: string
  /** Whether stdin and stdout are a terminal. */
  readonly tty?: boolean
  /** The lines that are typed. */
  readonly typed?: ReadonlyArray<string>
  readonly platform?: string
  /** Parts of the machine that behave otherwise. */
  readonly host?: Partial<Host>
}

/** What a command line has done. */
export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** A folder of its own, which is removed when the run of all tests ends. */
export const folder = (): string => mkdtempSync(join(inject("folder"), "m-"))

/** Runs a command line. */
export const run = async (argv: ReadonlyArray<string>, machine: Machine = {}): Promise<Ran> => {
  const written = { stdout: "", stderr: "" }
  const typed = [...(machine.typed ?? [])]
  const home = machine.home ?? folder()
  const stream = (name: "stdout" | "stderr") => ({
    write: (text: string) => {
      written[name] += text
    },
    isTerminal: machine.tty === true,
    columns: 100
  })
  const host: Host = {
    env: { PATH: process.env.PATH ?? "", ...machine.env },
    cwd: machine.cwd ?? home,
    home,
    platform: machine.platform ?? "linux",
    stdout: stream("stdout"),
    stderr: stream("stderr"),
    writeStdout: async (bytes) => {
      written.stdout += Buffer.from(bytes).toString("latin1")
    },
    readStdin: async () => new TextEncoder().encode(machine.stdin ?? ""),
    stdinIsTerminal: machine.tty === true,
    ask: async () => typed.shift() ?? "",
    now: () => Date.now(),
    sleep: async () => {},
    signal: new AbortController().signal,
    ...machine.host
  }
  const code = await Program.run(host, argv)
  return { code, ...written }
}
