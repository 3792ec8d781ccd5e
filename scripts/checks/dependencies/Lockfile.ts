/** What is installed, as the lockfile says and as the folder of installed packages shows. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parse } from "yaml"
import * as Repository from "../shared/Repository.js"

/** A package in one version. */
export interface Locked {
  readonly name: string
  readonly version: string
}

/** The name and the version of an entry such as `@effect/sql@0.52.1`. */
export const lockedOf = (key: string): Locked => {
  const at = key.indexOf("@", 1)
  return { name: key.slice(0, at), version: key.slice(at + 1) }
}

/** Every package of a lockfile. */
export const lockedIn = (text: string): ReadonlyArray<Locked> =>
  Object.keys(parse(text).packages).map(lockedOf)

/** Numbers of a version, without what follows a hyphen. */
const numbersOf = (version: string): ReadonlyArray<number> =>
  version
    .replace(/[-+].*$/, "")
    .split(".")
    .map(Number)

/** Whether a version comes before another. */
export const isBefore = (version: string, other: string): boolean => {
  const left = numbersOf(version)
  const right = numbersOf(other)
  const index = right.findIndex((number, position) => number !== (left[position] ?? 0))
  return index !== -1 && (left[index] ?? 0) < (right[index] ?? 0)
}

/** Packages that may not be here at all, or not before a version. */
export const FORBIDDEN: ReadonlyArray<{ readonly name: string; readonly before?: string }> = [
  { name: "ip" },
  { name: "private-ip" },
  { name: "ssrfcheck" },
  { name: "multer", before: "2.3.0" },
  { name: "effect", before: "3.20.0" }
]

/** The locked packages that are forbidden. */
export const forbidden = (locked: ReadonlyArray<Locked>): ReadonlyArray<string> =>
  locked
    .filter(({ name, version }) =>
      FORBIDDEN.some(
        (rule) =>
          rule.name === name && (rule.before === undefined || isBefore(version, rule.before))
      )
    )
    .map(({ name, version }) => `${name}@${version} is forbidden`)

/** The packages that are locked in more than one version, of those that must have one. */
export const copies = (
  locked: ReadonlyArray<Locked>,
  isSingle: (name: string) => boolean
): ReadonlyArray<string> => {
  const versions = new Map<string, ReadonlyArray<string>>()
  for (const { name, version } of locked) {
    if (isSingle(name)) versions.set(name, [...(versions.get(name) ?? []), version])
  }
  return [...versions]
    .filter(([, each]) => each.length > 1)
    .map(([name, each]) => `${name} is there as ${each.join(", ")}`)
}

const SCRIPTS = ["preinstall", "install", "postinstall"]

const hasInstallScript = (folder: string): boolean => {
  const { scripts = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  return SCRIPTS.some((name) => name in scripts) || existsSync(join(folder, "binding.gyp"))
}

const packagesIn = (modules: string): ReadonlyArray<string> =>
  readdirSync(modules).flatMap((name) =>
    name.startsWith("@")
      ? readdirSync(join(modules, name)).map((each) => `${name}/${each}`)
      : [name]
  )

/** The installed packages that would run a script when they are installed. */
export const installScripts = (): ReadonlyArray<string> => {
  const store = join(Repository.root, "node_modules/.pnpm")
  const names = readdirSync(store)
    .map((entry) => join(store, entry, "node_modules"))
    .filter((modules) => existsSync(modules))
    .flatMap((modules) =>
      packagesIn(modules).filter((name) => {
        const folder = join(modules, name)
        return existsSync(join(folder, "package.json")) && hasInstallScript(folder)
      })
    )
  return [...new Set(names)].sort()
}

/** The packages that the workspace allows or refuses to run a script. */
export const namedInAllowBuilds = (): ReadonlyArray<string> =>
  Object.keys(parse(Repository.read("pnpm-workspace.yaml")).allowBuilds)
