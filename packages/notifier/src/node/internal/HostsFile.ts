/**
 * Which addresses does the system's file of hosts give to a name?
 *
 * Looked at on every call and parsed only when it changed. A file that cannot be read says nothing.
 */
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"

/** Where the system keeps the file. */
export const systemFile: string =
  process.platform === "win32"
    ? join(process.env.SystemRoot ?? "C:\\Windows", "System32", "drivers", "etc", "hosts")
    : "/etc/hosts"

type Names = ReadonlyMap<string, ReadonlyArray<string>>

/** Reads the text of such a file: an address, then its names; `#` begins a comment. */
export const parse = (text: string): Names => {
  const names = new Map<string, Array<string>>()
  for (const line of text.split(/\r?\n/)) {
    const [address, ...given] = line.replace(/#.*/, "").trim().split(/\s+/)
    if (address === undefined || address === "") continue
    for (const name of given) {
      const key = name.toLowerCase()
      names.set(key, [...(names.get(key) ?? []), address])
    }
  }
  return names
}

/** Gives the file's addresses of a name in lower case; none when it does not name it. */
export const make = (file: string = systemFile) => {
  let version = ""
  let names: Names = new Map()
  return (name: string): ReadonlyArray<string> => {
    try {
      const { ino, mtimeMs, size } = statSync(file)
      const found = `${ino} ${mtimeMs} ${size}`
      if (found !== version) {
        names = parse(readFileSync(file, "utf8"))
        version = found
      }
    } catch {
      // WHY: a machine without the file has no names in it.
      names = new Map()
      version = ""
    }
    return names.get(name) ?? []
  }
}
