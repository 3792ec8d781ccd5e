/** The machine of a command: variables, folders, streams and the time. `main.ts` has the real one. */

/** A stream that text is written to. */
export interface TextStream {
  readonly write: (text: string) => void
  readonly isTerminal: boolean
  /** The width of a terminal. */
  readonly columns: number
}

/** The machine of a command. */
export interface Host {
  readonly env: { readonly [name: string]: string | undefined }
  readonly cwd: string
  readonly home: string
  readonly platform: string
  readonly stdout: TextStream
  readonly stderr: TextStream
  /** All of stdin. */
  readonly readStdin: () => Promise<Uint8Array>
  readonly stdinIsTerminal: boolean
  /** Reads one line from the terminal, with or without echo. */
  readonly ask: (question: string, hidden: boolean) => Promise<string>
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly sleep: (millis: number, signal: AbortSignal) => Promise<void>
  /** Aborts on Ctrl-C and on a request to terminate. */
  readonly signal: AbortSignal
}

/** The variables for a foreign program: without ours, which may hold a key. */
export const foreignEnv = ({ env }: Pick<Host, "env">): Host["env"] =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("ATTESTRY_")))

/** A variable; an empty one is absent. */
export const variable = ({ env }: Host, name: string): string | undefined => {
  const value = env[name]
  return value === undefined || value === "" ? undefined : value
}
