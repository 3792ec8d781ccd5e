/**
 * Finds a Chromium: the path in `ATTESTRY_TEST_BROWSER` (`none` hides every browser), one on the path, or the one that
 * a package of this workspace holds, which is unpacked once into a cache folder together with the libraries and fonts
 * that bare machines lack.
 */
import { spawnSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { delimiter, dirname, join } from "node:path"
import { brotliDecompressSync } from "node:zlib"

/** How to start a browser. */
export interface Chromium {
  readonly executablePath: string
  readonly env: { readonly [name: string]: string }
}

const NAMES = ["chromium", "chromium-browser"]

const onPath = (): string | undefined =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find(existsSync)

const cache = join(import.meta.dirname, "../../node_modules/.cache/chromium")

const require = createRequire(import.meta.url)

const unpack = (archives: string, folder: string): void => {
  const read = (name: string) => brotliDecompressSync(readFileSync(join(archives, name)))
  mkdirSync(folder, { recursive: true })
  for (const name of ["al2023.tar.br", "fonts.tar.br"]) {
    const { status } = spawnSync("tar", ["-x", "-C", folder], { input: read(name) })
    if (status !== 0) throw new Error(`cannot unpack ${name}`)
  }
  const program = join(folder, "chromium")
  writeFileSync(program, read("chromium.br"))
  chmodSync(program, 0o755)
}

/** WHY: two test files may unpack at the same time; the first to finish wins. */
const unpackOnce = (archives: string): void => {
  if (existsSync(join(cache, "chromium"))) return
  const staging = `${cache}-${process.pid}`
  unpack(archives, staging)
  try {
    renameSync(staging, cache)
  } catch (cause) {
    if (!existsSync(join(cache, "chromium"))) throw cause
  }
}

const packaged = (): Chromium | undefined => {
  if (process.platform !== "linux" || process.arch !== "x64") return undefined
  const archives = join(dirname(require.resolve("@sparticuz/chromium")), "../../bin")
  unpackOnce(archives)
  return {
    executablePath: join(cache, "chromium"),
    env: { LD_LIBRARY_PATH: join(cache, "lib"), FONTCONFIG_PATH: join(cache, "fonts") }
  }
}

/** The browser of this machine; undefined without one. */
export const find = (): Chromium | undefined => {
  const chosen = process.env.ATTESTRY_TEST_BROWSER
  if (chosen === "none") return undefined
  if (chosen !== undefined && chosen !== "required") return { executablePath: chosen, env: {} }
  const installed = onPath()
  return installed === undefined ? packaged() : { executablePath: installed, env: {} }
}
