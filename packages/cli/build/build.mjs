/**
 * `node build/build.mjs [--force]`: bundles the program into `dist/bundle`, with everything that it needs.
 *
 * The entry is small and loads each command as a chunk of its own. A build that would change nothing is skipped
 * (`scripts/inputs.mjs`), and does not load the bundler either.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { createRequire } from "node:module"
import { basename, dirname, join } from "node:path"
import { isUnchanged, stateOf } from "../../../scripts/inputs.mjs"

const root = join(import.meta.dirname, "..")
const out = join(root, "dist/bundle")
const stateFile = join(root, "dist/bundle-inputs.json")
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

/** Files that decide how the program is bundled. */
const OWN_INPUTS = [
  "build/build.mjs",
  "../../scripts/inputs.mjs",
  "../evidence-intake/roots/public-good.json"
]

const isCurrent = () =>
  !process.argv.includes("--force") &&
  existsSync(join(out, "attestry.js")) &&
  isUnchanged({ root, kind: version, stateFile })

/** WHY: the module of `yaml` for Node is no ECMAScript module, and would be loaded by a `require` that there is not. */
const yaml = join(
  dirname(createRequire(join(root, "../core/package.json")).resolve("yaml/package.json")),
  "browser/index.js"
)

/** WHY: a bundle has no folder of its package, so the texts of trust roots are in it. */
const inlineRoots = {
  name: "inline-roots",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]BundledTrustRoots\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replace(
        /readFileSync\(\s*new URL\("([^"]+)", import\.meta\.url\),\s*"utf8"\s*\)/g,
        (_, file) => JSON.stringify(readFileSync(join(dirname(path), file), "utf8"))
      ),
      resolveDir: dirname(path),
      loader: "ts"
    }))
}

const bundle = async () => {
  const { build } = await import("esbuild")
  return build({
    entryPoints: { attestry: join(root, "src/main.ts") },
    absWorkingDir: root,
    outdir: join(root, "dist/staging"),
    chunkNames: "chunk-[hash]",
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node20",
    minify: true,
    metafile: true,
    write: false,
    // WHY `module`, twice: AWS's library has its ECMAScript modules there; its others need a `require`.
    conditions: ["@attestry/source", "module"],
    mainFields: ["module", "main"],
    alias: { yaml },
    plugins: [inlineRoots],
    // WHY: the libraries of Sigstore are CommonJS, and ask for modules of Node.
    banner: {
      js: 'import{createRequire as requireOf}from"node:module";const require=requireOf(import.meta.url);'
    },
    legalComments: "none",
    logLevel: "warning",
    define: {
      __ATTESTRY_VERSION__: JSON.stringify(version),
      // WHY: a command does not warn about the library's next versions on stderr of a pipeline.
      "process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED": '"true"'
    }
  })
}

/** A path of an input without the folders that a version or a machine gives it. */
const plain = (path) => path.replace(/^.*node_modules\//, "").replace(/^(?:\.\.\/)+/, "packages/")

/** What a chunk is called: by the module that is loaded with it, or else by the largest that it holds. */
const nameOf = ({ entryPoint, inputs }) => {
  const [[largest = ""] = []] = Object.entries(inputs).sort(
    ([, left], [, right]) => right.bytesInOutput - left.bytesInOutput
  )
  return plain(entryPoint ?? largest)
}

const chunksOf = ({ outputs }) =>
  Object.fromEntries(
    Object.values(outputs)
      .map((output) => [nameOf(output), output.bytes])
      // WHY: a chunk that only passes exports on holds no module.
      .filter(([name]) => name !== "")
      .sort(([left], [right]) => (left < right ? -1 : 1))
  )

if (!isCurrent()) {
  const { metafile, outputFiles } = await bundle()
  /** WHY a folder beside it: a program that starts meanwhile finds the old files or the new ones. */
  const staging = `${out}-${process.pid}`
  mkdirSync(staging, { recursive: true })
  for (const { path, contents } of outputFiles)
    writeFileSync(join(staging, basename(path)), contents)
  chmodSync(join(staging, "attestry.js"), 0o755)
  rmSync(out, { recursive: true, force: true })
  renameSync(staging, out)
  const inputs = [...new Set([...OWN_INPUTS, ...Object.keys(metafile.inputs)])].sort()
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports)
  const externals = [
    ...new Set(imports.filter(({ external }) => external).map(({ path }) => path))
  ].sort()
  writeFileSync(
    stateFile,
    JSON.stringify({
      ...stateOf({ root, kind: version, inputs }),
      externals,
      chunks: chunksOf(metafile)
    })
  )
}
