/** The operations of environments. SPEC §4.4 */

import { ReportEvery, WhenSilent } from "@attestry/core/Cadence"
import * as Dictionary from "@attestry/core/Dictionary"
import { KindWord } from "@attestry/core/EnvironmentKind"
import { SORTS } from "@attestry/core/EnvironmentList"
import { hiddenRowsField } from "@attestry/core/Hidden"
import { EnvironmentName, OrgName } from "@attestry/core/Identifier"
import { optional } from "@attestry/core/OptionalField"
import { PolicyMode } from "@attestry/core/PolicyMode"
import { PolicyReason } from "@attestry/core/PolicyReason"
import { SnapshotCounts } from "@attestry/core/SnapshotCounts"
import { Tags } from "@attestry/core/Tags"
import { EpochSeconds } from "@attestry/core/Timestamp"
import { Verdict } from "@attestry/core/Verdict"
import { VerdictRun } from "@attestry/core/VerdictRuns"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { answeredAsOf, asOf } from "../history/AsOfFields.js"
import { CreatedBody, OkBody } from "../shared/OkBody.js"
import { jsonBody, noBody, Operation, rule } from "../shared/Operation.js"
import { counterFields, pageFields } from "../shared/Paging.js"
import { envName, org } from "../shared/PathParam.js"
import * as QueryParam from "../shared/QueryParam.js"
import { answeredSpace, newSpace } from "../shared/SpaceField.js"

const Members = Schema.Array(Schema.String)

/** Modes of attached policies by name. */
const PolicyModes = Dictionary.make({
  key: Schema.String,
  value: PolicyMode,
  members: { type: "string", enum: [...PolicyMode.literals] }
})

/** The cadence in a request; null ends it. */
const cadence = {
  report_every: Schema.optionalWith(Schema.NullOr(ReportEvery), { exact: true }).annotations({
    description:
      "At most this many seconds pass between two reports, or the environment is silent; null is no limit."
  }),
  when_silent: optional(WhenSilent)
}

/** An environment to save; an empty description keeps the stored one. */
export const PutEnvironment = Schema.Struct({
  name: EnvironmentName,
  type: KindWord,
  description: optional(Schema.String),
  include_scaling: optional(Schema.Boolean),
  included_environments: optional(Members),
  require_provenance: optional(Schema.Boolean),
  policies: optional(Members),
  policy_modes: optional(PolicyModes),
  ...cadence,
  space: newSpace
}).annotations({ identifier: "CreateEnvironmentPutInput" })

/** Fields to change; an absent field stays, and an empty description clears it. */
export const PatchEnvironment = Schema.Struct({
  description: optional(Schema.String),
  include_scaling: optional(Schema.Boolean),
  included_environments: optional(Members),
  policies: optional(Members),
  policy_modes: optional(PolicyModes),
  ...cadence
}).annotations({ identifier: "EnvironmentPatchInput" })

const reason = optional(
  Schema.String.pipe(Schema.minLength(1)).annotations({
    description: "Why; it is part of the event of each policy that changes."
  })
)

/** Policies to detach by name, and why. */
export const PolicyNames = Schema.Struct({ policy_names: Members, reason }).annotations({
  identifier: "PolicyNames"
})

/** Policies to attach by name; without a mode, new ones count and attached ones keep theirs. */
export const AttachPolicies = Schema.Struct({
  policy_names: Members,
  mode: optional(PolicyMode),
  reason
}).annotations({ identifier: "AttachPolicies" })

/** How policies of a preview would count: in a mode, or not at all. */
export const PreviewMode = Schema.Literal(...PolicyMode.literals, "detach")

/** A row that would turn red, or that is red and would not be, with the reasons for which it is. */
export const TurningRow = Schema.Struct({
  /** Where it runs: the environment, or the member of a logical one. */
  environment: EnvironmentName,
  name: Schema.String,
  fingerprint: Schema.String,
  reasons_for_incompliance: Schema.Array(PolicyReason)
}).annotations({ identifier: "TurningRow" })

/** The effect of other policies. */
export const PolicyPreview = Schema.Struct({
  mode: PreviewMode,
  /** The running rows by verdict, as the policies are. */
  now: SnapshotCounts,
  /** The same, as they would be. */
  after: SnapshotCounts,
  /** How many running rows would have a warning. */
  rows_warning: Schema.Int,
  turning_red: Schema.Array(TurningRow),
  /** The rows that are red and would not be. */
  no_longer_red: Schema.Array(TurningRow),
  /** How many more rows either list would have. */
  left_out: Schema.Int,
  /** How many running rows are in no count, because a flow knows them that the caller may not read. */
  ...hiddenRowsField
}).annotations({ identifier: "PolicyPreview" })

/** Optional parts of an answer, beside the settings of environments. */
export const INCLUDES = ["latest_snapshot", "day"] as const

