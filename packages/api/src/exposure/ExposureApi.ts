/** The operation of exposures: where artifacts ran and run. */

import { VULNERABILITY_CHARACTERS_MAX } from "@attestry/core/ComponentIndex"
import { TRAIT_LENGTH_MAX } from "@attestry/core/Exposure"
import { Fingerprint, FingerprintPrefix } from "@attestry/core/Fingerprint"
import { REPO_NAME_LENGTH_MAX } from "@attestry/core/GitCommit"
import { hiddenField } from "@attestry/core/Hidden"
import {
  CommitSha,
  EnvironmentName,
  FlowName,
  SlotName,
  TrailName
} from "@attestry/core/Identifier"
import * as Purl from "@attestry/core/Purl"
import { EpochSeconds, type Timestamp } from "@attestry/core/Timestamp"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as PurlParam from "../component/PurlParam.js"
import { noBody, Operation, rule } from "../shared/Operation.js"
import * as Paging from "../shared/Paging.js"
import { org } from "../shared/PathParam.js"
import * as QueryParam from "../shared/QueryParam.js"

/** The parameters of which a request gives exactly one. */
export const SUBJECTS = [
  "fingerprint",
  "commit",
  "flow_name",
  "repo_name",
  "author",
  "builder",
  "purl",
  "vulnerability"
] as const

const subjects = `one of \`${SUBJECTS.join("`, `")}\``

const text = (max: number) => Schema.String.pipe(Schema.minLength(1), Schema.maxLength(max))

/** The most environments that a request names. */
export const ENVIRONMENTS_MAX = 100

const onlyOne = (
  query: { readonly [subject in (typeof SUBJECTS)[number]]?: string } & {
    readonly template_reference_name?: string
    readonly versions?: string
  }
) => {
  const [first, second] = SUBJECTS.filter((name) => query[name] !== undefined)
  if (first === undefined)
    return { path: ["fingerprint"], message: `Field required: give exactly ${subjects}` }
  if (second !== undefined) return { path: [second], message: `Give exactly ${subjects}` }
  if (query.template_reference_name !== undefined && first !== "flow_name")
    return { path: ["template_reference_name"], message: "Goes with `flow_name` alone" }
  if (query.versions === undefined) return undefined
  const isVersioned = Either.match(Purl.parse(query.purl ?? ""), {
    onLeft: () => false,
    onRight: ({ version }) => version !== null
  })
  return first !== "purl" || isVersioned
    ? { path: ["versions"], message: "Goes with a `purl` that has no version" }
    : undefined
}

const inOrder = (query: {
  readonly from_timestamp?: Timestamp
  readonly to_timestamp?: Timestamp
}) =>
  query.from_timestamp !== undefined &&
  query.to_timestamp !== undefined &&
  query.from_timestamp > query.to_timestamp
    ? { path: ["from_timestamp"], message: "Input should not be after `to_timestamp`" }
    : undefined

/** The subject of the question, and the filters. */
const ListExposures = Schema.Struct({
  fingerprint: QueryParam.optional(
    FingerprintPrefix,
    "A fingerprint, or the first 5 characters of one or more; no flow need know it."
  ),
  commit: QueryParam.optional(CommitSha, "The commit that records of the artifact name, whole."),
  flow_name: QueryParam.optional(FlowName, "The flow that has records of the artifact."),
  template_reference_name: QueryParam.optional(
    SlotName,
    "With `flow_name`: only records under this name of the template."
  ),
  repo_name: QueryParam.optional(
    text(REPO_NAME_LENGTH_MAX),
    "The name of a repository that records of the artifact name."
  ),
  author: QueryParam.optional(
    text(TRAIT_LENGTH_MAX),
    "The author of the commit, exactly as records of the artifact have it."
  ),
  builder: QueryParam.optional(
    text(TRAIT_LENGTH_MAX),
    "Scheme and host of the address of the build, such as `https://ci.example.org`."
  ),
  purl: QueryParam.optional(
    PurlParam.purl,
    "A component, in its version or, without one, in all, that a bill of materials about the artifact lists, " +
      "or an image that provenance of it names."
  ),
  versions: QueryParam.optional(
    PurlParam.versions,
    "With `purl`: only its versions in this range, by the order of its type."
  ),
  vulnerability: QueryParam.optional(
    text(VULNERABILITY_CHARACTERS_MAX),
    "A vulnerability, such as `CVE-2026-1234`: the components that accepted evidence names with it."
  ),
  environment: QueryParam.optional(
    QueryParam.repeatable(EnvironmentName).pipe(Schema.maxItems(ENVIRONMENTS_MAX)),
    "Only exposures in the environment of this name; a logical environment means its " +
      "members. May be repeated; one of them must match."
  ),
  from_timestamp: QueryParam.optional(
    QueryParam.timestamp,
    "Only exposures at this time or later, in epoch seconds."
  ),
  to_timestamp: QueryParam.optional(
    QueryParam.timestamp,
    "Only exposures at this time or earlier, in epoch seconds."
  ),
  running: QueryParam.optional(
    QueryParam.boolean,
    "`true` for what runs now, `false` for what does not."
  ),
  ...Paging.pageFields()
}).pipe(Schema.filter((query) => onlyOne(query) ?? inOrder(query)))

