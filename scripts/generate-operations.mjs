/** Writes the modules that are made from the contract; needs `pnpm build` first. */
import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { files, operationsOf } from "./operations/OperationSource.mjs"

const root = join(import.meta.dirname, "..")
const require = createRequire(join(root, "packages/api/package.json"))
const load = (name) => import(pathToFileURL(require.resolve(name)).href.replace("/cjs/", "/esm/"))

const operations = operationsOf({
  Api: (await import("../packages/api/dist/Api.js")).Api,
  HttpApi: await load("@effect/platform/HttpApi"),
  HttpApiSchema: await load("@effect/platform/HttpApiSchema"),
  OpenApi: await load("@effect/platform/OpenApi"),
  Context: await load("effect/Context"),
  Option: await load("effect/Option")
})

const written = Object.entries(files(operations)).map(([file, text]) => {
  const path = join(root, "packages", file)
  writeFileSync(path, text)
  return path
})
spawnSync("npx", ["biome", "check", "--write", ...written], { cwd: root, stdio: "inherit" })
