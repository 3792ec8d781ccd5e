/**
 * The source that provenance names: repository, commit and ref.
 *
 * The external parameters decide where the build type has them, because the caller of the build chose them; otherwise
 * the first Git dependency does. The commit is that of the dependency on the same repository and ref.
 */
import type { JsonObject } from "../Format.js"
import * as Members from "../Members.js"

/** The source of a build. */
export interface BuildSource {
  readonly uri: string | null
  readonly commit: string | null
  readonly ref: string | null
}

const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i
const GIT = "git+"
const REF = "@refs/"

const NONE: BuildSource = { uri: null, commit: null, ref: null }

/** The commit in the digest of a resource. */
const commitOf = (resource: JsonObject): string | null => {
  const digest = Members.object(resource, "digest")
  const commit = Members.text(digest, "gitCommit") ?? Members.text(digest, "sha1")
  return commit !== null && COMMIT.test(commit) ? commit.toLowerCase() : null
}

/** `git+https://example.org/shop@refs/heads/main` in parts. */
const locate = (written: string): { readonly uri: string; readonly ref: string | null } => {
  const address = written.startsWith(GIT) ? written.slice(GIT.length) : written
  const at = address.indexOf(REF)
  return at === -1
    ? { uri: address, ref: null }
    : { uri: address.slice(0, at), ref: address.slice(at + 1) }
}

const sourceOf = (resource: JsonObject): BuildSource => {
  const written = Members.text(resource, "uri")
  return written === null ? NONE : { ...locate(written), commit: commitOf(resource) }
}

/** The source among resources: a Git address, or anything with a commit; the first of several. */
const among = (resources: ReadonlyArray<JsonObject>): BuildSource => {
  const first = resources.find(
    (resource) =>
      Members.text(resource, "uri")?.startsWith(GIT) === true || commitOf(resource) !== null
  )
  return first === undefined ? NONE : sourceOf(first)
}

/** The commit of the resource at a repository and ref. */
const commitAt = (
  resources: ReadonlyArray<JsonObject>,
  { uri, ref }: Pick<BuildSource, "uri" | "ref">
): string | null =>
  resources
    .map(sourceOf)
    .find((each) => each.uri === uri && (each.ref === null || ref === null || each.ref === ref))
    ?.commit ?? null

/** The repository and ref that the external parameters name: those of a workflow, or of a source to build. */
const requested = (parameters: JsonObject): Pick<BuildSource, "uri" | "ref"> | null => {
  for (const name of ["workflow", "sourceToBuild"]) {
    const named = Members.object(parameters, name)
    const repository = Members.text(named, "repository")
    if (repository !== null) return { uri: locate(repository).uri, ref: Members.text(named, "ref") }
  }
  const source = Members.of(parameters, "source")
  const written = Members.isObject(source) ? Members.text(source, "uri") : source
  return typeof written === "string" && written !== "" ? locate(written) : null
}

/** The source of SLSA 1: from external parameters and resolved dependencies. */
export const ofParameters = (
  parameters: JsonObject,
  dependencies: ReadonlyArray<JsonObject>
): BuildSource => {
  const source = requested(parameters)
  return source === null
    ? among(dependencies)
    : { ...source, commit: commitAt(dependencies, source) }
}

/** The source of SLSA 0.2: the source of the configuration, or from materials. */
export const ofConfiguration = (
  configuration: JsonObject,
  materials: ReadonlyArray<JsonObject>
): BuildSource => {
  const source = sourceOf(configuration)
  if (source.uri === null) return among(materials)
  return { ...source, commit: source.commit ?? commitAt(materials, source) }
}
