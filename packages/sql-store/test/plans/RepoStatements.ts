/** The statements about repositories whose cost is bounded. */
import { RepoStore } from "@attestry/core/RepoStore"
import { Effect } from "effect"
import { page, repo, type Statements } from "./Statement.js"

/** Reads about as much from a large org as from a small one. */
export const FLAT: Statements = {
  "repositories by id": (world) =>
    Effect.flatMap(RepoStore, (store) =>
      store.listByIds(world.org.id, [repo(world, 1), repo(world, 7)])
    ),
  "repositories of a host": ({ org }) =>
    Effect.flatMap(RepoStore, (store) =>
      store.list(org.id, { vcsInstance: "git1.example.org", tags: [], direction: "asc" }, page)
    ),
  "repositories of a namespace": ({ org }) =>
    Effect.flatMap(RepoStore, (store) =>
      store.list(org.id, { namespace: ["team1"], tags: [], direction: "asc" }, page)
    ),
  "a repository by its provider's id": ({ org }) =>
    Effect.flatMap(RepoStore, (store) =>
      store.list(org.id, { repoId: "7", tags: [], direction: "asc" }, page)
    ),
  repositories: ({ org }) =>
    Effect.flatMap(RepoStore, (store) => store.list(org.id, { tags: [], direction: "asc" }, page)),
  "a repository by its name": ({ org }) =>
    Effect.flatMap(RepoStore, (store) =>
      store.find({ org: org.id, provider: "github", repoId: null, name: "team/repo-7" })
    )
}

/** Reads at most in proportion to the rows that it answers or goes through. */
export const LINEAR: Statements = {
  "the values to filter repositories by": ({ org }) =>
    Effect.flatMap(RepoStore, (store) => store.filterOptions(org.id, { tags: [] })),
  "the tags of repositories": ({ org }) =>
    Effect.flatMap(RepoStore, (store) => store.listTags(org.id))
}
