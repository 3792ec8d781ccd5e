/** The contract of `RepoStore`. */
import { RepoId } from "@attestry/core/Identifier"
import type { Ports } from "@attestry/core/Ports"
import { type Repo, vcsInstance } from "@attestry/core/Repo"
import { RepoStore } from "@attestry/core/RepoStore"
import { TrailStore } from "@attestry/core/TrailStore"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { jsonObject, text, timestamp } from "../arbitrary/Text.js"
import * as Fixture from "../Fixture.js"
import { type SuiteOptions, suite } from "../Suite.js"

const keyOf = ({ org_id, provider, repo_id, name }: Repo) => ({
  org: org_id,
  provider,
  repoId: repo_id,
  name
})

const content = FastCheck.record({
  repo_id: FastCheck.option(text),
  name: text,
  url: text,
  provider: text,
  provider_alias: FastCheck.option(text),
  description: FastCheck.option(text),
  namespace_path: FastCheck.option(FastCheck.array(text, { maxLength: 3 })),
  additional_info: FastCheck.option(jsonObject),
  tags: FastCheck.constantFrom({}, { team: "é" }),
  created_at: timestamp
})

/** URLs with users, ports, capitals, letters of other alphabets, and parts that are missing. */
const hostUrl = FastCheck.tuple(
  FastCheck.constantFrom("https://", "SSH://", "git+ssh://", "://", "1://", "http:/"),
  FastCheck.constantFrom("", "git@", "a:b@c@", "@"),
  FastCheck.constantFrom("Git.Example.org", "İ.org", "[::1]", "é".repeat(256), "é".repeat(255), ""),
  FastCheck.constantFrom("", ":8443", ":", "@"),
  FastCheck.constantFrom("", "/a@b", "?q", "#f", "\n")
).map((parts) => parts.join(""))
/** Repositories of few names, so that identities collide. */
const named = FastCheck.record({
  repo_id: FastCheck.constantFrom(null, "1", "2"),
  name: FastCheck.constantFrom("a", "b"),
  provider: FastCheck.constantFrom("", "github"),
  created_at: FastCheck.constantFrom(Fixture.AT, Fixture.LATER)
})

const isSame = (left: Repo, right: Repo): boolean =>
  left.provider === right.provider &&
  left.repo_id === right.repo_id &&
  (left.repo_id !== null || left.name === right.name)

const isOlder = (left: Repo, right: Repo): boolean =>
  left.created_at < right.created_at || (left.created_at === right.created_at && left.id < right.id)

