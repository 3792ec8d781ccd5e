/** The operations that try a policy before it counts: they only ask, and store nothing. SPEC §4.6 */

import { PolicyDump } from "@attestry/core/AppliedPolicy"
import { Fingerprint } from "@attestry/core/Fingerprint"
import { hiddenRowsField } from "@attestry/core/Hidden"
import { EnvironmentName, FlowName, PolicyName } from "@attestry/core/Identifier"
import { RuleEvaluation } from "@attestry/core/PolicyDecision"
import { Facts } from "@attestry/core/PolicyFacts"
import { PolicyReason } from "@attestry/core/PolicyReason"
import { SnapshotCounts } from "@attestry/core/SnapshotCounts"
import * as SnapshotExpression from "@attestry/core/SnapshotExpression"
import { EpochSeconds } from "@attestry/core/Timestamp"
import { PolicyRemark } from "@attestry/policy-lab/PolicyRemark"
import { REMEDIES_MAX } from "@attestry/policy-lab/PolicyRemedy"
import { Remedy } from "@attestry/policy-lab/RemedyStep"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { jsonBody, Operation, rule } from "../shared/Operation.js"
import { org } from "../shared/PathParam.js"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** The most facts of one dry run. */
export const FACTS_MAX = 500

const State = Schema.NullOr(Schema.Boolean)

/** A policy that is tried: a text, or a version of a stored policy. */
export const CandidatePolicy = Schema.Struct({
  policy_yaml: optional(
    Schema.String.annotations({ description: "The text of the policy; or name a stored one." })
  ),
  name: optional(
    PolicyName.annotations({
      description: "With `policy_yaml`: the name that the policy would have."
    })
  ),
  policy_name: optional(PolicyName),
  version: optional(
    Schema.Int.pipe(Schema.greaterThanOrEqualTo(1)).annotations({
      description: "The version of the named policy; the latest by default."
    })
  )
}).annotations({ identifier: "CandidatePolicy" })

/** The subject of a dry run: a snapshot of an environment, an artifact, or given facts. */
export const DryRunOn = Schema.Struct({
  environment: optional(EnvironmentName),
  snapshot: optional(
    SnapshotExpression.FromText.annotations({
      description: "With `environment` alone: its snapshot; the newest by default."
    })
  ),
  fingerprint: optional(
    Fingerprint.annotations({
      description: "An artifact; with `environment`, its policies count too."
    })
  ),
  flow_name: optional(
    FlowName.annotations({ description: "With `fingerprint`: only evidence of this flow counts." })
  ),
  facts: optional(Schema.Array(Facts).pipe(Schema.minItems(1), Schema.maxItems(FACTS_MAX)))
}).annotations({ identifier: "DryRunOn" })

/** A dry run. */
export const DryRunPolicy = Schema.Struct({
  candidate: CandidatePolicy,
  on: DryRunOn,
  against: optional(
    Schema.Literal("attached", "alone").annotations({
      description:
        "`attached`: the candidate replaces the attached policy of its name, or is added to " +
        "the others, which are in a logical environment its own; `alone`: no other policy " +
        "counts. By default `attached` if an environment is named."
    })
  ),
  as_of: optional(
    Schema.Union(Schema.Literal("judged", "now"), EpochSeconds).annotations({
      description:
        "The evidence of the evaluation: `judged` is that of the recorded evaluation of each " +
        "row, `now` the current evidence, and a time in epoch seconds that of the instant. " +
        "By default `judged` for a snapshot, and `now` otherwise."
    })
  ),
  show: optional(
    Schema.Literal("flips", "failing", "all").annotations({
      description:
        "The rows of the answer: with another verdict, not compliant (the default), or all."
    })
  ),
  remedies: optional(
    Schema.Int.pipe(Schema.between(0, REMEDIES_MAX)).annotations({
      description:
        "The number of remedies of each row that is not compliant, for the first 100 rows; " +
        "none by default."
    })
  )
}).annotations({ identifier: "DryRunPolicy" })

/** The decision of a policy; a candidate without a version has null. */
export const TriedDecision = Schema.Struct({
  policy_name: Schema.String,
  policy_version: Schema.NullOr(Schema.Int),
  status: Schema.Literal("COMPLIANT", "NON-COMPLIANT"),
  rule_evaluations: Schema.Array(RuleEvaluation),
  mode: optional(Schema.Literal("warn")),
  environment: optional(
    Schema.String.annotations({
      description:
        "Only for a row of a logical environment: the environment to which the policy is attached."
    })
  )
}).annotations({ identifier: "TriedDecision" })

