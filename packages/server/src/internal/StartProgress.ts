/** Shows that a start goes on, while it takes longer than a person would wait in silence. */
import type { ServerConfig } from "../ServerConfig.js"

/** How often a start that is not over is mentioned. */
const EVERY_MS = 5_000

/** The part of a start that takes long, by store. */
const awaited = ({ ATTESTRY_DATA_DIR, ATTESTRY_STORE }: ServerConfig): string => {
  switch (ATTESTRY_STORE) {
    case "memory":
      return "the server is being prepared"
    case "embedded":
      return `the database in \`${ATTESTRY_DATA_DIR}\` is being started and prepared`
    case "postgres":
      return "the database has not answered yet, or is being brought to this version"
  }
}

/** Writes a line every few seconds until the returned function is called. */
export const begin = (config: ServerConfig, write: (line: string) => void): (() => void) => {
  let seconds = 0
  const timer = setInterval(() => {
    seconds += EVERY_MS / 1_000
    write(`attestry-server: still starting after ${seconds} seconds: ${awaited(config)}\n`)
  }, EVERY_MS)
  return () => clearInterval(timer)
}
