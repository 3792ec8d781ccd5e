/** The statements about deployments and builds whose cost is bounded. */
import { ReadModels } from "@attestry/core/ReadModels"
import * as Timestamp from "@attestry/core/Timestamp"
import { Effect } from "effect"
import { fingerprint, middle, page, repo, type Statements } from "./Statement.js"

const ALWAYS = { from: Timestamp.fromMicros(0), to: Timestamp.fromMicros(1_000_000) }

/** Reads about as much from a large org as from a small one. */
export const FLAT: Statements = {
  "a deployment": ({ long, size }) =>
    Effect.flatMap(ReadModels, (store) =>
      store.deployment(long.org, { environment: long.environment, index: size / 2, position: 2 })
    ),
  "deployments of an org": ({ org }) =>
    Effect.flatMap(ReadModels, (store) => store.deployments(org.id, {}, page)),
  "deployments of an environment": ({ org, long }) =>
    Effect.flatMap(ReadModels, (store) =>
      store.deployments(org.id, { environments: [long.environment] }, page)
    ),
  "deployments of a flow": ({ org, flow }) =>
    Effect.flatMap(ReadModels, (store) => store.deployments(org.id, { flow: flow.id }, page)),
  "deployments of a fingerprint": ({ org }) =>
    Effect.flatMap(ReadModels, (store) =>
      store.deployments(org.id, { fingerprint: fingerprint(7) }, page)
    ),
  "deployments of a window": ({ org, size }) =>
    Effect.flatMap(ReadModels, (store) => store.deployments(org.id, middle(size), page)),
  "deployments of a repository": (world) =>
    Effect.flatMap(ReadModels, (store) =>
      store.deployments(world.org.id, { repos: [repo(world, 1)] }, page)
    ),
  "deployments of repositories to environments": (world) =>
    Effect.flatMap(ReadModels, (store) =>
      store.deployments(
        world.org.id,
        {
          repos: [repo(world, 1), repo(world, 2)],
          environments: [world.long.environment, world.wide.environment],
          ...middle(world.size)
        },
        page
      )
    ),
  "the newest deployment of a fingerprint to an environment": ({ org, long }) =>
    Effect.flatMap(ReadModels, (store) =>
      store.newestDeployment(org.id, {
        environments: [long.environment],
        fingerprint: fingerprint(7)
      })
    ),
  "the newest deployment of a flow": ({ org, flow }) =>
    Effect.flatMap(ReadModels, (store) => store.newestDeployment(org.id, { flow: flow.id })),
  "builds of an org": ({ org }) =>
    Effect.flatMap(ReadModels, (store) => store.builds(org.id, ALWAYS, page)),
  "builds of a repository": (world) =>
    Effect.flatMap(ReadModels, (store) =>
      store.builds(world.org.id, { ...ALWAYS, repos: [repo(world, 1)] }, page)
    )
}

/** Reads at most in proportion to the rows that it answers or goes through. */
export const LINEAR: Statements = {
  "the deployments of a repository as series": (world) =>
    Effect.flatMap(ReadModels, (store) =>
      store.deploymentSeries(world.org.id, repo(world, 1), middle(world.size))
    ),
  "what of a repository runs": (world) =>
    Effect.flatMap(ReadModels, (store) => store.liveRows(world.org.id, repo(world, 1))),
  "the instants of builds": ({ org }) =>
    Effect.flatMap(ReadModels, (store) => store.buildInstants(org.id, ALWAYS))
}
