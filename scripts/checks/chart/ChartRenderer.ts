/** Renders the Helm chart with the program in `scripts/chart/render`, which Debian's packages for Go build. */
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseAllDocuments } from "yaml"
import type { Mapping } from "../deploy/DeployFiles.js"
import * as Repository from "../shared/Repository.js"

/** The folder in which Debian's packages put Go sources. */
const GO_PATH = "/usr/share/gocode"

/** The packages that the program needs, each with a file of it. */
const PACKAGES = {
  "golang-go": "/usr/bin/go",
  "golang-github-masterminds-sprig-dev": `${GO_PATH}/src/github.com/Masterminds/sprig/functions.go`,
  "golang-github-xeipuuv-gojsonschema-dev": `${GO_PATH}/src/github.com/xeipuuv/gojsonschema/schema.go`,
  "golang-k8s-sigs-yaml-dev": `${GO_PATH}/src/sigs.k8s.io/yaml/yaml.go`
}

/** The packages that are not installed. */
export const MISSING: ReadonlyArray<string> = Object.entries(PACKAGES)
  .filter(([, file]) => !existsSync(file))
  .map(([name]) => name)

/** Whether a run must have the packages instead of skipping tests that need them. */
export const IS_REQUIRED = process.env.ATTESTRY_REQUIRE_CHART_TOOLS === "1"

/** A chart, rendered. */
export interface Rendering {
  readonly documents: ReadonlyArray<Mapping>
  /** The text of each template that is not empty, by its path in the chart. */
  readonly texts: ReadonlyMap<string, string>
  readonly notes: string
}

/** The chart refused the values. */
export class Refused extends Error {}

/** A release of the chart. */
export interface Release {
  readonly name?: string
  readonly namespace?: string
  /** Paths of values files in the repository. */
  readonly files?: ReadonlyArray<string>
  readonly values?: unknown
  /** Further values, one over the other. */
  readonly overlays?: ReadonlyArray<unknown>
}

/** A renderer in a folder of its own. */
export interface Renderer {
  /** Renders a chart of the repository; throws `Refused` with the message of Helm. */
  readonly render: (release: Release, chart?: string) => Rendering
  readonly close: () => void
}

const NOTES = "templates/NOTES.txt"

const parsed = (texts: ReadonlyMap<string, string>): ReadonlyArray<Mapping> =>
  [...texts]
    .filter(([path]) => path !== NOTES)
    .flatMap(([path, text]) => {
      const documents = parseAllDocuments(text, { uniqueKeys: true, version: "1.1" })
      return (Array.isArray(documents) ? documents : []).map((document) => {
        const [problem] = [...document.errors, ...document.warnings]
        if (problem !== undefined) throw new Error(`${path}: ${problem.message}`)
        // WHY the cast: each document of a manifest is a mapping; the schemas refuse another.
        return document.toJS() as Mapping | null
      })
    })
    .filter((document) => document !== null)

/** Builds the renderer. */
export const make = (): Renderer => {
  const folder = mkdtempSync(join(tmpdir(), "attestry-chart-"))
  const program = join(folder, "render")
  const built = spawnSync("go", ["build", "-o", program, "."], {
    cwd: join(Repository.root, "scripts/chart/render"),
    encoding: "utf8",
    env: { ...process.env, GO111MODULE: "off", GOPATH: GO_PATH, GOFLAGS: "", CGO_ENABLED: "0" }
  })
  if (built.status !== 0) throw new Error(`go build: ${built.stderr}`)
  const argumentsOf = ({ name, namespace, files = [], values = {}, overlays = [] }: Release) => {
    const given = [values, ...overlays].map((each, position) => {
      const file = join(folder, `values${position}.json`)
      writeFileSync(file, JSON.stringify(each))
      return file
    })
    return [
      ...(name === undefined ? [] : ["-release", name]),
      ...(namespace === undefined ? [] : ["-namespace", namespace]),
      ...files.flatMap((file) => ["-values", join(Repository.root, file)]),
      ...given.flatMap((file) => ["-values", file])
    ]
  }
  return {
    render: (release, chart = "deploy/chart") => {
      const args = [...argumentsOf(release), join(Repository.root, chart)]
      const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8" })
      if (status !== 0) throw new Refused(stderr.trim())
      const all: { readonly [path: string]: string } = JSON.parse(stdout)
      const texts = new Map(Object.entries(all).filter(([, text]) => text.trim() !== ""))
      return { documents: parsed(texts), texts, notes: texts.get(NOTES) ?? "" }
    },
    close: () => rmSync(folder, { recursive: true })
  }
}
