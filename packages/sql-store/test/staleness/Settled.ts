/**
 * What every environment must say once nothing is under way: after one identical report, what a fresh assertion
 * of each of its artifacts says.
 */
import { AllowLists } from "@attestry/core/AllowLists"
import { Assertions } from "@attestry/core/Assertions"
import { Environments } from "@attestry/core/Environments"
import { Fingerprint } from "@attestry/core/Fingerprint"
import { EnvironmentName } from "@attestry/core/Identifier"
import type { Org } from "@attestry/core/Org"
import * as SnapshotExpression from "@attestry/core/SnapshotExpression"
import { Snapshots } from "@attestry/core/Snapshots"
import * as Verdict from "@attestry/core/Verdict"
import { Effect } from "effect"
import * as Changes from "./Changes.js"

const latest = (org: Org, environment: string) =>
  Effect.flatMap(Snapshots, (snapshots) =>
    snapshots.get(org.name, EnvironmentName.make(environment), SnapshotExpression.index(-1))
  )

/** What runs according to the latest snapshot. */
const runningIn = (org: Org, environment: string) =>
  Effect.map(latest(org, environment), ({ rows }) =>
    rows.filter(({ annotation }) => annotation.type !== "exited")
  )

const contentOf = (fingerprint: string): Changes.Content =>
  fingerprint.startsWith("a") ? "a" : "b"

const isEvaluated = (org: Org, environment: string) =>
  Effect.map(
    Effect.flatMap(Environments, (environments) =>
      environments.get(org.name, EnvironmentName.make(environment))
    ),
    ({ environment: { policies, require_provenance } }) => policies.length > 0 || require_provenance
  )

/** Whether the policies of an environment accept an artifact at this moment. */
const accepts = (org: Org, environment: string, fingerprint: string) =>
  Effect.map(
    Effect.flatMap(Assertions, (assertions) =>
      assertions.assert(org.name, {
        fingerprint: Fingerprint.make(fingerprint),
        target: { scope: "environment", environment }
      })
    ),
    ({ compliant }) => compliant
  )

const allowedIn = (org: Org, environment: string) =>
  Effect.map(
    Effect.flatMap(AllowLists, (lists) => lists.list(org.name, EnvironmentName.make(environment))),
    ({ entries }) => new Set<string>(entries.map(({ fingerprint }) => fingerprint))
  )

/** What an environment shows: its rows with their verdicts, and its own verdict. */
export interface Shown {
  readonly rows: ReadonlyArray<readonly [content: string, verdict: Verdict.Verdict]>
  readonly verdict: Verdict.Verdict
}

/** One report that says what was said last. */
const reportAgain = (org: Org, environment: Changes.EnvironmentKey) =>
  Effect.flatMap(runningIn(org, environment), (rows) =>
    Changes.report(org, environment, rows.map(({ fingerprint }) => contentOf(fingerprint)).sort())
  )

const shown = (org: Org, environment: string) =>
  Effect.map(
    Effect.all([latest(org, environment), runningIn(org, environment)]),
    ([{ snapshot }, rows]): Shown => ({
      rows: rows
        .map(({ fingerprint, verdict }) => [contentOf(fingerprint), verdict] as const)
        .sort(),
      verdict: snapshot.verdict
    })
  )

/** What fresh assertions say of the rows of a physical environment. */
const asserted = (org: Org, environment: string) =>
  Effect.gen(function* () {
    const [evaluated, allowed] = yield* Effect.all([
      isEvaluated(org, environment),
      allowedIn(org, environment)
    ])
    const rows = yield* Effect.forEach(yield* runningIn(org, environment), ({ fingerprint }) =>
      Effect.map(accepts(org, environment, fingerprint), (isAccepted) => {
        const byPolicies = !evaluated ? "Unknown" : isAccepted ? "Compliant" : "NonCompliant"
        const verdict = allowed.has(fingerprint) ? "Compliant" : byPolicies
        return [contentOf(fingerprint), verdict] as const
      })
    )
    const byPolicies = rows.every(([, verdict]) => verdict === "Compliant")
      ? "Compliant"
      : "NonCompliant"
    return {
      rows: rows.sort(),
      verdict: evaluated ? byPolicies : "Unknown"
    } satisfies Shown
  })

/** What fresh assertions, and the members, say about the logical environment. */
const assertedOfGroup = (org: Org) =>
  Effect.gen(function* () {
    const { included } = yield* Effect.flatMap(Environments, (environments) =>
      environments.get(org.name, Changes.GROUP)
    )
    const members = included ?? []
    const verdicts = yield* Effect.forEach(members, (member) =>
      Effect.map(asserted(org, member), ({ verdict }) => verdict)
    )
    if (members.length === 0 || !(yield* isEvaluated(org, Changes.GROUP))) {
      return Verdict.minimum(verdicts)
    }
    const own = yield* Effect.forEach(members, (member) =>
      Effect.gen(function* () {
        const allowed = yield* allowedIn(org, member)
        return yield* Effect.forEach(yield* runningIn(org, member), ({ fingerprint }) =>
          allowed.has(fingerprint) ? Effect.succeed(true) : accepts(org, Changes.GROUP, fingerprint)
        )
      })
    )
    return Verdict.minimum([...verdicts, own.flat().every(Boolean) ? "Compliant" : "NonCompliant"])
  })

/** What the environments of the org show after one identical report of each, and what they must show. */
export const compare = (org: Org) =>
  Effect.gen(function* () {
    yield* reportAgain(org, "first")
    yield* reportAgain(org, "second")
    return {
      shown: {
        first: yield* shown(org, "first"),
        second: yield* shown(org, "second"),
        group: (yield* latest(org, Changes.GROUP)).snapshot.verdict
      },
      asserted: {
        first: yield* asserted(org, "first"),
        second: yield* asserted(org, "second"),
        group: yield* assertedOfGroup(org)
      }
    }
  })
