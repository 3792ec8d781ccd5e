/**
 * Environments as readers may see them: none with a verdict that should be another by now. DECISION S10
 *
 * One that is pending is evaluated first; one that is not costs what looking it up costs.
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

/** Environments as readers may see them. */
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

      /** The environment of that name, unless it is not there or archived. */
      const find = (
        granted: Granted,
        name: EnvironmentName
      ): Effect.Effect<MarkedEnvironment, EnvironmentMissing | StoreError> =>
        Effect.flatMap(look(granted, name), (found) =>
          found.isPending
            ? Effect.zipRight(strictly(reevaluation.drain(granted.orgId)), look(granted, name))
            : Effect.succeed(found)
        )

      /** Every environment that is not archived, in no particular order. */
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
