/**
 * `node build/build.mjs [--brotli] [--watch] [--force]`: bundles the browser application into `dist/site`.
 *
 * Writes hashed files below `_/assets`, `shell.html` that names them, the documentation below `docs` (`docs.mjs`), and
 * `files.json` that lists them with their types, sizes and digests. A build that would change nothing is skipped (`scripts/inputs.mjs`). Source maps go to
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
import { buildDocs } from "./docs.mjs"
import { buildVerify } from "./verify.mjs"
import { bundleWorkers, workerNames } from "./workers.mjs"

const root = join(import.meta.dirname, "..")
const site = join(root, "dist/site")
const stateFile = join(root, "dist/site-inputs.json")
const flags = new Set(process.argv.slice(2))
const isRelease = flags.has("--brotli")

const TYPES = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  json: "application/json",
  html: "text/html; charset=utf-8"
}

const digestOf = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 16)

const kind = isRelease ? "release" : "plain"

const isCurrent = () =>
  !flags.has("--force") &&
  existsSync(join(site, "files.json")) &&
  isUnchanged({ root, kind, stateFile })

/** WHY late: a build that is skipped needs no bundler. */
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

/** A module that this many of the later files need is part of the first load, as is everything that its page shares. */
const COMMON_MIN = 7
const FIRST_PAGE = "app/environment/OverviewPage.tsx"

/** The files of modules that some pages share, by the folders of the modules; the first that fits. */
const PARTS = [
  ["component", /^app\/component\//],
  [
    "evidence",
    /^app\/(artifact|attestation|audit-package|build|deployment|exposure|flow|snapshot|trail)\//
  ],
  ["waiver", /^app\/waiver\/Waiver(Actions|Parts|Text)\./],
  ["policy", /^app\/policy\//],
  [
    "people",
    /^app\/(api-key|membership|notification|preferences|proposal|service-account|sign-in|space|team)\//
  ],
  ["work", /./]
]

const appOptions = (workers, plugins) => ({
  ...SHARED,
  entryPoints: { app: mainFile, style: join(root, "app/style/layers.css") },
  plugins,
  splitting: true,
  jsx: "automatic",
  jsxImportSource: "preact",
  define: { ...DEFINED, ...workers }
})

/** The files of the application that a file imports at once, itself included. */
const reachOf = (inputs, file) => {
  const seen = new Set()
  const visit = (name) => {
    if (seen.has(name) || inputs[name] === undefined) return
    seen.add(name)
    for (const { path, kind } of inputs[name].imports) if (kind === "import-statement") visit(path)
  }
  visit(relative(root, file))
  return new Set([...seen].filter((name) => /^(app|src)\/.*\.tsx?$/.test(name)))
}

/** Which modules are loaded with the first page, which are shared by some pages, and which pages need which of these. */
const groupsOf = async (workers) => {
  const { metafile } = await build({ ...appOptions(workers, []), sourcemap: false, minify: false })
  const later = [...laterFiles()]
  const first = reachOf(metafile.inputs, mainFile)
  const reached = new Map(later.map((file) => [file, reachOf(metafile.inputs, file)]))
  const isLater = new Set(later.map((file) => relative(root, file)))
  const others = [...new Set([...reached.values()].flatMap((names) => [...names]))]
    .filter((name) => !first.has(name) && !isLater.has(name))
    .sort()
  const usersOf = (name) => later.filter((file) => reached.get(file).has(name))
  const shared = others.filter((name) => usersOf(name).length > 1)
  const onFirstPage = reached.get(join(root, FIRST_PAGE))
  const isCommon = (name) => onFirstPage.has(name) || usersOf(name).length >= COMMON_MIN
  const groups = new Map([
    ["common", shared.filter(isCommon)],
    ...PARTS.map(([name]) => [name, []])
  ])
  for (const name of shared.filter((each) => !isCommon(each)))
    groups.get(PARTS.find(([, pattern]) => pattern.test(name))[0]).push(name)
  // INVARIANT: a page that loads a group has every group that this one imports, or that one would be two files.
  const needs = new Map(later.map((file) => [file, new Set()]))
  for (let isDone = false; !isDone; ) {
    isDone = true
    for (const file of later)
      for (const [group] of PARTS) {
        const [own, ...added] = [file, ...[...needs.get(file)].flatMap((each) => groups.get(each))]
        const names = [
          reached.get(own),
          ...added.map((each) => reachOf(metafile.inputs, join(root, each)))
        ]
        if (needs.get(file).has(group)) continue
        if (!groups.get(group).some((name) => names.some((each) => each.has(name)))) continue
        needs.get(file).add(group)
        isDone = false
      }
  }
  return { groups, needs }
}

/** WHY an export: an import of nothing is left out, because the package has no side effects. */
const importing = (name) => `
import * as ${name} from "attestry:${name}"
export const with_${name} = () => ${name}
`

const listing = (names) =>
  [
    ...names.map((name, at) => `import * as m${at} from ${JSON.stringify(`./${name}`)}`),
    `export const all = () => [${names.map((_, at) => `m${at}`).join(", ")}]`
  ].join("\n")

/**
 * Puts the modules of the application into few files: the first load is the entry and one file, what some pages share
 * is a few more, and a page is one file of its own beside these.
 *
 * WHY: modules are split by the sets of pages that reach them, which would be one file for each set. Every file that is
 * loaded later imports what the first load has, which is there already, and all shared modules where it needs one.
 */
const fewFiles = ({ groups, needs }) => ({
  name: "few-files",
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^attestry:/ }, ({ path }) =>
      path === "attestry:first"
        ? { path: mainFile }
        : { path: path.slice("attestry:".length), namespace: "attestry" }
    )
    onLoad({ filter: /.*/, namespace: "attestry" }, ({ path }) => ({
      contents: listing(groups.get(path)),
      resolveDir: root,
      loader: "ts"
    }))
    onLoad({ filter: /\.tsx$/ }, ({ path }) => {
      const needed = needs.get(path)
      const added = [
        ...(path === mainFile ? ["common"] : []),
        ...(needed === undefined ? [] : ["first", ...needed])
      ]
      return added.length === 0
        ? undefined
        : { contents: readFileSync(path, "utf8") + added.map(importing).join(""), loader: "tsx" }
    })
  }
})