/** The newest snapshot of an environment, without its rows. */
export const LatestSnapshot = Schema.Struct({
  index: Schema.Int,
  timestamp: EpochSeconds,
  verdict: Verdict,
  counts: SnapshotCounts,
  /** Since when every snapshot has this verdict. */
  verdict_since: EpochSeconds
}).annotations({ identifier: "LatestSnapshot" })

/** Present where a verdict is older than a change of a policy that very many environments have. */
export const verdictPending = Schema.optionalWith(Schema.Literal(true), {
  exact: true
}).annotations({
  description:
    "Present while a change of a policy that very many environments have is still to be applied to the verdict."
})

/** An environment in a response. */
export const EnvironmentResponse = Schema.Struct({
  org: OrgName,
  name: EnvironmentName,
  type: KindWord,
  description: Schema.String,
  last_modified_at: EpochSeconds,
  last_reported_at: Schema.NullOr(EpochSeconds),
  last_changed_at: Schema.NullOr(EpochSeconds),
  /** The next instant at which time alone may change a verdict; null without one. */
  due_at: Schema.NullOr(EpochSeconds),
  state: Schema.NullOr(Schema.Boolean),
  verdict_pending: verdictPending,
  include_scaling: Schema.Boolean,
  require_provenance: Schema.Boolean,
  tags: Tags,
  policies: Schema.Array(Schema.String),
  /** How each of the policies counts. */
  policy_modes: PolicyModes,
  /** At most this many seconds pass between two reports; null where no report is expected. */
  report_every: Schema.NullOr(ReportEvery),
  when_silent: WhenSilent,
  /** The instant by which a report was due, while the environment is silent. */
  silent_since: Schema.NullOr(EpochSeconds),
  included_environments: Schema.NullOr(Schema.Array(EnvironmentName)),
  /** With `include=latest_snapshot`; null before the first. */
  latest_snapshot: Schema.optionalWith(Schema.NullOr(LatestSnapshot), { exact: true }),
  /** With `include=latest_snapshot`: whether evidence or settings changed since, which the next report evaluates. */
  is_stale: Schema.optionalWith(Schema.Boolean, { exact: true }),
  /** With `include=day`: the verdicts of the last 24 hours, each until the next one. */
  day: Schema.optionalWith(Schema.Array(VerdictRun), { exact: true }),
  space: answeredSpace,
  ...answeredAsOf
}).annotations({ identifier: "Environment" })

/** One page of environments. */
export const EnvironmentPage = Schema.Struct({
  ...counterFields,
  environments: Schema.Array(EnvironmentResponse)
}).annotations({ identifier: "EnvironmentPage" })

const include = QueryParam.optional(
  QueryParam.words(INCLUDES),
  "Additional parts of the answer, separated by commas: `latest_snapshot` is the " +
    "newest snapshot with its counts, the time since which it has its verdict, and " +
    "`is_stale`; `day` is the verdicts of the last 24 hours, at most 48; merged ones " +
    "have the worst verdict."
)

const GetEnvironment = Schema.Struct({ include, as_of: asOf }).pipe(
  Schema.filter(({ as_of, include: included }) =>
    as_of !== undefined && included !== undefined
      ? { path: ["include"], message: "Input should be left out where `as_of` is given" }
      : undefined
  )
)

const query = Schema.Struct({
  ...pageFields(),
  name: QueryParam.optional(
    Schema.String,
    "Only environments whose name contains this text, in any case."
  ),
  type: QueryParam.optional(
    QueryParam.repeatable(KindWord),
    "Only environments of this type. May be repeated for several types."
  ),
  tag: QueryParam.tags("any of them"),
  space_id: QueryParam.spaces,
  include,
  state: QueryParam.optional(
    Schema.Literal("true", "false", "null"),
    "Only environments whose `state` is this: compliant, not compliant, or not evaluated."
  ),
  silent: QueryParam.optional(
    QueryParam.boolean,
    "Only environments that have missed their cadence, or only others."
  ),
  sort: QueryParam.optional(
    Schema.Literal(...SORTS),
    "The order of the list; by name by default. By `due_at` it has only environments with one."
  ),
  sort_direction: QueryParam.sortDirection("asc")
})

const write = rule("environment.write", jsonBody)
const attaching = rule("policy.write", jsonBody)

