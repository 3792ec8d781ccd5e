/**
 * Sequences of requests to the use cases, by five actors in two orgs.
 *
 * Few names and few contents, so that requests collide, repeat and contradict each other. The expected result
 * is that every store gives the same.
 */
import type { ArtifactReport } from "@attestry/core/Artifact"
import type { EnvironmentDraft } from "@attestry/core/Environment"
import type { EnvironmentReport } from "@attestry/core/EnvironmentReport"
import type { FlowDraft } from "@attestry/core/Flow"
import { type EnvironmentName, FlowName } from "@attestry/core/Identifier"
import type { Role } from "@attestry/core/Role"
import * as SnapshotExpression from "@attestry/core/SnapshotExpression"
import * as Timestamp from "@attestry/core/Timestamp"
import type { TrailDraft } from "@attestry/core/Trail"
import * as FastCheck from "effect/FastCheck"
import * as Artifacts from "./arbitrary/Artifact.js"
import * as Environments from "./arbitrary/Environment.js"
import * as Flows from "./arbitrary/Flow.js"
import * as Trails from "./arbitrary/Trail.js"
import * as Reports from "./EnvironmentReport.js"

/** The role of each actor in the first and in the second org; null without a membership. */
export const ACTORS: ReadonlyArray<readonly [Role | null, Role | null]> = [
  ["admin", "admin"],
  ["member", "reader"],
  ["snapshotter", "member"],
  ["reader", null],
  [null, null]
]

/** A request. */
export type Request =
  | { readonly _tag: "PutFlow"; readonly draft: FlowDraft }
  | { readonly _tag: "GetFlow"; readonly flow: FlowName }
  | { readonly _tag: "BeginTrail"; readonly flow: FlowName; readonly draft: TrailDraft }
  | { readonly _tag: "ReportArtifact"; readonly flow: FlowName; readonly report: ArtifactReport }
  | { readonly _tag: "PutEnvironment"; readonly draft: EnvironmentDraft }
  | { readonly _tag: "GetEnvironment"; readonly environment: EnvironmentName }
  | {
      readonly _tag: "Report"
      readonly environment: EnvironmentName
      readonly kind: "K8S" | "docker"
      readonly report: EnvironmentReport<"K8S"> | EnvironmentReport<"docker">
    }
  | {
      readonly _tag: "GetSnapshot"
      readonly environment: EnvironmentName
      readonly expression: SnapshotExpression.SnapshotExpression
    }

/** A request with its actor and org. */
export interface Command {
  readonly org: 0 | 1
  /** An index of `ACTORS`. */
  readonly actor: number
  readonly request: Request
}

const flowName = FastCheck.constantFrom(
  FlowName.make("build"),
  FlowName.make("build"),
  FlowName.make("release")
)

const environment = Environments.commandName

const small = FastCheck.nat(4)

const expression: FastCheck.Arbitrary<SnapshotExpression.SnapshotExpression> = FastCheck.oneof(
  small.map(SnapshotExpression.index),
  small.map((n) => SnapshotExpression.index(-n)),
  small.map(SnapshotExpression.behind),
  FastCheck.constantFrom(
    SnapshotExpression.now,
    SnapshotExpression.ago(1, "hours"),
    SnapshotExpression.at(Timestamp.fromSeconds(600_000_000)),
    SnapshotExpression.at(Timestamp.fromSeconds(3_000_000_000))
  )
)

type ReportRequest = Extract<Request, { readonly _tag: "Report" }>

const reportOf = <K extends "K8S" | "docker">(kind: K) =>
  FastCheck.array(Reports.environmentReport(kind), { minLength: 3, maxLength: 3 })

const [prod, staging] = Environments.COMMAND_NAMES

/** Mostly the environment of the kind. */
const reported = (usual: EnvironmentName) =>
  FastCheck.oneof(
    { weight: 7, arbitrary: FastCheck.constant(usual) },
    { weight: 1, arbitrary: environment }
  )

/** Reports of three of each kind. */
const reports: FastCheck.Arbitrary<FastCheck.Arbitrary<ReportRequest>> = FastCheck.tuple(
  reportOf("K8S"),
  reportOf("docker")
).map(([pods, containers]) =>
  FastCheck.oneof(
    FastCheck.record({
      _tag: FastCheck.constant("Report" as const),
      environment: reported(prod),
      kind: FastCheck.constant("K8S" as const),
      report: FastCheck.constantFrom(...pods)
    }),
    FastCheck.record({
      _tag: FastCheck.constant("Report" as const),
      environment: reported(staging),
      kind: FastCheck.constant("docker" as const),
      report: FastCheck.constantFrom(...containers)
    })
  )
)

const tagged = <T extends Request["_tag"], Fields extends object>(
  _tag: T,
  fields: FastCheck.Arbitrary<Fields>
) => fields.map((given) => ({ _tag, ...given }))

const requestOf = (report: FastCheck.Arbitrary<ReportRequest>): FastCheck.Arbitrary<Request> =>
  FastCheck.oneof(
    { weight: 8, arbitrary: report },
    {
      weight: 4,
      arbitrary: tagged("GetSnapshot", FastCheck.record({ environment, expression }))
    },
    {
      weight: 2,
      arbitrary: tagged(
        "PutEnvironment",
        FastCheck.record({ draft: Environments.environmentDraft })
      )
    },
    { weight: 1, arbitrary: tagged("GetEnvironment", FastCheck.record({ environment })) },
    { weight: 2, arbitrary: tagged("PutFlow", FastCheck.record({ draft: Flows.flowDraft })) },
    { weight: 2, arbitrary: tagged("GetFlow", FastCheck.record({ flow: flowName })) },
    {
      weight: 2,
      arbitrary: tagged(
        "BeginTrail",
        FastCheck.record({ flow: flowName, draft: Trails.trailDraft })
      )
    },
    {
      weight: 2,
      arbitrary: tagged(
        "ReportArtifact",
        FastCheck.record({ flow: flowName, report: Artifacts.smallReport })
      )
    }
  )

/** Mostly an actor with every permission, so that most requests have an effect. */
const actor = FastCheck.oneof(
  { weight: 7, arbitrary: FastCheck.constant(0) },
  { weight: 3, arbitrary: FastCheck.nat(ACTORS.length - 1) }
)

/** The usual first commands, so that reports find their environments. */
const beginnings: FastCheck.Arbitrary<ReadonlyArray<Command>> = FastCheck.boolean().map((empty) =>
  empty
    ? []
    : [
        {
          org: 0,
          actor: 0,
          request: { _tag: "PutEnvironment", draft: { name: prod, type: "K8S" } }
        },
        {
          org: 0,
          actor: 0,
          request: { _tag: "PutEnvironment", draft: { name: staging, type: "docker" } }
        }
      ]
)

/** A sequence of so many commands. */
export const commands = (length: number): FastCheck.Arbitrary<ReadonlyArray<Command>> =>
  FastCheck.tuple(beginnings, reports).chain(([beginning, report]) =>
    FastCheck.array(
      FastCheck.record({
        org: FastCheck.constantFrom(0 as const, 0 as const, 0 as const, 1 as const),
        actor,
        request: requestOf(report)
      }),
      { minLength: length, maxLength: length, size: "max" }
    ).map((others) => [...beginning, ...others].slice(0, length))
  )
