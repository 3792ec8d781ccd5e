/**
 * What this user has written, kept in a file for the commands that come later: their reads show it, also where a server
 * that reads from a standby answers. A file that cannot be read or written is no failure: such a server then hands on.
 */
import { createHash } from "node:crypto"
import { mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as WrittenEntries from "@attestry/client/WrittenEntries"
import * as Profiles from "../settings/Profiles.js"
import { type Host, variable } from "../shared/Host.js"
import * as Json from "../shared/Json.js"

const folderOf = (host: Host): string => {
  const local = variable(host, "LOCALAPPDATA")
  if (host.platform === "win32" && local !== undefined) return join(local, "attestry")
  return join(variable(host, "XDG_STATE_HOME") ?? join(host.home, ".local/state"), "attestry")
}

const fileOf = (host: Host, url: string): string => {
  const digest = createHash("sha256").update(url).digest("hex").slice(0, 16)
  return join(folderOf(host), `written-${digest}.json`)
}

const parse = (text: string): WrittenEntries.KeptEntries =>
  new Map(
    Object.entries(Json.object(JSON.parse(text))).map(([org, entries]) => [
      org,
      Json.objects(entries).flatMap(({ id, arrivedAt }) =>
        typeof id === "string" && typeof arrivedAt === "number" ? [{ id, arrivedAt }] : []
      )
    ])
  )

/** Entries kept in a file; `trace` is told why one is not used. */
const inFile = (file: string, folder: string, trace: (text: string) => void) => ({
  get: (): WrittenEntries.KeptEntries => {
    try {
      return parse(readFileSync(file, "utf8"))
    } catch {
      // WHY: there is none before the first write, and one that was cut off says nothing.
      return new Map()
    }
  },
  set: (kept: WrittenEntries.KeptEntries): void => {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      Profiles.writePrivate(file, JSON.stringify(Object.fromEntries(kept)))
    } catch (cause) {
      trace(`what was written is not remembered: ${cause}`)
    }
  }
})

/** Remembers what is written to a deployment. */
export const make = (
  host: Host,
  url: string,
  trace: (text: string) => void
): WrittenEntries.WrittenEntries =>
  WrittenEntries.make(host.now, inFile(fileOf(host, url), folderOf(host), trace))
