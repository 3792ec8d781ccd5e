/** Serves the operations that try a policy. */

import { type BadRequest, invalid } from "@attestry/api/HttpError"
import {
  type CandidatePolicy,
  type DryRunOn as DryRunOnPayload,
  type DryRunPolicy,
  type DryRunResponse,
  LINES,
  PolicyLabApi
} from "@attestry/api/PolicyLabApi"
import { dump } from "@attestry/core/AppliedPolicy"
import { toHiddenRows } from "@attestry/core/Hidden"
import * as Slices from "@attestry/core/Slices"
import * as SnapshotExpression from "@attestry/core/SnapshotExpression"
import { toState } from "@attestry/core/Verdict"
import { Backtests } from "@attestry/policy-lab/Backtests"
import type { EvaluatedResult } from "@attestry/policy-lab/PolicyDryRun"
import {
  type CandidateSource,
  type DryRunAnswer,
  type DryRunOn,
  type DryRunRequest,
  PolicyDryRuns
} from "@attestry/policy-lab/PolicyDryRuns"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { ok, streamed } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import * as BacktestLines from "./BacktestLines.js"

const refused = (field: string, problem: string) =>
  Either.left(invalid({ [field]: `${problem} [input: …]` }))

/** The candidate of a payload: a text with a name, or a stored policy with a version. */
export const candidateOf = ({
  name,
  policy_name,
  policy_yaml,
  version
}: typeof CandidatePolicy.Type): Either.Either<CandidateSource, BadRequest> => {
  if (policy_yaml !== undefined && (policy_name !== undefined || version !== undefined))
    return refused("candidate.policy_yaml", "Send the text or name a stored policy, not both")
  if (policy_yaml !== undefined) return Either.right({ policy_yaml, name })
  if (name !== undefined) return refused("candidate.name", "Goes with `policy_yaml` alone")
  return policy_name === undefined
    ? refused("candidate.policy_yaml", "Field required")
    : Either.right({ policy_name, version })
}

type On = typeof DryRunOnPayload.Type

/** The subject of a payload: exactly one of facts, an artifact and a snapshot. */
const onOf = (on: On): Either.Either<DryRunOn, BadRequest> => {
  const { environment, facts, fingerprint, flow_name, snapshot } = on
  if (facts !== undefined) {
    const other = (["environment", "fingerprint", "flow_name", "snapshot"] as const).find(
      (field) => on[field] !== undefined
    )
    return other === undefined
      ? Either.right({ _tag: "Facts", facts })
      : refused(`on.${other}`, "Does not go with `facts`")
  }
  if (fingerprint !== undefined)
    return snapshot === undefined
      ? Either.right({
          _tag: "Artifact",
          fingerprint,
          ...(environment === undefined ? {} : { environment }),
          ...(flow_name === undefined ? {} : { flow: flow_name })
        })
      : refused("on.snapshot", "Does not go with `fingerprint`")
  if (environment === undefined)
    return refused("on.environment", "Name an environment, a fingerprint, or send facts")
  return flow_name === undefined
    ? Either.right({
        _tag: "Snapshot",
        environment,
        expression: snapshot ?? SnapshotExpression.now
      })
    : refused("on.flow_name", "Goes with `fingerprint` alone")
}

const requestOf = (payload: typeof DryRunPolicy.Type): Either.Either<DryRunRequest, BadRequest> =>
  Either.gen(function* () {
    const candidate = yield* candidateOf(payload.candidate)
    const on = yield* onOf(payload.on)
    const hasPolicies = payload.on.environment !== undefined
    const against = payload.against ?? (hasPolicies ? "attached" : "alone")
    if (against === "attached" && !hasPolicies)
      return yield* refused("against", "`attached` needs an environment")
    const isSnapshot = on._tag === "Snapshot"
    const asOf = payload.as_of ?? (isSnapshot ? "judged" : "now")
    if (asOf === "judged" && !isSnapshot)
      return yield* refused("as_of", "`judged` needs a snapshot")
    if (asOf !== "now" && on._tag === "Facts")
      return yield* refused("as_of", "Does not go with `facts`")
    const { remedies = 0, show = "failing" } = payload
    return { candidate, on, against, asOf, remedies, show }
  })

const rowOf =
  ({ candidate }: DryRunAnswer) =>
  (row: EvaluatedResult): (typeof DryRunResponse.Type)["rows"][number] => ({
    name: row.facts.artifact.name,
    fingerprint: row.facts.artifact.fingerprint,
    ...(row.member === undefined ? {} : { member: row.member.name }),
    compliant: toState(row.verdict),
    was: row.was === null ? null : toState(row.was),
    policy_decisions: row.decisions.map((decision) =>
      decision.policy_name === candidate.name
        ? { ...decision, policy_version: candidate.version }
        : decision
    ),
    reasons_for_incompliance: row.reasons,
    ...(row.remedies === undefined ? {} : { remedies: row.remedies })
  })

const responseOf = (
  answer: DryRunAnswer,
  rows: (typeof DryRunResponse.Type)["rows"]
): typeof DryRunResponse.Type => ({
  compliant: toState(answer.verdict),
  counts: answer.counts,
  snapshot:
    answer.snapshot === null
      ? null
      : {
          environment: answer.snapshot.environment,
          index: answer.snapshot.head.index,
          timestamp: answer.snapshot.head.timestamp,
          compliant: toState(answer.snapshot.head.verdict)
        },
  policy_dump: dump(answer.candidate.document),
  ...toHiddenRows(answer.hidden),
  remarks: answer.remarks,
  rows,
  left_out: answer.leftOut
})

/** Serves the operations that try a policy. */
export const PolicyLabHandlers = group(
  PolicyLabApi,
  Effect.map(Effect.all([PolicyDryRuns, Backtests]), ([dryRuns, backtests]) => ({
    dryRun: ({ path, payload }) =>
      Effect.flatMap(requestOf(payload), (request) => dryRuns.run(path.org, request)).pipe(
        toWire,
        Effect.flatMap((answer) =>
          Effect.map(Slices.map(answer.rows, rowOf(answer)), (rows) => ok(responseOf(answer, rows)))
        )
      ),
    backtest: ({ incoming, path, payload }) =>
      Effect.gen(function* () {
        const candidate = yield* candidateOf(payload.candidate)
        const lines = yield* backtests.run(path.org, BacktestLines.requestOf(payload, candidate))
        const shown = { reasons: payload.reasons ?? true }
        if (incoming.headers("accept").some((accept) => accept.includes(LINES)))
          return streamed(BacktestLines.print(lines, shown), {
            "content-type": LINES,
            "x-content-type-options": "nosniff"
          })
        return ok(yield* BacktestLines.collect(lines, shown))
      }).pipe(toWire)
  }))
)
