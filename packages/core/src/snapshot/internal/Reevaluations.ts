/**
 * Evaluates environments without a report: at once when attached policies or allow-lists change; pending
 * ones after a policy is saved and before a read. DECISION S10, D4.10
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { WriteContext } from "../../access/internal/WriteContext.js"
import { AllowListHistory } from "../../allow-list/internal/AllowListHistory.js"
import * as Environment from "../../environment/Environment.js"
import { EnvironmentStore } from "../../environment/EnvironmentStore.js"
import { PolicyHistory } from "../../environment/internal/PolicyHistory.js"
import { DamagedRecords } from "../../shared/DamagedRecords.js"
import type { OrgId } from "../../shared/Identifier.js"
import { Reevaluation } from "../../shared/Reevaluation.js"
import type { StoreError } from "../../shared/StoreError.js"
import { Transaction } from "../../shared/Transaction.js"
import { SnapshotHistory } from "../SnapshotHistory.js"
import { LogicalSnapshots } from "./LogicalSnapshots.js"
import { SnapshotListener } from "./SnapshotListener.js"

/** The actor of snapshots that follow from no request. */
const ACTOR = { kind: "system", id: "reevaluation", name: "reevaluation" } as const

const make = Effect.gen(function* () {
  const environments = yield* EnvironmentStore
  const history = yield* SnapshotHistory
  const logical = yield* LogicalSnapshots
  const transaction = yield* Transaction

  /** Evaluates the rows of the latest snapshot; `unchanged` runs where no snapshot is appended. */
  const evaluatePhysical = (
    writer: WriteContext,
    environment: Environment.Environment,
    options: {
      readonly cause: "attachment" | "reevaluation"
      readonly unchanged: Effect.Effect<void, StoreError>
    }
  ) =>
    Effect.flatMap(
      history.append(writer, environment, {
        cause: options.cause,
        rows: Option.none(),
        isStale: false,
        note: {}
      }),
      Option.match({
        onNone: () => options.unchanged,
        onSome: ({ timestamp, verdict }) =>
          environments.change(Environment.ref(environment), { at: timestamp, verdict })
      })
    )

  /** Evaluates an environment; the caller holds its lock. */
  const evaluate = (
    writer: WriteContext,
    environment: Environment.Environment,
    cause: "attachment" | "reevaluation"
  ) =>
    environment.type === "logical"
      ? logical.reevaluate(writer, environment, { always: cause === "attachment" })
      : evaluatePhysical(writer, environment, { cause, unchanged: Effect.void })

  // WHY `memberReevaluated`: an entry can change the verdict of a logical environment where this one's stays.
  const entriesChanged = (writer: WriteContext, environment: Environment.Environment) =>
    evaluatePhysical(writer, environment, {
      cause: "reevaluation",
      unchanged: logical.memberReevaluated(writer, environment)
    })

  /** Evaluates one environment, unless another process has evaluated it since it was listed. */
  const drainOne = (ref: Environment.EnvironmentRef) =>
    transaction.run(ref.org, (scope) =>
      Effect.gen(function* () {
        const now = yield* scope.now
        const found = yield* environments.lockById(ref)
        if (Option.isNone(found) || !found.value.isPending) return
        yield* evaluate(
          { org: ref.org, actor: ACTOR, at: now },
          found.value.environment,
          "reevaluation"
        )
        yield* environments.clearPending(ref)
      })
    )

  /** WHY damaged records are left out: they cannot be evaluated, and the others must not wait for them. */
  const listPending = (org: OrgId) =>
    Effect.provideService(environments.listPending(org), DamagedRecords, [])

  return { evaluate, entriesChanged, drainOne, listPending }
})

/** `PolicyHistory` on snapshots. */
export const layerPolicyHistory = Layer.effect(
  PolicyHistory,
  Effect.map(make, ({ evaluate }) => ({
    policiesChanged: (writer, environment) => evaluate(writer, environment, "attachment")
  }))
)

/** `AllowListHistory` on snapshots. */
export const layerAllowListHistory = Layer.effect(
  AllowListHistory,
  Effect.zipWith(make, SnapshotListener, ({ entriesChanged }, { allowed }) => ({
    allowed,
    entriesChanged
  }))
)

/** `Reevaluation` on snapshots. */
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
