/**
 * Validates Kubernetes manifests by the API's own schemas, as `kubernetes-models` carries them: validators made from
 * the JSON Schemas for types, formats and required fields, and types for unknown fields, which the validators accept
 * and the compiler does not.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Mapping } from "../deploy/DeployFiles.js"
import * as Repository from "../shared/Repository.js"

/** A manifest, with its name for messages. */
export interface Manifest {
  readonly name: string
  readonly document: Mapping
}

const require = createRequire(join(Repository.root, "package.json"))

const packageOf = (apiVersion: string): string =>
  apiVersion.startsWith("monitoring.coreos.com/")
    ? "@kubernetes-models/prometheus-operator"
    : "kubernetes-models"

const moduleOf = ({ apiVersion, kind }: Mapping): string =>
  `${packageOf(String(apiVersion))}/${apiVersion}/${kind}`

type Model = new (document: Mapping) => { readonly validate: () => void }

/** The class of a manifest's kind; undefined for a kind without a schema. */
const modelOf = (document: Mapping): Model | undefined => {
  try {
    return require(moduleOf(document))[String(document.kind)]
  } catch {
    // WHY: the caller reports a kind that no module has.
    return undefined
  }
}

const invalid = ({ name, document }: Manifest): ReadonlyArray<string> => {
  const Kind = modelOf(document)
  if (Kind === undefined)
    return [`${name}: there is no schema for ${document.apiVersion} ${document.kind}`]
  try {
    new Kind(document).validate()
    return []
  } catch (error) {
    return [`${name}: ${error instanceof Error ? error.message : String(error)}`]
  }
}

const literal = ({ document }: Manifest): string =>
  [
    `import type { I${document.kind} } from "${moduleOf(document)}"`,
    `export const manifest: I${document.kind} = ${JSON.stringify(document, null, 2)}`,
    ""
  ].join("\n")

const OPTIONS = {
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  types: [],
  target: "ES2022",
  module: "ESNext",
  moduleResolution: "Bundler"
}

/** The errors of the compiler, which reads the manifests as literals of their types. */
const unknownFields = (manifests: ReadonlyArray<Manifest>): ReadonlyArray<string> => {
  const folder = mkdtempSync(join(tmpdir(), "attestry-manifests-"))
  try {
    symlinkSync(join(Repository.root, "node_modules"), join(folder, "node_modules"))
    const files = manifests.map((_, position) => `manifest${position}.ts`)
    for (const [position, manifest] of manifests.entries())
      writeFileSync(join(folder, files[position] ?? ""), literal(manifest))
    const config = { compilerOptions: OPTIONS, files }
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config))
    const compiler = join(Repository.root, "node_modules/typescript/bin/tsc")
    const { status, stdout } = spawnSync(process.execPath, [compiler, "--project", folder], {
      encoding: "utf8",
      cwd: folder
    })
    const lines = stdout.split("\n").filter((line) => line.includes("error TS"))
    if (status !== 0 && lines.length === 0) throw new Error(`tsc: ${stdout}`)
    return lines.map((line) =>
      line.replace(/^manifest(\d+)\.ts\S*/, (_, at) => `${manifests[Number(at)]?.name}:`)
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The problems of manifests; one run of the compiler for all of them. */
export const problems = (manifests: ReadonlyArray<Manifest>): ReadonlyArray<string> => {
  const found = manifests.flatMap(invalid)
  return found.length > 0 ? found : unknownFields(manifests)
}
