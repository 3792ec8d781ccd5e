/**
 * The libraries that tests import, in few files: a mutant begins with loading them, and hundreds of files take
 * longer than most tests. Every file of one bundle shares its parts, so that each library is there once.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { build } from "esbuild"

const core = join(import.meta.dirname, "../../packages/core")

const IMPORT = /from "((?:effect|@effect\/vitest)(?:\/\w+)?)"/g

const importsOf = (directory) =>
  readdirSync(join(core, directory), { recursive: true })
    .filter((path) => path.endsWith(".ts"))
    .flatMap((path) => [...readFileSync(join(core, directory, path), "utf8").matchAll(IMPORT)])
    .map(([, name]) => name)

/** What is imported, by name; the longest names first, as a name stands for everything below it as well. */
export const names = [...new Set(["src", "testing", "test"].flatMap(importsOf))].sort().reverse()

const entryOf = (name) => name.replaceAll("/", ".")

/** The file that stands for a name. */
export const fileOf = (folder, name) => join(folder, `${entryOf(name)}.mjs`)

/** Writes the bundle into a folder, which must be called `node_modules` to be taken for libraries. */
export const write = (folder) =>
  build({
    absWorkingDir: core,
    entryPoints: Object.fromEntries(names.map((name) => [entryOf(name), name])),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    external: ["vitest"],
    logLevel: "error"
  })
