/** Repositories that are looked up at the same time are read together, each for its own request. */
import { RepoStore } from "@attestry/core/RepoStore"
import { Transaction } from "@attestry/core/Transaction"
import * as Fixture from "@attestry/core/testing/Fixture"
import { assert, layer } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Effect, Option } from "effect"
import * as PgLayer from "../shared/PgLayer.js"

layer(PgLayer.layer, { excludeTestServices: true })("RepoStoreSql", (it) => {
  it.effect("finds each of several repositories, and none that is not there", () =>
    Effect.gen(function* () {
      const org = yield* Fixture.org
      const store = yield* RepoStore
      const { run } = yield* Transaction
      const ids = Array.from({ length: 20 }, (_, index) => `repo "${index}"`)
      const repos = yield* Effect.forEach(ids, (repo_id) =>
        Effect.map(Fixture.newRepo(org), (repo) => ({ ...repo, repo_id }))
      )
      yield* Effect.forEach(repos, (repo) => store.insert(repo))
      const find = ({ provider, repo_id, name }: (typeof repos)[number]) =>
        store.find({ org: org.id, provider, repoId: repo_id, name })
      const missing = store.find({ org: org.id, provider: "github", repoId: "missing", name: "" })
      const found = yield* Effect.all([...repos.map(find), missing], { concurrency: "unbounded" })
      deepStrictEqual(found, [...repos.map(Option.some), Option.none()])
      const [first] = repos
      if (first === undefined) return assert.fail("no repository")
      const inside = yield* run(org.id, () => find(first))
      deepStrictEqual(inside, Option.some(first))
    })
  )
})
