/** What is inside a program when it is bundled for a browser, and how much of it travels. */
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { root } from "../shared/Repository.js"

/** A bundle: the packages and the files of ours that went into it, what it left outside, its size. */
export interface Bundle {
  readonly packages: ReadonlyArray<string>
  readonly ours: ReadonlyArray<string>
  readonly external: ReadonlyArray<string>
  readonly gzipBytes: number
}

const sorted = (names: Iterable<string>): ReadonlyArray<string> => [...new Set(names)].sort()

/** `effect` for a file of that package, `packages/core` for one of ours. */
const packageOf = (input: string): string =>
  /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(`/${input}`)?.[1] ??
  input.split("/").slice(0, 2).join("/")

/** Bundles a text as if it were a file of a package, for a browser. */
export const bundle = async (from: string, text: string): Promise<Bundle> => {
  const { metafile, outputFiles } = await build({
    stdin: { contents: text, resolveDir: join(root, from), loader: "ts" },
    absWorkingDir: root,
    bundle: true,
    write: false,
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
  const inputs = Object.values(metafile.outputs).flatMap((output) =>
    Object.entries(output.inputs)
      .filter(([input, { bytesInOutput }]) => input !== "<stdin>" && bytesInOutput > 0)
      .map(([input]) => input)
  )
  return {
    packages: sorted(inputs.map(packageOf)),
    ours: sorted(
      inputs.filter((input) => input.startsWith("packages/") && !input.includes("node_modules"))
    ),
    external: sorted(
      Object.values(metafile.inputs).flatMap((input) =>
        input.imports.filter(({ external }) => external === true).map(({ path }) => path)
      )
    ),
    gzipBytes: outputFiles.reduce((sum, { contents }) => sum + gzipSync(contents).byteLength, 0)
  }
}