/** A row that was evaluated. */
export const DryRunRow = Schema.Struct({
  name: Schema.String,
  fingerprint: Schema.String,
  member: optional(
    Schema.String.annotations({
      description: "Only for a row of a logical environment: the member in which it runs."
    })
  ),
  compliant: State,
  /** The verdict that it has; null where it has none, or no policy evaluated it. */
  was: State,
  policy_decisions: Schema.Array(TriedDecision),
  reasons_for_incompliance: Schema.Array(PolicyReason),
  remedies: optional(Schema.Array(Remedy))
}).annotations({ identifier: "DryRunRow" })

/** The verdicts of a candidate. */
export const DryRunResponse = Schema.Struct({
  compliant: State,
  counts: SnapshotCounts,
  /** The snapshot that was evaluated; null where none was. */
  snapshot: Schema.NullOr(
    Schema.Struct({
      environment: EnvironmentName,
      index: Schema.Int,
      timestamp: EpochSeconds,
      compliant: State
    })
  ),
  policy_dump: PolicyDump,
  remarks: Schema.Array(PolicyRemark),
  rows: Schema.Array(DryRunRow),
  /** How many more rows there are. */
  left_out: Schema.Int,
  ...hiddenRowsField
}).annotations({ identifier: "PolicyDryRun" })

/** The most environments that a backtest names. */
export const ENVIRONMENTS_MAX = 200
/** The most flips that a backtest lists, and the number by default. */
export const FLIPS_MAX = 100_000
/** The number of flips that a backtest lists by default. */
export const FLIPS_DEFAULT = 1_000

/** A backtest. */
export const BacktestPolicy = Schema.Struct({
  candidate: CandidatePolicy,
  replaces: optional(
    Schema.NullOr(PolicyName).annotations({
      description:
        "The policy that the candidate replaces wherever it was attached; null to add the " +
        "candidate to all others. By default the policy of the candidate's name, if it " +
        "exists."
    })
  ),
  environments: optional(
    Schema.Array(EnvironmentName)
      .pipe(Schema.maxItems(ENVIRONMENTS_MAX))
      .annotations({
        description:
          "A logical environment means its members; by default every physical environment that " +
          "is not archived. Logical environments to which the replaced policy was attached are " +
          "replayed too."
      })
  ),
  from: optional(EpochSeconds.annotations({ description: "90 days before `to` by default." })),
  to: optional(EpochSeconds.annotations({ description: "Now by default." })),
  knowledge: optional(
    Schema.Literal("judged", "known", "now").annotations({
      description:
        "The evidence of the evaluation: that of the last recorded evaluation of each row " +
        "(the default), the evidence that had been accepted at each instant, or the current " +
        "evidence."
    })
  ),
  verify: optional(
    Schema.Boolean.annotations({
      description:
        "Whether the replaced versions are replayed too, and decisions that are not " +
        "reproduced are counted."
    })
  ),
  reasons: optional(Schema.Boolean),
  limit: optional(Schema.Int.pipe(Schema.between(1, FLIPS_MAX))),
  cursor: optional(Schema.NullOr(Schema.String))
}).annotations({ identifier: "BacktestPolicy" })

const Hours = Schema.Struct({ was: Schema.Finite, would_be: Schema.Finite })

const totals = {
  rows: Schema.Int,
  ...hiddenRowsField,
  flips: Schema.Int,
  /** Distinct fingerprints of the flips. */
  artifacts: Schema.Int,
  non_compliant_hours: Hours,
  row_hours: Hours,
  unreproduced: Schema.Struct({
    rows: Schema.Int,
    other_semantics: Schema.Int,
    /** Only where there are some: decisions of a logical environment's policies beside evidence in flight. */
    in_flight: optional(Schema.Int)
  })
}

/** A time in which a row would have had another verdict. */
export const FlipLine = Schema.Struct({
  type: Schema.Literal("flip"),
  environment: EnvironmentName,
  /** Only in a logical environment: the member in which the row runs. */
  member: optional(Schema.String),
  name: Schema.String,
  fingerprint: Schema.String,
  first_index: Schema.Int,
  last_index: Schema.Int,
  from: EpochSeconds,
  /** Null while it lasts. */
  to: Schema.NullOr(EpochSeconds),
  was: State,
  would_be: State,
  reasons: optional(Schema.Array(PolicyReason)),
  /** Where a cut divides it: it began before, or goes on. */
  continued: optional(Schema.Literal(true)),
  continues: optional(Schema.Literal(true))
}).annotations({ identifier: "BacktestFlip" })

