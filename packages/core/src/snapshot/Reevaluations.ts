/**
 * Judges environments again without a report: at once where policies change, and pending ones when
 * somebody saves a policy or is about to read. DECISION S10, D4.10
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { WriteContext } from "../access/WriteContext.js"
import * as Environment from "../environment/Environment.js"
import { EnvironmentStore } from "../environment/EnvironmentStore.js"
import { PolicyHistory } from "../environment/PolicyHistory.js"
import { DamagedRecords } from "../shared/DamagedRecords.js"
import type { OrgId } from "../shared/Identifier.js"
import { Reevaluation } from "../shared/Reevaluation.js"
import { Transaction } from "../shared/Transaction.js"
import { LogicalSnapshots } from "./LogicalSnapshots.js"
import { SnapshotHistory } from "./SnapshotHistory.js"

/** Who a snapshot is by that nobody reported: the service itself. */
const ACTOR = { kind: "system", id: "reevaluation", name: "reevaluation" } as const

const make = Effect.gen(function* () {
  const environments = yield* EnvironmentStore
  const history = yield* SnapshotHistory
  const logical = yield* LogicalSnapshots
  const transaction = yield* Transaction

  /** Judges again what the latest snapshot says runs; the caller holds the environment's lock. */
  const judge = (
    writer: WriteContext,
    environment: Environment.Environment,
    cause: "attachment" | "reevaluation"
  ) =>
    environment.type === "logical"
      ? logical.reevaluate(writer, environment, { always: cause === "attachment" })
      : Effect.flatMap(
          history.append(writer, environment, {
            cause,
            rows: Option.none(),
            isStale: false,
            note: {}
          }),
          Option.match({
            onNone: () => Effect.void,
            onSome: ({ timestamp, verdict }) =>
              environments.change(Environment.ref(environment), { at: timestamp, verdict })
          })
        )

  /** Judges one environment, unless somebody else has done so since. */
  const drainOne = (ref: Environment.EnvironmentRef) =>
    transaction.run(ref.org, (scope) =>
      Effect.gen(function* () {
        const now = yield* scope.now
        const found = yield* environments.lockById(ref)
        if (Option.isNone(found) || !found.value.isPending) return
        yield* judge(
          { org: ref.org, actor: ACTOR, at: now },
          found.value.environment,
          "reevaluation"
        )
        yield* environments.settle(ref)
      })
    )

  /** WHY without the damaged: what cannot be read cannot be judged, and the others must not wait for it. */
  const listPending = (org: OrgId) =>
    Effect.provideService(environments.listPending(org), DamagedRecords, [])

  return { judge, drainOne, listPending }
})

/** The port through which environments tell that their policies have changed. */
export const layerPolicyHistory = Layer.effect(
  PolicyHistory,
  Effect.map(make, ({ judge }) => ({
    policiesChanged: (writer, environment) => judge(writer, environment, "attachment")
  }))
)

/** The port through which pending environments are evaluated. */
export const layer = Layer.effect(
  Reevaluation,
  Effect.map(make, ({ drainOne, listPending }) => ({
    drain: (org) =>
      Effect.withSpan(
        Effect.flatMap(listPending(org), Effect.forEach(drainOne, { discard: true })),
        "Reevaluation.drain"
      )
  }))
)