/** The application, which knows the hashed names of the workers. */
const bundle = async (workers) => build(appOptions(workers, [fewFiles(await groupsOf(workers))]))

/** The files of each route's page, as `app/pages.ts` names them. */
const pageFiles = () =>
  [
    ...readFileSync(join(root, "app/pages.ts"), "utf8").matchAll(
      /^ {2}(\w+): \(\) =>\s+import\("\.\/([^"]+)\.js"\)/gm
    )
  ].map(([, tag, path]) => [tag, `app/${path}.tsx`])

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
${modulePreloads}%PRELOADS%<script type="module" src="%BASE%/${entry}"></script>
</head>
<body>
<div id="app"></div>
<noscript>These pages need JavaScript. The API works without it: see its <a href="%BASE%/docs/">documentation</a>.</noscript>
</body>
</html>
`
}

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`

const run = async () => {
  rmSync(staging, { recursive: true, force: true })
  const workers = await bundleWorkers({ build, shared: SHARED, define: DEFINED, root })
  const { metafile, outputFiles } = await bundle(workerNames(workers, staging))
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
  const preloads = Object.fromEntries(
    // WHY: the home page leads to the overview.
    [...pageFiles(), ["Home", FIRST_PAGE]].map(([tag, file]) => {
      const own = names.find((name) => outputs[name].entryPoint === file)
      // WHY: what the page's own file loads later it loads as soon as it is drawn.
      const later = outputs[own].imports.filter(({ kind }) => kind === "dynamic-import")
      const wanted = [own, ...later.map(({ path }) => path)].flatMap((name) =>
        firstLoad(outputs, name)
      )
      return [tag, [...new Set(wanted)].filter((name) => !scripts.includes(name))]
    })
  )
  const { docs, inputs: docInputs } = await buildDocs({
    build,
    shared: SHARED,
    publish,
    nameOf: (path) => relative(staging, path),
    icon: iconName
  })
  const { verify, inputs: verifyInputs } = await buildVerify({
    build,
    shared: SHARED,
    publish,
    root
  })
  const sizeOf = (name) => assets.find((asset) => asset.name === name)?.gzipSize ?? 0
  const first = [style, ...scripts].reduce((sum, name) => sum + sizeOf(name), shell.gzipSize)
  write(
    "files.json",
    JSON.stringify(
      { shell, assets, firstLoad: [style, ...scripts], preloads, docs, verify },
      null,
      1
    )
  )
  rmSync(site, { recursive: true, force: true })
  renameSync(staging, site)
  const pageInputs = Object.keys(metafile.inputs)
  const inputs = [
    ...new Set([
      ...pageInputs,
      ...Object.keys(workers.metafile.inputs),
      ...docInputs,
      ...verifyInputs,
      "build/build.mjs",
      "build/verify.mjs",
      "build/workers.mjs",
      "../../scripts/inputs.mjs",
      "app/icon.svg"
    ])
  ].sort()
  writeFileSync(stateFile, JSON.stringify({ ...stateOf({ root, kind, inputs }), pageInputs }))
  process.stdout.write(
    `pages: first load ${kilobytes(first)} gzipped in ${scripts.length + 2} requests, ${assets.length} files\n` +
      `verify.html: ${kilobytes(verify.gzipSize)} gzipped\n` +
      `docs: ${docs.pages.length} pages\n`
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