/** The result for one environment. */
export const EnvironmentLine = Schema.Struct({
  type: Schema.Literal("environment"),
  environment: EnvironmentName,
  ...totals,
  /** At the end of the window; null where that is in the past, or nothing was reported. */
  now: Schema.NullOr(Schema.Struct({ was: State, would_be: State }))
}).annotations({ identifier: "BacktestEnvironment" })

const Totals = Schema.Struct(totals).annotations({ identifier: "BacktestTotals" })

const Horizon = Schema.Struct({ known: Schema.NullOr(Schema.Int), at: EpochSeconds })

/** Notes for the reader of a backtest. */
export const BacktestNote = Schema.Struct({
  /** `logical_not_played`: the policy evaluates members in a logical environment that was not asked for. */
  type: Schema.Literal("logical_not_played"),
  environment: EnvironmentName,
  policy: PolicyName,
  members: Schema.Array(EnvironmentName),
  message: Schema.String
}).annotations({ identifier: "BacktestNote" })

const notes = optional(Schema.Array(BacktestNote))

/** A line of a backtest that is streamed. */
export const BacktestLine = Schema.Union(
  Schema.Struct({
    type: Schema.Literal("started"),
    horizon: Horizon,
    environments: Schema.Int,
    snapshots: Schema.Int,
    request: Schema.String,
    /** Only where there are some. */
    notes
  }),
  FlipLine,
  Schema.Struct({
    type: Schema.Literal("progress"),
    environment: EnvironmentName,
    /** Snapshots that were played, of all. */
    played: Schema.Int,
    of: Schema.Int,
    /** The flips of the environment so far. */
    flips: Schema.Int,
    /** The totals of all environments so far. */
    totals: Totals,
    cursor: Schema.NullOr(Schema.String)
  }),
  EnvironmentLine,
  Schema.Struct({ type: Schema.Literal("done"), totals: Totals, truncated: Schema.Boolean }),
  Schema.Struct({
    type: Schema.Literal("failed"),
    message: Schema.String,
    cursor: Schema.NullOr(Schema.String)
  })
).annotations({ identifier: "BacktestLine" })

/** A backtest in one answer. */
export const BacktestResponse = Schema.Struct({
  horizon: Horizon,
  flips: Schema.Array(FlipLine),
  environments: Schema.Array(EnvironmentLine),
  totals: Totals,
  /** Whether there are more flips than were asked for. */
  truncated: Schema.Boolean,
  /** Only where there are some. */
  notes
}).annotations({ identifier: "PolicyBacktest" })

/** The media type of lines. */
export const LINES = "application/x-ndjson"

const asks = rule("org.read", jsonBody, { reads: true })

/** The operations that try a policy. */
export class PolicyLabApi extends HttpApiGroup.make("policyLab")
  .add(
    HttpApiEndpoint.post("dryRun")`/policies/${org}/dry-run`
      .setPayload(DryRunPolicy)
      .addSuccess(DryRunResponse)
      .annotate(Operation, asks)
      .annotate(OpenApi.Summary, "Evaluate running artifacts by a policy that does not count yet")
      .annotate(
        OpenApi.Description,
        "Answers the verdicts of a text, or of a version of a policy, about a snapshot, an " +
          "artifact or given facts. Nothing is stored and no pending work is done. An invalid " +
          "policy is 400."
      )
  )
  .add(
    HttpApiEndpoint.post("backtest")`/policies/${org}/backtest`
      .setPayload(BacktestPolicy)
      .addSuccess(BacktestResponse)
      .annotate(Operation, asks)
      .annotate(OpenApi.Summary, "Play a policy over recorded history")
      .annotate(
        OpenApi.Description,
        "Answers the times in which rows of snapshots would have had another verdict, and " +
          "their totals. With `Accept: application/x-ndjson` the answer is a stream of lines, " +
          "each with a `type`: `started`, `flip`, `progress` with a cursor with which the same " +
          "request continues to the same totals, `environment`, and `done` or `failed`. " +
          "Nothing is stored. An org runs at most two at a time; another one is 429 before the " +
          "first line."
      )
  )
  .annotate(OpenApi.Title, "Policy lab")
  .annotate(
    OpenApi.Description,
    "Policies on real facts and on history before they count. Nothing is stored; every role that reads may ask."
  ) {}
