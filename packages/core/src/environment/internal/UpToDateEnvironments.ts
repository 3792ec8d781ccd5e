/**
 * Environments for reads: a pending one is evaluated before it is returned. DECISION S10
 *
 * An environment that is not pending costs one query.
 */
import * as Effect from "effect/Effect"
import type { Granted } from "../../access/Access.js"
import { DamagedRecords, strictly } from "../../shared/DamagedRecords.js"
import type { EnvironmentName, OrgId } from "../../shared/Identifier.js"
import { Reevaluation } from "../../shared/Reevaluation.js"
import type { StoreError } from "../../shared/StoreError.js"
import type { Environment } from "../Environment.js"
import type { EnvironmentMissing } from "../EnvironmentFailure.js"
import { EnvironmentStore, type MarkedEnvironment } from "../EnvironmentStore.js"
import * as EnvironmentLookup from "./EnvironmentLookup.js"

/** Environments for reads, with current verdicts. */
export class UpToDateEnvironments extends Effect.Service<UpToDateEnvironments>()(
  "@attestry/core/UpToDateEnvironments",
  {
    effect: Effect.gen(function* () {
      const store = yield* EnvironmentStore
      const reevaluation = yield* Reevaluation

      const look = (granted: Granted, name: EnvironmentName) =>
        Effect.flatMap(
          store.findByName({ org: granted.orgId, name }),
          EnvironmentLookup.present(granted, name)
        )

      /** The active environment of that name; fails when it is absent or archived. */
      const find = (
        granted: Granted,
        name: EnvironmentName
      ): Effect.Effect<MarkedEnvironment, EnvironmentMissing | StoreError> =>
        Effect.flatMap(look(granted, name), (found) =>
          found.isPending
            ? Effect.zipRight(strictly(reevaluation.drain(granted.orgId)), look(granted, name))
            : Effect.succeed(found)
        )

      /** Every active environment, in any order. */
      const list = (org: OrgId): Effect.Effect<ReadonlyArray<Environment>, StoreError> =>
        Effect.flatMap(
          Effect.provideService(store.listPending(org), DamagedRecords, []),
          (pending) =>
            pending.length === 0
              ? store.list(org)
              : Effect.zipRight(strictly(reevaluation.drain(org)), store.list(org))
        )

      return { find, list } as const
    })
  }
) {}
