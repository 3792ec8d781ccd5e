/** What the evaluator weighs in a browser: with the reader of policy texts, and without it. */
import { gzipSync } from "node:zlib"
import { build } from "esbuild"

const GOAL_KB = 130

const weigh = async (modules) => {
  const { metafile, outputFiles } = await build({
    stdin: {
      contents: modules
        .map((name, n) => `export * as M${n} from "@attestry/core/${name}"`)
        .join("\n"),
      resolveDir: import.meta.dirname
    },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    metafile: true,
    write: false
  })
  const parts = new Map()
  for (const { inputs } of Object.values(metafile.outputs))
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const part = /node_modules\/(?:\.pnpm\/[^/]+\/node_modules\/)?((?:@[^/]+\/)?[^/]+)/g
      const name = [...path.matchAll(part)].at(-1)?.[1] ?? "attestry"
      parts.set(name, (parts.get(name) ?? 0) + bytesInOutput)
    }
  const [{ contents }] = outputFiles
  return { kb: gzipSync(contents, { level: 9 }).length / 1_000, parts }
}

/** Runs the measurement and gives its lines. */
export const run = async () => {
  const results = []
  for (const [name, modules] of [
    ["evaluator", ["PolicyEvaluation"]],
    ["evaluator and reader of policy texts", ["PolicyEvaluation", "PolicyDocument"]]
  ]) {
    const { kb, parts } = await weigh(modules)
    const shares = [...parts]
      .sort(([, left], [, right]) => right - left)
      .map(([part, bytes]) => `${part} ${Math.round(bytes / 1_000)}`)
      .join(", ")
    process.stdout.write(
      `browser bundle, ${name} [kB gzip]: ${kb.toFixed(1)} (goal ${GOAL_KB}` +
        `${kb <= GOAL_KB ? "" : ", missed"}); minified kB: ${shares}\n`
    )
    results.push({ name, ratio: kb, goal: GOAL_KB })
  }
  return results
}
