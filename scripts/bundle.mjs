/**
 * `node scripts/bundle.mjs FILE [FOLDER]`: writes the built server as one module, for tests that start many
 * processes; with a folder, the server of the sources there, which need not be built.
 *
 * WHY: Node takes two seconds of CPU to resolve the 1,250 modules of the server, and half a second to load one file.
 */
import { readdirSync, readFileSync, renameSync, rmSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { build } from "esbuild"

const [, , file, sources] = process.argv
const partial = `${file}.${process.pid}`

/** Lets modules find files beside themselves, as they do unbundled. */
const keepUrls = {
  name: "keep-urls",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/packages\/[^/]+\/(dist\/.*\.js|src\/.*\.ts)$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replaceAll(
        "import.meta.url",
        JSON.stringify(pathToFileURL(path).href)
      ),
      resolveDir: dirname(path),
      loader: path.endsWith(".ts") ? "ts" : "js"
    }))
}

await build({
  entryPoints: [
    sources === undefined
      ? join(import.meta.dirname, "../packages/server/dist/main.js")
      : join(sources, "packages/server/src/main.ts")
  ],
  ...(sources === undefined ? {} : { conditions: ["@attestry/source", "module"] }),
  outfile: partial,
  bundle: true,
  platform: "node",
  format: "esm",
  external: ["pg-native"],
  banner: {
    js: 'import { createRequire as makeRequire } from "node:module";const require = makeRequire(import.meta.url);'
  },
  plugins: [keepUrls],
  logLevel: "error"
})
// WHY: two test files may write the bundle at the same time.
renameSync(partial, file)
for (const name of readdirSync(dirname(file))) {
  if (/^server-.*\.mjs$/.test(name) && name !== basename(file)) rmSync(join(dirname(file), name))
}
