/** The machine on which a command runs: variables, folders, streams and time. `main.ts` has the real one. */

/** An output stream. */
export interface TextStream {
  readonly write: (text: string) => void
  readonly isTerminal: boolean
  /** The width of the terminal. */
  readonly columns: number
}

/** The machine on which a command runs. */
export interface Host {
  readonly env: { readonly [name: string]: string | undefined }
  readonly cwd: string
  readonly home: string
  readonly platform: string
  readonly stdout: TextStream
  readonly stderr: TextStream
  /** Writes bytes to stdout, and waits while its reader is slower. */
  readonly writeStdout: (bytes: Uint8Array) => Promise<void>
  /** Reads all of stdin; with a limit it stops soon after the first byte above it. */
  readonly readStdin: (bytesMax?: number) => Promise<Uint8Array>
  readonly stdinIsTerminal: boolean
  /** Reads one line from the terminal, with or without echo. */
  readonly ask: (question: string, hidden: boolean) => Promise<string>
  /** In epoch milliseconds. */
  readonly now: () => number
  readonly sleep: (millis: number, signal: AbortSignal) => Promise<void>
  /** Aborts on Ctrl-C and on SIGTERM. */
  readonly signal: AbortSignal
}

/** The variables for a child program: without ours, which may contain a key. */
export const foreignEnv = ({ env }: Pick<Host, "env">): Host["env"] =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("ATTESTRY_")))

/** The value of a variable; undefined if it is empty. */
export const variable = ({ env }: Host, name: string): string | undefined => {
  const value = env[name]
  return value === undefined || value === "" ? undefined : value
}
