/** What is wrong with an archive: its files, its manifest, its types, its entry points. */
import { checkPackage, type ResolutionKind } from "@arethetypeswrong/core"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import type { Manifest } from "../shared/Repository.js"
import type { Tarball } from "./Tarball.js"

const REQUIRED = ["package.json", "README.md", "LICENSE"]

const REQUIRED_OF_LIBRARIES = ["dist/index.js", "dist/index.d.ts", "src/index.ts"]

/** A program that is bundled with everything it needs lies in this folder, and offers no modules. */
const BUNDLE = "dist/bundle/"

const isProgram = ({ paths }: Pick<Tarball, "paths">): boolean =>
  paths.some((path) => path.startsWith(BUNDLE))

const UNWANTED =
  /(?:^|\/)(?:test|tests|bench|node_modules)\/|\.test\.|\.bench\.|tsbuildinfo$|(?:^|\/)tsconfig/

/** Pages of the documentation, whose folders have the names of commands and documents. */
const DOCUMENTS = "dist/site/docs/"

/** The folder that an unwanted file is reported as: `dist/test` for everything below it. */
const reportedAs = (path: string): string => path.split("/").slice(0, 2).join("/")

/** Files that are missing, and files that nobody should download. */
export const fileProblems = ({ paths }: Pick<Tarball, "paths">): ReadonlyArray<string> => [
  ...[...REQUIRED, ...(isProgram({ paths }) ? [] : REQUIRED_OF_LIBRARIES)]
    .filter((path) => !paths.includes(path))
    .map((path) => `lacks ${path}`),
  ...new Set(
    paths
      .filter((path) => UNWANTED.test(path) && !path.startsWith(DOCUMENTS))
      .map((path) => `brings ${reportedAs(path)}`)
  )
]

/** Ranges that only this workspace understands. */
export const manifestProblems = (manifest: string): ReadonlyArray<string> =>
  [...manifest.matchAll(/"([^"]+)": "((?:workspace|catalog|link|file):[^"]*)"/g)].map(
    ([, name, range]) => `asks for ${name} at ${range}`
  )

/** Packages that are used in one version alone, each with the reason. */
const EXACT: { readonly [name: string]: string } = {
  "jq-wasm": "its binary is checked against a digest, so another version would not start"
}

const isCaret = (range: string): boolean => /^\^\d+\.\d+\.\d+/.test(range)

/** Ranges that would give an embedder a second copy, because they fit one version alone. */
export const rangeProblems = (
  manifest: Pick<Manifest, "dependencies" | "peerDependencies">
): ReadonlyArray<string> =>
  Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies })
    .filter(([name, range]) => !isCaret(range) && EXACT[name] === undefined)
    .map(([name, range]) => `asks for ${name} at ${range} instead of a caret range`)

/** The archives of one release must have the same version, in each changelog and in each dependency on another. */
export const releaseProblems = (
  { version, dependencies = {} }: Pick<Manifest, "version" | "dependencies">,
  release: { readonly version: string; readonly changelog: string | undefined }
): ReadonlyArray<string> => [
  ...(version === release.version ? [] : [`has the version ${version}`]),
  ...(release.changelog?.includes(`\n## ${version}\n`) === true
    ? []
    : [`says nothing about ${version} in its changelog`]),
  ...Object.entries(dependencies)
    .filter(([name, range]) => name.startsWith("@attestry/") && range !== `^${release.version}`)
    .map(([name, range]) => `asks for ${name} at ${range}`)
]

/** The two ways in which a project with ECMAScript modules finds types; this package offers no other. */
const RESOLUTIONS: ReadonlyArray<ResolutionKind> = ["node16-esm", "bundler"]

/** The manifest in an archive. */
export const manifestOf = ({ name, contents }: Tarball): Manifest =>
  JSON.parse(contents.readFile(`/node_modules/${name}/package.json`))

/**
 * Entry points whose types a compiler would not find, or would find to be of another kind: the barrel, and
 * the first of each folder beside `src`.
 *
 * WHY not each: all have the same three targets (`exports.test.ts`), the linter looks for their files, and the
 * compiler of the workspace resolves the imports inside them as `nodenext` does. Asking takes a second each.
 */
export const typeProblems = async (tarball: Tarball): Promise<ReadonlyArray<string>> => {
  if (isProgram(tarball)) return []
  const outside = Object.keys(manifestOf(tarball).exports ?? {}).filter(
    (each, index, all) =>
      each.split("/").length > 2 &&
      all.findIndex((other) => other.startsWith(each.slice(0, each.lastIndexOf("/") + 1))) === index
  )
  const result = await checkPackage(tarball.contents, { entrypoints: [".", ...outside] })
  if (!("problems" in result)) return ["has no types"]
  return Object.values(result.entrypoints).flatMap(({ subpath, resolutions }) =>
    RESOLUTIONS.flatMap((kind) =>
      (resolutions[kind].visibleProblems ?? []).map(
        (index) => `${subpath} in ${kind}: ${result.problems[index]?.kind}`
      )
    )
  )
}

/** What a linter of packages says, suggestions included. */
export const lintProblems = async (tarball: Tarball): Promise<ReadonlyArray<string>> => {
  const { messages } = await publint({
    pack: { tarball: new Uint8Array(tarball.bytes).buffer },
    level: "suggestion",
    strict: true
  })
  const manifest = { ...manifestOf(tarball) }
  return messages.map(
    (message) => formatMessage(message, manifest, { color: false }) ?? message.code
  )
}
