/** The statements about flows and trails whose cost is bounded. */
import { FlowStore } from "@attestry/core/FlowStore"
import * as Identifier from "@attestry/core/Identifier"
import { TrailStore } from "@attestry/core/TrailStore"
import { Transaction } from "@attestry/core/Transaction"
import { Effect, Option } from "effect"
import { fingerprint, page, type Statements, trail } from "./Statement.js"
import * as World from "./World.js"

/** Reads about as much from a large org as from a small one. */
export const FLAT: Statements = {
  "a slice of the trails of a flow": ({ org, flow }) =>
    Effect.flatMap(TrailStore, (store) =>
      store.slice({ org: org.id, flow: flow.id, after: Option.none(), limit: 20 })
    ),
  "a trail by its name": ({ org, flow }) =>
    Effect.flatMap(TrailStore, (store) =>
      store.findByName({ org: org.id, flow: flow.id, name: Identifier.TrailName.make("run-7") })
    ),
  "trails by their ids": (world) =>
    Effect.flatMap(TrailStore, (store) =>
      store.listByIds(world.org.id, [trail(world, 3), trail(world, 4)])
    ),
  "locking a trail": ({ org }) =>
    Effect.flatMap(Transaction, ({ run }) =>
      run(org.id, () =>
        Effect.flatMap(TrailStore, (store) =>
          store.lockWithFlow({
            org: org.id,
            flow: Identifier.FlowName.make("build"),
            name: Identifier.TrailName.make("run-7")
          })
        )
      )
    ),
  "trails of an org": ({ org }) =>
    Effect.flatMap(TrailStore, (store) => store.list(org.id, {}, page)),
  "trails of a flow": ({ org, flow }) =>
    Effect.flatMap(TrailStore, (store) => store.list(org.id, { flow: flow.id }, page)),
  "trails of a flow by status": ({ org, flow }) =>
    Effect.flatMap(TrailStore, (store) =>
      store.list(org.id, { flow: flow.id, status: "COMPLIANT" }, page)
    ),
  "trails with a fingerprint": ({ org }) =>
    Effect.flatMap(TrailStore, (store) =>
      store.list(org.id, { fingerprint: fingerprint(7) }, page)
    ),
  "trails of a commit": ({ org }) =>
    Effect.flatMap(TrailStore, (store) =>
      store.listByCommit(org.id, Identifier.CommitSha.make(World.commitOf(7)), page)
    ),
  "a flow by its name": ({ org }) =>
    Effect.flatMap(FlowStore, (store) =>
      store.findByName({ org: org.id, name: Identifier.FlowName.make("build") })
    ),
  "flows by latest activity": ({ org }) =>
    Effect.flatMap(FlowStore, (store) =>
      store.list(org.id, { sort: "latest_activity", direction: "desc" }, Option.some(page))
    ),
  "flows that were never active": ({ org }) =>
    Effect.flatMap(FlowStore, (store) =>
      store.list(org.id, { sort: "latest_activity", direction: "asc" }, Option.some(page))
    ),
  "flows by name": ({ org }) =>
    Effect.flatMap(FlowStore, (store) =>
      store.list(org.id, { sort: "name", direction: "asc" }, Option.some(page))
    )
}

/** Reads at most in proportion to the rows that it answers or goes through. */
export const LINEAR: Statements = {
  "trails of a flow by a part of the name": ({ org, flow }) =>
    Effect.flatMap(TrailStore, (store) =>
      store.list(org.id, { flow: flow.id, search: "run-7" }, page)
    )
}
