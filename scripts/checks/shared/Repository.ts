/**
 * The files of the repository, as the checks read them: relative paths, posix separators, text.
 *
 * What `.gitignore` names is not here. Nothing is cached: a check reads what is on disk when it runs.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** The folder that holds the workspace. */
export const root = join(import.meta.dirname, "../../..")

/** A file with its text; the path is relative to the root. */
export interface TextFile {
  readonly path: string
  readonly text: string
}

/** A `package.json`, as far as the checks look at it. */
export interface Manifest {
  readonly name: string
  readonly version?: string
  readonly private?: boolean
  readonly description?: string
  readonly license?: string
  readonly homepage?: string
  readonly bugs?: string
  readonly repository?: { readonly url?: string; readonly directory?: string }
  readonly keywords?: ReadonlyArray<string>
  readonly packageManager?: string
  readonly scripts?: { readonly [name: string]: string }
  readonly bin?: { readonly [name: string]: string }
  readonly type?: string
  readonly sideEffects?: boolean
  readonly engines?: { readonly node?: string }
  readonly publishConfig?: { readonly access?: string }
  readonly files?: ReadonlyArray<string>
  readonly exports?: {
    readonly [subpath: string]: string | { readonly [condition: string]: string }
  }
  /** Modules of the package itself, by the platform that imports them. */
  readonly imports?: {
    readonly [specifier: string]: {
      readonly node: { readonly [condition: string]: string }
      readonly default: { readonly [condition: string]: string }
    }
  }
  readonly dependencies?: { readonly [name: string]: string }
  readonly devDependencies?: { readonly [name: string]: string }
  readonly optionalDependencies?: { readonly [name: string]: string }
  readonly peerDependencies?: { readonly [name: string]: string }
}

/** A member of the workspace. */
export interface Member {
  /** The folder's own name: `core` for `packages/core`. */
  readonly name: string
  readonly folder: string
  readonly manifest: Manifest
}

/** The text of a file of the repository. */
export const read = (path: string): string => readFileSync(join(root, path), "utf8")

/** Whether the repository has this file or folder. */
export const has = (path: string): boolean => existsSync(join(root, path))

const ignoreRules = (): ReadonlyArray<(name: string) => boolean> =>
  read(".gitignore")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const pattern = line.replace(/\/$/, "")
      return pattern.startsWith("*")
        ? (name: string) => name.endsWith(pattern.slice(1))
        : (name: string) => name === pattern
    })

/** Every file below a folder that is not ignored, sorted; none when there is no such folder. */
export const pathsUnder = (folder: string): ReadonlyArray<string> => {
  const rules = ignoreRules()
  const ignored = (name: string) => name === ".git" || rules.some((matches) => matches(name))
  const visit = (relative: string): ReadonlyArray<string> =>
    readdirSync(join(root, relative), { withFileTypes: true })
      .filter((entry) => !ignored(entry.name))
      .flatMap((entry) => {
        const path = relative === "" ? entry.name : `${relative}/${entry.name}`
        return entry.isDirectory() ? visit(path) : entry.isFile() ? [path] : []
      })
  return has(folder) ? [...visit(folder)].sort() : []
}

/** The members of the workspace below `packages`, `examples` and `bench`, with their manifests. */
export const members = (): ReadonlyArray<Member> =>
  ["packages", "examples"]
    .flatMap((folder) =>
      (has(folder) ? readdirSync(join(root, folder)) : []).map((name) => ({
        name,
        folder: `${folder}/${name}`
      }))
    )
    .concat([{ name: "bench", folder: "bench" }])
    .filter(({ folder }) => has(`${folder}/package.json`))
    .sort((a, b) => (a.folder < b.folder ? -1 : 1))
    .map((member) => ({ ...member, manifest: JSON.parse(read(`${member.folder}/package.json`)) }))

/** The members that are published: everything below `packages` that is not private. */
export const published = (): ReadonlyArray<Member> =>
  members().filter(
    ({ folder, manifest }) => folder.startsWith("packages/") && manifest.private !== true
  )

/** Whether a member is a program that is published as a bundle of everything it needs: it offers no modules. */
export const isBundledProgram = ({ manifest }: Member): boolean =>
  manifest.bin !== undefined && manifest.dependencies === undefined

/** The manifest of the workspace itself. */
export const rootManifest = (): Manifest => JSON.parse(read("package.json"))