/** One exposure. */
export const ExposureResponse = Schema.Struct({
  environment: EnvironmentName,
  name: Schema.String,
  fingerprint: Fingerprint,
  first_index: Schema.Int,
  /** The last snapshot that contains it; null while it runs. */
  last_index: Schema.NullOr(Schema.Int),
  from: EpochSeconds,
  to: Schema.NullOr(EpochSeconds),
  seconds: Schema.Finite,
  /** Of the newest record that fits the question; null where no flow knows the artifact. */
  flow_name: Schema.NullOr(FlowName),
  trail_name: Schema.NullOr(TrailName),
  git_commit: Schema.NullOr(CommitSha),
  ...hiddenField,
  /** The purls of the asked components in the artifact, at most 100; absent for other questions. */
  components: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  /** The asked vulnerability; absent for other questions. */
  vulnerability: Schema.optionalWith(Schema.String, { exact: true }),
  /** Whether verified VEX takes the vulnerability away from the artifact; absent for other questions. */
  mitigated: Schema.optionalWith(Schema.Boolean, { exact: true }),
  /** Null where no policy evaluated it. */
  compliant: Schema.Struct({
    at_start: Schema.NullOr(Schema.Boolean),
    at_end: Schema.NullOr(Schema.Boolean),
    seconds_non_compliant: Schema.Finite
  })
}).annotations({ identifier: "Exposure" })

/** All exposures of the question together. */
export const ExposureSummaryResponse = Schema.Struct({
  environments: Schema.Int,
  running_now: Schema.Int,
  /** The first start; null without exposures. */
  first: Schema.NullOr(EpochSeconds),
  total_seconds: Schema.Finite,
  /** Artifacts that pass the filters and have no bill of materials; absent unless components are asked for. */
  without_sbom: Schema.optionalWith(Schema.Int, { exact: true })
}).annotations({ identifier: "ExposureSummary" })

/** The operation of exposures. */
export class ExposureApi extends HttpApiGroup.make("exposure")
  .add(
    HttpApiEndpoint.get("list")`/exposure/${org}`
      .setUrlParams(ListExposures)
      .addSuccess(
        Schema.Struct({
          ...Paging.counterFields,
          exposures: Schema.Array(ExposureResponse),
          summary: ExposureSummaryResponse
        }).annotations({ identifier: "Exposures" })
      )
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List where artifacts ran and run, newest start first")
      .annotate(
        OpenApi.Description,
        "Answers one page of the times in which artifacts ran in physical environments under one " +
          "name, archived environments included, and all of them together. The request gives " +
          `exactly ${subjects}. An unknown fingerprint, commit, author, builder, component or ` +
          "vulnerability gives an empty list."
      )
  )
  .annotate(OpenApi.Title, "Exposures")
  .annotate(
    OpenApi.Description,
    "Where and when artifacts ran, by fingerprint, commit, flow, repository, author, builder, " +
      "component and vulnerability."
  ) {}
