/**
 * The addresses of a name in the system's hosts file.
 *
 * Each call checks the file's version and parses it only after a change. A file that cannot be read has no names.
 */
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"

/** The path of the system's file. */
export const systemFile: string =
  process.platform === "win32"
    ? join(process.env.SystemRoot ?? "C:\\Windows", "System32", "drivers", "etc", "hosts")
    : "/etc/hosts"

type Names = ReadonlyMap<string, ReadonlyArray<string>>

/** Parses a hosts file: an address, then its names, on each line; `#` begins a comment. */
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

/** Builds the function that gives the addresses of a name in lower case. */
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
      // WHY: not every machine has the file.
      names = new Map()
      version = ""
    }
    return names.get(name) ?? []
  }
}
