/** What a browser would load: the contract and nothing that serves it. */
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { build } from "esbuild"

const bundle = () =>
  build({
    entryPoints: [fileURLToPath(new URL("../src/index.ts", import.meta.url))],
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    format: "esm",
    platform: "browser",
    conditions: ["@attestry/source"],
    logLevel: "silent"
  })

describe("the bundle for browsers", () => {
  it("holds no handler, no store, no server and no module of node", async () => {
    const { metafile } = await bundle()
    const inputs = Object.keys(metafile.inputs)
    const external = Object.values(metafile.inputs).flatMap(({ imports }) =>
      imports.filter((imported) => imported.external === true).map((imported) => imported.path)
    )
    assert.include(inputs.join("\n"), "api/src/Api.ts")
    assert.deepStrictEqual(
      inputs.filter((path) =>
        /Handlers\.ts$|Store[A-Za-z]*\.ts$|-store\/|Server\.ts$|Dispatcher\.ts$|\/node\//.test(path)
      ),
      []
    )
    assert.deepStrictEqual(external, [])
  })
})
