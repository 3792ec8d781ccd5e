/** A bundle of an instance of Sigstore in memory, made by the code that mints the bundles of tests. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { build } from "esbuild"

const TESTS = join(import.meta.dirname, "../../packages/evidence-intake/test/verification")
/** WHY there: its imports are found as those of benchmarks are. */
const BUILT = join(import.meta.dirname, "../node_modules/.minted-bundle.mjs")

/** The text of a bundle and of its trusted root, and the options under which a rule verifies it. */
export const mintedBundle = async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `export * as SigstoreMint from "./SigstoreMint.ts"
        export * as Documents from "./Documents.ts"`,
      resolveDir: TESTS
    },
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    write: false
  })
  writeFileSync(BUILT, outputFiles[0].contents)
  const { Documents, SigstoreMint } = await import(pathToFileURL(BUILT).href)
  const clock = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 60_000)
  const instance = await SigstoreMint.instance(clock)
  const signer = {
    kind: "sigstore",
    roots: ["main"],
    issuer: SigstoreMint.ISSUER,
    san: SigstoreMint.SAN,
    sourceRepositoryId: "4711"
  }
  const rule = Documents.keyRule({ kinds: ["provenance"], signer })
  return {
    bundle: Buffer.from(JSON.stringify(await instance.bundle())),
    root: instance.root,
    policy: Documents.policyOf({ rules: [rule] }),
    now: Documents.NOW
  }
}
