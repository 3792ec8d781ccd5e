/**
 * `node build/build.mjs [--brotli] [--watch] [--force]`: bundles the browser application into `dist/site`.
 *
 * Writes hashed files below `_/assets`, `shell.html` that names them, and `files.json` that lists them with their
 * types, sizes and digests. A build that would change nothing is skipped (`scripts/inputs.mjs`). Source maps go to
 * `dist/maps`, which is neither served nor published.
 */
import { createHash } from "node:crypto"
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  watch,
  writeFileSync
} from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { isUnchanged, stateOf } from "../../../scripts/inputs.mjs"

const root = join(import.meta.dirname, "..")
const site = join(root, "dist/site")
const stateFile = join(root, "dist/site-inputs.json")
const flags = new Set(process.argv.slice(2))
const isRelease = flags.has("--brotli")

const TYPES = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  html: "text/html; charset=utf-8"
}

const digestOf = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 16)

const kind = isRelease ? "release" : "plain"

const isCurrent = () =>
  !flags.has("--force") &&
  existsSync(join(site, "files.json")) &&
  isUnchanged({ root, kind, stateFile })

/** WHY not before: a build that is skipped needs no bundler. */
const build = async (options) => (await import("esbuild")).build(options)

/** WHY a folder beside it: a server that reads `dist/site` sees the old files or the new ones. */
const staging = `${site}-${process.pid}`

const write = (name, bytes) => {
  const file = join(staging, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, bytes)
}

/** Writes a file with its compressed forms, and says what is known about it. */
const publish = (name, bytes) => {
  const gzip = gzipSync(bytes, { level: 9 })
  write(name, bytes)
  write(`${name}.gz`, gzip)
  if (isRelease) write(`${name}.br`, brotliCompressSync(bytes))
  return {
    name,
    type: TYPES[name.split(".").at(-1)],
    size: bytes.byteLength,
    gzipSize: gzip.byteLength,
    digest: digestOf(bytes),
    encodings: isRelease ? ["gzip", "br"] : ["gzip"]
  }
}

const SHARED = {
  absWorkingDir: root,
  outdir: staging,
  entryNames: "_/assets/[name]-[hash]",
  chunkNames: "_/assets/[name]-[hash]",
  assetNames: "_/assets/[name]-[hash]",
  bundle: true,
  format: "esm",
  target: ["es2022", "chrome120", "firefox121", "safari17.4"],
  minify: true,
  sourcemap: "external",
  metafile: true,
  write: false,
  conditions: ["@attestry/source"],
  legalComments: "none",
  logLevel: "warning"
}
const DEFINED = { "process.env.NODE_ENV": '"production"' }

/** The workers, each one file by itself: they alone have core and Effect in them. */
const WORKERS = {
  JUDGE_WORKER: ["judge.worker", "app/policy/judge.worker.ts"],
  PROOF_WORKER: ["proof.worker", "app/log/proof.worker.ts"]
}

const bundleWorkers = () =>
  build({
    ...SHARED,
    entryPoints: Object.fromEntries(
      Object.values(WORKERS).map(([name, file]) => [name, join(root, file)])
    ),
    define: DEFINED
  })

/** The hashed names of the workers, as the application knows them. */
const workerNames = ({ outputFiles }) =>
  Object.fromEntries(
    Object.entries(WORKERS).map(([constant, [name]]) => {
      const { path } = outputFiles.find(
        (file) => basename(file.path).startsWith(`${name}-`) && file.path.endsWith(".js")
      )
      return [constant, JSON.stringify(relative(staging, path))]
    })
  )

const mainFile = join(root, "app/main.tsx")

/** The files that are loaded when they are needed: pages, and parts of them. */
const laterFiles = () =>
  new Set(
    readdirSync(join(root, "app"), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name))
      .flatMap((name) => {
        const file = join(root, "app", name)
        const imports = readFileSync(file, "utf8").matchAll(/import\("([^"]+)\.js"\)/g)
        return [...imports].map(([, path]) => join(dirname(file), `${path}.tsx`))
      })
  )

/** WHY an export: an import of nothing is left out, because the package has no side effects. */
const FIRST_LOAD = `
import * as firstLoad from "attestry:first-load"
export const loadedBefore = () => firstLoad
`

/**
 * Makes every file that is loaded later import what the first load has, which is there already.
 *
 * WHY: modules are split by the sets of pages that reach them, so the first load would be one file for each set. With
 * this it is the entry and one file, however many pages there are.
 */
