/** What is inside a program when it is bundled for a browser, and how much of it travels. */
import { join, relative } from "node:path"
import { gzipSync } from "node:zlib"
import { build, type Metafile } from "esbuild"
import { root } from "../shared/Repository.js"

/** A bundle: the packages and the files of ours that went into it, what it left outside, its size. */
export interface Bundle {
  readonly packages: ReadonlyArray<string>
  readonly ours: ReadonlyArray<string>
  readonly external: ReadonlyArray<string>
  readonly gzipBytes: number
  /** What is loaded at once, without what is imported on demand. */
  readonly atOnce: {
    readonly packages: ReadonlyArray<string>
    readonly ours: ReadonlyArray<string>
    readonly gzipBytes: number
  }
}

const sorted = (names: Iterable<string>): ReadonlyArray<string> => [...new Set(names)].sort()

/** `effect` for a file of that package, `packages/core` for one of ours. */
const packageOf = (input: string): string =>
  /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(`/${input}`)?.[1] ??
  input.split("/").slice(0, 2).join("/")

type Outputs = Metafile["outputs"]

const filesIn = (outputs: Outputs, chunks: Iterable<string>): ReadonlyArray<string> =>
  [...chunks].flatMap((chunk) =>
    Object.entries(outputs[chunk]?.inputs ?? {})
      .filter(([input, { bytesInOutput }]) => input !== "<stdin>" && bytesInOutput > 0)
      .map(([input]) => input)
  )

/** The chunk of the program and every chunk that it imports by statement. */
const loadedAtOnce = (outputs: Outputs): ReadonlySet<string> => {
  const loaded = new Set<string>()
  const load = (chunk: string): void => {
    if (loaded.has(chunk)) return
    loaded.add(chunk)
    for (const { path, kind } of outputs[chunk]?.imports ?? []) {
      if (kind === "import-statement" && outputs[path] !== undefined) load(path)
    }
  }
  for (const [chunk, { entryPoint }] of Object.entries(outputs)) {
    if (entryPoint === "<stdin>") load(chunk)
  }
  return loaded
}

const oursIn = (inputs: ReadonlyArray<string>): ReadonlyArray<string> =>
  sorted(inputs.filter((input) => input.startsWith("packages/") && !input.includes("node_modules")))

/** Bundles a text as if it were a file of a package, for a browser. */
export const bundle = async (from: string, text: string): Promise<Bundle> => {
  const { metafile, outputFiles } = await build({
    stdin: { contents: text, resolveDir: join(root, from), loader: "ts" },
    absWorkingDir: root,
    bundle: true,
    write: false,
    splitting: true,
    outdir: root,
    minify: true,
    metafile: true,
    treeShaking: true,
    logLevel: "silent",
    format: "esm",
    platform: "browser",
    target: "es2022",
    conditions: ["@attestry/source"],
    external: ["node:*"]
  })
  const inputs = filesIn(metafile.outputs, Object.keys(metafile.outputs))
  const first = loadedAtOnce(metafile.outputs)
  const sizes = outputFiles.map(({ path, contents }) => ({
    isFirst: first.has(relative(root, path)),
    bytes: gzipSync(contents).byteLength
  }))
  const sum = (of: typeof sizes) => of.reduce((total, { bytes }) => total + bytes, 0)
  const firstInputs = filesIn(metafile.outputs, first)
  return {
    packages: sorted(inputs.map(packageOf)),
    ours: oursIn(inputs),
    external: sorted(
      Object.values(metafile.inputs).flatMap((input) =>
        input.imports.filter(({ external }) => external === true).map(({ path }) => path)
      )
    ),
    gzipBytes: sum(sizes),
    atOnce: {
      packages: sorted(firstInputs.map(packageOf)),
      ours: oursIn(firstInputs),
      gzipBytes: sum(sizes.filter(({ isFirst }) => isFirst))
    }
  }
}