/** The operations of environments. */
export class EnvironmentApi extends HttpApiGroup.make("environment")
  .add(
    HttpApiEndpoint.put("put")`/environments/${org}`
      .setPayload(PutEnvironment)
      .addSuccess(OkBody)
      .addSuccess(CreatedBody)
      .annotate(Operation, rule("environment.put", jsonBody))
      .annotate(OpenApi.Summary, "Create or update an environment")
      .annotate(
        OpenApi.Description,
        "Creates an environment, or updates the one of that name; given lists replace the " +
          "stored lists. The type cannot change. A snapshotter may create an environment, and " +
          "repeat the same request. Answers 201 when the environment is new."
      )
  )
  .add(
    HttpApiEndpoint.get("list")`/environments/${org}`
      .setUrlParams(query)
      .addSuccess(Schema.Union(Schema.Array(EnvironmentResponse), EnvironmentPage))
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List environments; with `page` or `per_page` as a page")
      .annotate(
        OpenApi.Description,
        "Answers every environment as a plain array; with `page` or `per_page`, one page " +
          "with counters. Archived ones are left out. `include` adds the newest snapshot and " +
          "the last day of each."
      )
  )
  .add(
    HttpApiEndpoint.get("get")`/environments/${org}/${envName}`
      .setUrlParams(GetEnvironment)
      .addSuccess(EnvironmentResponse)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get an environment")
      .annotate(
        OpenApi.Description,
        "Answers one environment with its verdict, the time of its last report, and its " +
          "policies. `include` adds its newest snapshot and its last day. With `as_of` " +
          "settings, members, policies with their modes and the verdict are those of that " +
          "instant; 404 if the environment was created later."
      )
  )
  .add(
    HttpApiEndpoint.patch("patch")`/environments/${org}/${envName}`
      .setPayload(PatchEnvironment)
      .addSuccess(OkBody)
      .annotate(Operation, write)
      .annotate(OpenApi.Summary, "Change fields of an environment")
      .annotate(
        OpenApi.Description,
        "Changes the fields that are given, and leaves the others as they are; name and type " +
          "cannot change."
      )
  )
  .add(
    HttpApiEndpoint.put("archive")`/environments/${org}/${envName}/archive`
      .addSuccess(OkBody)
      .annotate(Operation, rule("environment.write", noBody))
      .annotate(OpenApi.Summary, "Archive an environment; its name becomes free")
      .annotate(
        OpenApi.Description,
        "Archives the environment: its snapshots are kept, and an environment that takes its " +
          "name is another one, numbered from 1."
      )
  )
  .add(
    HttpApiEndpoint.put("rename")`/environments/${org}/${envName}/rename`
      .setPayload(Schema.Struct({ new_name: EnvironmentName }))
      .addSuccess(OkBody)
      .annotate(Operation, write)
      .annotate(
        OpenApi.Summary,
        "Rename an environment; the old name leads to it until it is taken"
      )
      .annotate(
        OpenApi.Description,
        "Renames the environment. The old name leads to it until another environment takes " +
          "that name."
      )
  )
  .add(
    HttpApiEndpoint.put("join")`/environments/${org}/${envName}/join`
      .setPayload(Schema.Struct({ physical_env_name: Schema.String }))
      .addSuccess(OkBody)
      .annotate(Operation, write)
      .annotate(OpenApi.Summary, "Add a physical environment to a logical one")
      .annotate(
        OpenApi.Description,
        "Makes a physical environment a member of a logical one; joining twice is joining once."
      )
  )
  .add(
    HttpApiEndpoint.post("attach")`/environments/${org}/${envName}/policies`
      .setPayload(AttachPolicies)
      .addSuccess(OkBody)
      .annotate(Operation, attaching)
      .annotate(OpenApi.Summary, "Attach policies; running artifacts are evaluated at once")
      .annotate(
        OpenApi.Description,
        "Attaches policies and evaluates running artifacts at once, in a new snapshot if the " +
          "environment has one already. With the mode `warn` the policies are evaluated and " +
          "recorded and change no verdict. Attaching an attached policy changes nothing, " +
          "unless the request gives another mode."
      )
  )
  .add(
    HttpApiEndpoint.del("detach")`/environments/${org}/${envName}/policies`
      .setPayload(PolicyNames)
      .addSuccess(OkBody)
      .annotate(Operation, attaching)
      .annotate(OpenApi.Summary, "Detach policies; running artifacts are evaluated at once")
      .annotate(
        OpenApi.Description,
        "Detaches policies and evaluates running artifacts at once, in a new snapshot if the " +
          "environment has one already. Detaching a policy that is not attached changes " +
          "nothing."
      )
  )
  .add(
    HttpApiEndpoint.get("preview")`/environments/${org}/${envName}/policies/preview`
      .setUrlParams(
        Schema.Struct({
          policy_name: QueryParam.optional(
            QueryParam.repeatable(Schema.String),
            "The policy to attach, switch or detach. May be repeated; without it, every attached policy that warns."
          ),
          mode: QueryParam.optional(
            PreviewMode,
            "The mode of these policies, or `detach`; `enforce` by default."
          )
        })
      )
      .addSuccess(PolicyPreview)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(
        OpenApi.Summary,
        "Preview the verdicts that would change if policies were attached, switched or detached"
      )
      .annotate(
        OpenApi.Description,
        "Evaluates running artifacts by the current facts, with the current policies and " +
          "with the changed ones, and answers the rows that would become not compliant, and " +
          "those that would become compliant, with their reasons. Nothing is written. In a " +
          "logical environment only its own policies count."
      )
  )
  .annotate(OpenApi.Title, "Environments")
  .annotate(
    OpenApi.Description,
    "Places where artifacts run, and logical groups of them, with settings and policies."
  ) {}