const oneFirstLoad = {
  name: "one-first-load",
  setup: ({ onLoad, onResolve }) => {
    const later = laterFiles()
    onResolve({ filter: /^attestry:first-load$/ }, () => ({ path: mainFile }))
    onLoad({ filter: /\.tsx$/ }, ({ path }) =>
      later.has(path)
        ? { contents: readFileSync(path, "utf8") + FIRST_LOAD, loader: "tsx" }
        : undefined
    )
  }
}

/** The application, which knows the hashed names of the workers. */
const bundle = (workers) =>
  build({
    ...SHARED,
    entryPoints: { app: join(root, "app/main.tsx"), style: join(root, "app/style/layers.css") },
    plugins: [oneFirstLoad],
    splitting: true,
    jsx: "automatic",
    jsxImportSource: "preact",
    define: { ...DEFINED, ...workers }
  })

/** The entry and everything that it imports at once; pages that are loaded later are left out. */
const firstLoad = (outputs, entry) => {
  const seen = new Set()
  const visit = (name) => {
    if (seen.has(name)) return
    seen.add(name)
    for (const { path, kind } of outputs[name].imports) if (kind === "import-statement") visit(path)
  }
  visit(entry)
  return [...seen]
}

const shellOf = ({ icon, style, scripts }) => {
  const [entry, ...preloads] = scripts
  const modulePreloads = preloads
    .map((each) => `<link rel="modulepreload" href="%BASE%/${each}">\n`)
    .join("")
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="attestry-base" content="%BASE%">
<title>Attestry</title>
<link rel="icon" href="%BASE%/${icon}" type="image/svg+xml">
<link rel="stylesheet" href="%BASE%/${style}">
${modulePreloads}<script type="module" src="%BASE%/${entry}"></script>
</head>
<body>
<div id="app"></div>
<noscript>These pages need JavaScript. The API works without it: see its documentation below /api/v2/doc/.</noscript>
</body>
</html>
`
}

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`

const run = async () => {
  rmSync(staging, { recursive: true, force: true })
  const workers = await bundleWorkers()
  const { metafile, outputFiles } = await bundle(workerNames(workers))
  const outputs = Object.fromEntries(
    Object.entries(metafile.outputs).map(([path, output]) => [
      relative(staging, join(root, path)),
      {
        ...output,
        imports: output.imports.map((each) => ({
          ...each,
          path: relative(staging, join(root, each.path))
        }))
      }
    ])
  )
  const maps = join(root, "dist/maps")
  rmSync(maps, { recursive: true, force: true })
  mkdirSync(maps, { recursive: true })
  const icon = readFileSync(join(root, "app/icon.svg"))
  const iconName = `_/assets/icon-${digestOf(icon).slice(0, 8).toUpperCase()}.svg`
  const assets = [publish(iconName, icon)]
  for (const { path, contents } of [...workers.outputFiles, ...outputFiles]) {
    const name = relative(staging, path)
    if (name.endsWith(".map")) writeFileSync(join(maps, basename(name)), contents)
    else assets.push(publish(name, Buffer.from(contents)))
  }
  const names = Object.keys(outputs)
  const entry = names.find((name) => outputs[name].entryPoint === "app/main.tsx")
  const style = names.find((name) => outputs[name].entryPoint === "app/style/layers.css")
  const scripts = firstLoad(outputs, entry)
  const shell = publish("shell.html", Buffer.from(shellOf({ icon: iconName, style, scripts })))
  const sizeOf = (name) => assets.find((asset) => asset.name === name)?.gzipSize ?? 0
  const first = [style, ...scripts].reduce((sum, name) => sum + sizeOf(name), shell.gzipSize)
  write("files.json", JSON.stringify({ shell, assets, firstLoad: [style, ...scripts] }, null, 1))
  rmSync(site, { recursive: true, force: true })
  renameSync(staging, site)
  const pageInputs = Object.keys(metafile.inputs)
  const inputs = [
    ...new Set([
      ...pageInputs,
      ...Object.keys(workers.metafile.inputs),
      "build/build.mjs",
      "../../scripts/inputs.mjs",
      "app/icon.svg"
    ])
  ].sort()
  writeFileSync(stateFile, JSON.stringify({ ...stateOf({ root, kind, inputs }), pageInputs }))
  process.stdout.write(
    `pages: first load ${kilobytes(first)} gzipped in ${scripts.length + 2} requests, ${assets.length} files\n`
  )
}

if (flags.has("--watch") || !isCurrent()) await run()
if (flags.has("--watch")) {
  let timer
  watch(join(root, "app"), { recursive: true }, () => {
    clearTimeout(timer)
    timer = setTimeout(() => run().catch((error) => process.stderr.write(`${error}\n`)), 100)
  })
}
