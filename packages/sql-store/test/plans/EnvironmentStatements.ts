/** The statements about environments and staleness whose cost is bounded. */
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import * as Identifier from "@attestry/core/Identifier"
import { Invalidation } from "@attestry/core/Invalidation"
import * as Timestamp from "@attestry/core/Timestamp"
import { Transaction } from "@attestry/core/Transaction"
import { Effect } from "effect"
import { fingerprint, page, type Statements } from "./Statement.js"

/** An event on a trail, together with the environments that it makes stale. */
const event = {
  trail_id: Identifier.TrailId.make("trail-1"),
  sequence: 1,
  template_id: Identifier.TemplateId.make("template-1"),
  status: "COMPLIANT",
  at: Timestamp.fromMicros(1)
}

/** Reads about as much from a large org as from a small one. */
export const FLAT: Statements = {
  "an environment by its name": ({ org }) =>
    Effect.flatMap(EnvironmentStore, (store) =>
      store.findByName({ org: org.id, name: Identifier.EnvironmentName.make("long") })
    ),
  "locking an environment with a long history": ({ org, long }) =>
    Effect.flatMap(EnvironmentStore, (store) =>
      store.lock({ org: org.id, environment: long.environment })
    ),
  "environments whose evaluation is due": ({ org }) =>
    Effect.flatMap(EnvironmentStore, (store) => store.listPending(org.id)),
  "environments of an org, a page": ({ org }) =>
    Effect.flatMap(EnvironmentStore, (store) => store.page(org.id, {}, page)),
  "environments of an org by their last change, a page": ({ org }) =>
    Effect.flatMap(EnvironmentStore, (store) =>
      store.page(org.id, { sort: "last_changed_at", descending: true }, page)
    ),
  "physical environments of an org, a page": ({ org }) =>
    Effect.flatMap(EnvironmentStore, (store) => store.page(org.id, { physical: true }, page)),
  "environments by the policies that they enforce": ({ org }) =>
    Effect.flatMap(EnvironmentStore, (store) =>
      store.countEnforcing(org.id, [[Identifier.PolicyId.make("policy-1")], []])
    ),
  "marking environments that run a content": ({ org }) =>
    Effect.flatMap(Invalidation, (store) =>
      store.invalidateRunning(org.id, [fingerprint(3)], event)
    )
}

/** Reads at most in proportion to the rows that it answers or goes through. */
export const LINEAR: Statements = {
  "locking a large environment": ({ org, wide }) =>
    Effect.flatMap(EnvironmentStore, (store) =>
      store.lock({ org: org.id, environment: wide.environment })
    ),
  "environments whose next report must be evaluated": ({ org }) =>
    Effect.flatMap(EnvironmentStore, (store) => store.listStale(org.id)),
  "marking environments that run many contents": ({ org, size }) =>
    Effect.flatMap(Transaction, ({ run }) =>
      run(org.id, () =>
        Effect.flatMap(Invalidation, (store) =>
          store.invalidateRunning(
            org.id,
            Array.from({ length: size }, (_, index) => fingerprint(index + 1)),
            event
          )
        )
      )
    ),
  "environments of an org": ({ org }) =>
    Effect.flatMap(EnvironmentStore, (store) => store.list(org.id))
}
