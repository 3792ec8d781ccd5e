/**
 * Environments for reads: one that is pending or due is evaluated before it is returned. DECISIONS.md, "Pending
 * environments are evaluated before they are read"
 *
 * One that is behind is evaluated before it is returned alone. Lists return it with `verdict_pending` instead.
 *
 * An environment that is not pending costs one query.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AccessDenied, Granted } from "../access/Access.js"
import { type GrantedWithin, Reaches } from "../access/Reaches.js"
import { DamagedRecords, strictly } from "../shared/DamagedRecords.js"
import type { EnvironmentName, OrgId } from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import type { StoreError } from "../shared/StoreError.js"
import { Reevaluations } from "../snapshot/Reevaluations.js"
import type { Environment } from "./Environment.js"
import { type EnvironmentMissing, EnvironmentNotFound } from "./EnvironmentFailure.js"
import * as EnvironmentList from "./EnvironmentList.js"
import * as EnvironmentLookup from "./EnvironmentLookup.js"
import { EnvironmentStore, type ReportedEnvironment } from "./EnvironmentStore.js"
import * as PlacedEnvironments from "./internal/PlacedEnvironments.js"

/** Environments for reads, with current verdicts. */
export class UpToDateEnvironments extends Effect.Service<UpToDateEnvironments>()(
  "@attestry/core/UpToDateEnvironments",
  {
    effect: Effect.gen(function* () {
      const store = yield* EnvironmentStore
      const reevaluations = yield* Reevaluations
      const reaches = yield* Reaches
      const present = yield* PlacedEnvironments.make

      const look = (granted: Granted, name: EnvironmentName) =>
        Effect.flatMap(
          store.findByName({ org: granted.orgId, name }),
          EnvironmentLookup.present(granted, name)
        )

      const bring = ({ environment, isPending }: ReportedEnvironment) =>
        Effect.zipRight(
          reevaluations.drain(environment.org_id),
          Effect.when(reevaluations.catchUp(environment), () => isPending)
        )

      /** The active environment of that name; fails when it is absent or archived. */
      const find = (
        granted: Granted,
        name: EnvironmentName
      ): Effect.Effect<ReportedEnvironment, EnvironmentMissing | StoreError> =>
        Effect.flatMap(look(granted, name), (found) =>
          found.isPending || found.isOrgDue
            ? Effect.zipRight(strictly(bring(found)), look(granted, name))
            : Effect.succeed(found)
        )

      /**
       * Reads something of the active environment of that name; fails as if there were none where the caller does not
       * read it.
       *
       * WHY twice: an environment that the caller does not read is not evaluated for it, and what was written after a
       * move is not shown to those who read it before.
       */
      const read = <A, E, R>(
        granted: GrantedWithin,
        name: EnvironmentName,
        use: (environment: Environment) => Effect.Effect<A, E, R>
      ): Effect.Effect<A, E | EnvironmentMissing | AccessDenied | StoreError, R> =>
        Effect.gen(function* () {
          if (granted.readable._tag === "Whole")
            return yield* use((yield* find(granted, name)).environment)
          yield* Effect.flatMap(
            store.findByName({ org: granted.orgId, name }),
            present(granted, name)
          )
          const { environment } = yield* find(granted, name)
          const found = yield* use(environment)
          const { id } = environment
          yield* reaches.permit(
            granted,
            { kind: "environment", id },
            () => new EnvironmentNotFound({ org: granted.org, environment: name })
          )
          return found
        })

      /** Reads once no environment is pending; those that are behind stay so. */
      const settled = <A>(org: OrgId, read: Effect.Effect<A, StoreError>) =>
        Effect.flatMap(
          Effect.provideService(store.listPending(org), DamagedRecords, []),
          (pending) =>
            pending.length === 0 ? read : Effect.zipRight(strictly(reevaluations.drain(org)), read)
        )

      /** The active environments that pass the query: one page of them, or all. */
      const select = (
        org: OrgId,
        query: EnvironmentList.EnvironmentQuery,
        page: Option.Option<Page>
      ): Effect.Effect<Paged<Environment>, StoreError> =>
        Option.match(page, {
          onSome: (asked) => settled(org, store.page(org, query, asked)),
          onNone: () =>
            Effect.map(settled(org, store.list(org, undefined, query.within)), (found) => {
              const items = EnvironmentList.select(found, query)
              return { items, total: items.length }
            })
        })

      return { find, read, select } as const
    })
  }
) {}
