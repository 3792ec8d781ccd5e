/**
 * Provenance of SLSA 1 and 0.2: the builder, the source, the images among its dependencies, and the parameters that the
 * caller of the build chose.
 */
import * as Either from "effect/Either"
import type { EvidenceProblem } from "../../EvidenceProblem.js"
import type { JsonObject, PredicateReader } from "../Format.js"
import * as Members from "../Members.js"
import * as Problem from "../Problem.js"
import type { ReadContent } from "../ReadContent.js"
import * as Sha256 from "../Sha256.js"
import * as BuildImages from "./BuildImages.js"
import * as BuildSource from "./BuildSource.js"

interface Build {
  readonly version: string
  readonly builder: string | null
  readonly buildType: string | null
  readonly source: BuildSource.BuildSource
  readonly invocation: string | null
  readonly parameters: JsonObject
  readonly dependencies: ReadonlyArray<unknown>
  readonly createdAt: number | null
}

const contentOf = (build: Build): ReadContent => ({
  facts: {
    kind: "provenance",
    format: { name: "slsa-provenance", version: build.version },
    tool: null,
    created_at: build.createdAt,
    truncated: [],
    builder_id: build.builder,
    build_type: build.buildType,
    build_level: null,
    source: build.source,
    invocation: build.invocation,
    parameters_sha256: Sha256.ofJson(build.parameters),
    parameters: Object.keys(build.parameters).sort(),
    dependencies: build.dependencies.length
  },
  subjects: [],
  components: BuildImages.of(build.dependencies.filter(Members.isObject)),
  parameters: build.parameters
})

/** The parameters in a member. WHY a problem: parameters that are not understood must not pass as none. */
const parametersIn = (
  parent: JsonObject,
  name: string
): Either.Either<JsonObject, EvidenceProblem> => {
  const value = Members.of(parent, name) ?? {}
  return Members.isObject(value)
    ? Either.right(value)
    : Either.left(Problem.unreadable(`${name} of the predicate is not an object`))
}

const readFirst = (predicate: JsonObject): Either.Either<ReadContent, EvidenceProblem> => {
  const definition = Members.object(predicate, "buildDefinition")
  const run = Members.object(predicate, "runDetails")
  const metadata = Members.object(run, "metadata")
  const dependencies = Members.list(definition, "resolvedDependencies")
  return Either.map(parametersIn(definition, "externalParameters"), (parameters) =>
    contentOf({
      version: "1",
      builder: Members.text(Members.object(run, "builder"), "id"),
      buildType: Members.text(definition, "buildType"),
      source: BuildSource.ofParameters(parameters, dependencies.filter(Members.isObject)),
      invocation: Members.text(metadata, "invocationId"),
      parameters,
      dependencies,
      createdAt: Members.instant(metadata, "finishedOn") ?? Members.instant(metadata, "startedOn")
    })
  )
}

const readEarlier = (predicate: JsonObject): Either.Either<ReadContent, EvidenceProblem> => {
  const invocation = Members.object(predicate, "invocation")
  const metadata = Members.object(predicate, "metadata")
  const materials = Members.list(predicate, "materials")
  const configuration = Members.object(invocation, "configSource")
  return Either.map(parametersIn(invocation, "parameters"), (parameters) =>
    contentOf({
      version: "0.2",
      builder: Members.text(Members.object(predicate, "builder"), "id"),
      buildType: Members.text(predicate, "buildType"),
      source: BuildSource.ofConfiguration(configuration, materials.filter(Members.isObject)),
      invocation:
        Members.text(metadata, "buildInvocationId") ?? Members.text(metadata, "buildInvocationID"),
      parameters,
      dependencies: materials,
      createdAt:
        Members.instant(metadata, "buildFinishedOn") ?? Members.instant(metadata, "buildStartedOn")
    })
  )
}

/** The readers of provenance. */
export const PREDICATES: ReadonlyArray<PredicateReader> = [
  { isPredicate: (type) => type === "https://slsa.dev/provenance/v1", read: readFirst },
  { isPredicate: (type) => type === "https://slsa.dev/provenance/v0.2", read: readEarlier }
]