/** States the contract of `RepoStore`. */
export const repoStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`RepoStore (${name})`, ports, options, (it) => {
    it.effect.prop(
      "returns every repository unchanged",
      { content },
      ({ content }) =>
        Effect.gen(function* () {
          const store = yield* RepoStore
          const repo: Repo = { ...(yield* Fixture.newRepo(yield* Fixture.org)), ...content }
          deepStrictEqual(yield* store.find(keyOf(repo)), Option.none())
          assert.strictEqual(yield* store.insert(repo), true)
          deepStrictEqual(yield* store.find(keyOf(repo)), Option.some(repo))
          deepStrictEqual(yield* store.find({ org: repo.org_id, id: repo.id }), Option.some(repo))
          deepStrictEqual(
            yield* store.find({ org: repo.org_id, id: repo.id }, { lock: true }),
            Option.some(repo)
          )
          deepStrictEqual(yield* store.listByName(repo.org_id, repo.name), [repo])
        }),
      { fastCheck: { numRuns: 25 } }
    )

    it.effect("adds nothing when the provider's id exists, and replaces by our id", () =>
      Effect.gen(function* () {
        const store = yield* RepoStore
        const repo = yield* Fixture.newRepo(yield* Fixture.org)
        yield* store.insert(repo)
        const twin = { ...repo, id: RepoId.make("twin"), name: "other" }
        assert.strictEqual(yield* store.insert(twin), false)
        const next = { ...repo, name: "moved", tags: { a: "b" }, last_modified_at: Fixture.LATER }
        yield* store.update(next)
        deepStrictEqual(yield* store.find(keyOf(repo), { lock: true }), Option.some(next))
      })
    )

    it.effect("finds without an id the one of that provider and name that was created last", () =>
      Effect.gen(function* () {
        const store = yield* RepoStore
        const org = yield* Fixture.org
        const made = (repo_id: string | null, change: Partial<Repo>) =>
          Effect.map(Fixture.newRepo(org), (repo): Repo => ({ ...repo, repo_id, ...change }))
        const bare = yield* made(null, { created_at: Fixture.AT })
        const key = keyOf(bare)
        const numbered = yield* made("17", { created_at: Fixture.LATER })
        const elsewhere = [
          yield* made("18", { provider: "gitlab", created_at: Fixture.LATER }),
          yield* made("19", { name: "team/other", created_at: Fixture.LATER }),
          yield* made(null, { provider: "gitlab", created_at: Fixture.LATER })
        ]
        for (const repo of elsewhere) assert.strictEqual(yield* store.insert(repo), true)
        deepStrictEqual(yield* store.find(key), Option.none())
        assert.strictEqual(yield* store.insert(bare), true)
        assert.strictEqual(yield* store.insert({ ...bare, id: RepoId.make("twin") }), false)
        deepStrictEqual(yield* store.find(key), Option.some(bare))
        assert.strictEqual(yield* store.insert(numbered), true)
        deepStrictEqual(yield* store.find(key), Option.some(numbered))
        deepStrictEqual(yield* store.find(key, { lock: true }), Option.some(numbered))
        const next = { ...bare, url: "https://git.example.org/moved", tags: { a: "b" } }
        yield* store.update(next)
        deepStrictEqual(yield* store.find({ org: org.id, id: bare.id }), Option.some(next))
        deepStrictEqual(yield* store.find(keyOf(numbered)), Option.some(numbered))
      })
    )

    it.effect.prop(
      "agrees with a list about which identities exist, and which report belongs where",
      { given: FastCheck.array(named, { maxLength: 8 }) },
      ({ given }) =>
        Effect.gen(function* () {
          const store = yield* RepoStore
          const org = yield* Fixture.org
          const kept: Array<Repo> = []
          for (const content of given) {
            const repo: Repo = { ...(yield* Fixture.newRepo(org)), ...content }
            const isNew = !kept.some((known) => isSame(known, repo))
            assert.strictEqual(yield* store.insert(repo), isNew)
            if (isNew) kept.push(repo)
          }
          for (const { provider, name, repo_id } of given) {
            const ofName = kept.filter((repo) => repo.provider === provider && repo.name === name)
            const last = ofName.reduce<Repo | undefined>(
              (best, next) => (best === undefined || isOlder(best, next) ? next : best),
              undefined
            )
            const key = { org: org.id, provider, repoId: null, name }
            deepStrictEqual(yield* store.find(key), Option.fromNullable(last))
            deepStrictEqual(yield* store.find(key, { lock: true }), Option.fromNullable(last))
            const numbered = kept.find(
              (repo) => repo.provider === provider && repo.repo_id === repo_id
            )
            if (repo_id !== null) {
              const found = yield* store.find({ ...key, repoId: repo_id })
              deepStrictEqual(found, Option.fromNullable(numbered))
            }
          }
        }),
      { fastCheck: { numRuns: 25 } }
    )

    it.effect("keeps the latest activity, in any order of calls", () =>
      Effect.gen(function* () {
        const store = yield* RepoStore
        const repo = yield* Fixture.newRepo(yield* Fixture.org)
        yield* store.touch(repo, Fixture.LATER)
        deepStrictEqual(yield* store.find(keyOf(repo)), Option.none())
        yield* store.insert(repo)
        const active = { ...repo, latest_activity_at: Fixture.LATER }
        for (const at of [Fixture.LATER, Fixture.AT]) {
          yield* store.touch(repo, at)
          deepStrictEqual(yield* store.find(keyOf(repo)), Option.some(active))
        }
      })
    )

    it.effect("pages by name, and filters by every condition", () =>
      Effect.gen(function* () {
        const store = yield* RepoStore
        const org = yield* Fixture.org
        for (const [index, named] of ["b/x", "a/X", "c"].entries()) {
          const fresh = yield* Fixture.newRepo(org, String(index))
          yield* store.insert({ ...fresh, name: named, tags: { n: String(index) } })
        }
        const names = (query: Partial<Parameters<typeof store.list>[1]>, page = 1) =>
          Effect.map(
            store.list(org.id, { tags: [], direction: "asc", ...query }, { page, perPage: 2 }),
            ({ items, total }) => [items.map((repo) => repo.name), total]
          )
        assert.deepStrictEqual(yield* names({}), [["a/X", "b/x"], 3])
        assert.deepStrictEqual(yield* names({}, 2), [["c"], 3])
        assert.deepStrictEqual(yield* names({ direction: "desc" }), [["c", "b/x"], 3])
        assert.deepStrictEqual(yield* names({ search: "X" }), [["a/X", "b/x"], 2])
        assert.deepStrictEqual(yield* names({ name: "c", repoId: "2" }), [["c"], 1])
        assert.deepStrictEqual(yield* names({ tags: [{ key: "n" }, { key: "n", value: "0" }] }), [
          ["b/x"],
          1
        ])
      })
    )

    it.effect.prop(
      "filters by what `vcsInstance` says of a URL, whatever the URL is",
      { url: FastCheck.oneof(text, hostUrl) },
      ({ url }) =>
        Effect.gen(function* () {
          const store = yield* RepoStore
          const org = yield* Fixture.org
          yield* store.insert({ ...(yield* Fixture.newRepo(org)), url })
          const host = vcsInstance(url)
          const all = { tags: [], direction: "asc" as const }
          const page = { page: 1, perPage: 2 }
          const { vcsInstances } = yield* store.filterOptions(org.id, { tags: [] })
          assert.deepStrictEqual(vcsInstances, host === null ? [] : [host])
          const { total } = yield* store.list(org.id, { ...all, vcsInstance: host ?? "" }, page)
          assert.strictEqual(total, host === null ? 0 : 1)
        }),
      { fastCheck: { numRuns: 40 } }
    )

    it.effect("gives the values to filter by, the tags, and repositories by id", () =>
      Effect.gen(function* () {
        const store = yield* RepoStore
        const org = yield* Fixture.org
        const made = yield* Effect.forEach(
          [
            { provider: "github", namespace_path: ["a", "b"], tags: { t: "2", s: "1" } },
            { provider: "gitlab", namespace_path: ["a", "c"], tags: { t: "2" } },
            { provider: "", namespace_path: null, tags: { t: "10" } }
          ],
          (more, index) =>
            Effect.map(Fixture.newRepo(org, String(index)), (fresh) => ({ ...fresh, ...more }))
        )
        yield* Effect.forEach(made, (repo) => store.insert(repo))
        const [host] = [vcsInstance(made[0]?.url ?? "") ?? ""]
        const filter = { tags: [{ key: "t", value: "2" }] }
        assert.deepStrictEqual(yield* store.filterOptions(org.id, filter), {
          providers: ["github", "gitlab"],
          vcsInstances: [host],
          namespaceValues: ["a"]
        })
        assert.deepStrictEqual(
          yield* store.filterOptions(org.id, { ...filter, provider: "gitlab", namespace: ["a"] }),
          { providers: ["github", "gitlab"], vcsInstances: [host], namespaceValues: ["c"] }
        )
        assert.deepStrictEqual(yield* store.listTags(org.id), [
          { key: "s", value: "1" },
          { key: "t", value: "10" },
          { key: "t", value: "2" }
        ])
        const ids = made.slice(1).map(({ id }) => id)
        const found = yield* store.listByIds(org.id, [...ids, RepoId.make("unknown")])
        assert.sameDeepMembers([...found], made.slice(1))
        assert.deepStrictEqual(yield* store.listByIds(org.id, []), [])
        const foreign = yield* Fixture.org
        assert.deepStrictEqual(yield* store.listByIds(foreign.id, ids), [])
        assert.deepStrictEqual(yield* store.listTags(foreign.id), [])
      })
    )

    it.effect("gives only what the trails of some flows name: AC-8", () =>
      Effect.gen(function* () {
        const [store, trails] = [yield* RepoStore, yield* TrailStore]
        const org = yield* Fixture.org
        const repos = yield* Effect.forEach(["a", "b", "c"], (name, index) =>
          Effect.map(Fixture.newRepo(org, String(index)), (fresh) => ({
            ...fresh,
            name,
            provider: name,
            namespace_path: [name],
            tags: { [name]: name }
          }))
        )
        yield* Effect.forEach(repos, (repo) => store.insert(repo))
        const [a, b] = repos.map(({ id }) => id)
        if (a === undefined || b === undefined) return yield* Effect.dieMessage("three")
        const [one, two] = [yield* Fixture.flow(org, "one"), yield* Fixture.flow(org, "two")]
        const first = yield* Fixture.trail(one, "t1")
        // Named one after another, and by a trail that begins with it.
        yield* trails.update({ ...first, repo_ids: [a] })
        yield* trails.update({ ...first, repo_ids: [a, b] })
        yield* trails.insert({ ...(yield* Fixture.newTrail(two, "t2")), repo_ids: [b] })
        const all = { tags: [], direction: "desc" as const }
        for (const [flows, wanted] of [
          [undefined, repos],
          [[one.id], repos.slice(0, 2)],
          [[two.id], repos.slice(1, 2)],
          [[one.id, two.id], repos.slice(0, 2)],
          [[], []]
        ] as const) {
          const filter = flows === undefined ? {} : { flows }
          const names = wanted.map(({ name }) => name)
          const { items, total } = yield* store.list(
            org.id,
            { ...all, ...filter },
            { page: 1, perPage: 2 }
          )
          assert.deepStrictEqual(
            [items.map((repo) => repo.name), total],
            [[...names].reverse().slice(0, 2), names.length]
          )
          const options = yield* store.filterOptions(org.id, { tags: [], ...filter })
          assert.deepStrictEqual([options.providers, options.namespaceValues], [names, names])
          const tags = yield* store.listTags(org.id, filter)
          assert.deepStrictEqual(
            tags.map(({ key }) => key),
            names
          )
          for (const repo of repos) {
            const expected = wanted.filter(({ id }) => id === repo.id)
            assert.deepStrictEqual(yield* store.listByName(org.id, repo.name, filter), expected)
            assert.deepStrictEqual(yield* store.listByIds(org.id, [repo.id], filter), expected)
          }
        }
      })
    )
  })
