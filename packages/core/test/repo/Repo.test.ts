/** Both spellings of a provider name one repository, and a report without an id identifies its repository by name. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Repo from "../../src/repo/Repo.js"
import * as RepoProvider from "../../src/repo/RepoProvider.js"
import type { RepoInfo } from "../../src/shared/GitCommit.js"
import { OrgId, RepoId } from "../../src/shared/Identifier.js"
import * as Timestamp from "../../src/shared/Timestamp.js"

const at = Timestamp.fromMillis(0)
const create = (info: RepoInfo) =>
  Repo.create(info, { org: OrgId.make("o"), id: RepoId.make("r"), at })

const info: FastCheck.Arbitrary<RepoInfo> = FastCheck.record(
  {
    id: FastCheck.constantFrom<Array<string | null>>("1", "2", null),
    name: FastCheck.constantFrom("team/a", "team/b"),
    url: FastCheck.constantFrom("https://git.example.org/a", ""),
    provider: FastCheck.constantFrom<Array<string | null>>(
      ...[null, "", "own", ...RepoProvider.PROVIDERS, ...RepoProvider.ALIASES.keys()]
    )
  },
  { requiredKeys: ["name", "url"] }
)

describe("RepoProvider", () => {
  it("has a neutral word for each alias, which is no alias itself", () => {
    for (const [alias, word] of RepoProvider.ALIASES) {
      assert.strictEqual(RepoProvider.neutral(alias), word)
      assert.strictEqual(RepoProvider.neutral(word), word)
      assert.strictEqual(RepoProvider.aliasOf(alias), alias)
      assert.isNull(RepoProvider.aliasOf(word))
      assert.notInclude<string>(RepoProvider.PROVIDERS, alias)
    }
  })
})

describe("Repo", () => {
  it.prop("is created as its report says, and is then known", { info }, ({ info: given }) => {
    const repo = create(given)
    assert.strictEqual(Repo.shownProvider(repo), given.provider ?? "")
    assert.strictEqual(repo.repo_id, given.id ?? null)
    assert.isTrue(Repo.isKnown(repo, given))
    assert.deepStrictEqual(Repo.revise(repo, given, at), repo)
  })

  it.prop("is the same under both spellings of its provider", { info }, ({ info: given }) => {
    const neutral = { ...given, provider: RepoProvider.neutral(given.provider ?? "") }
    assert.deepStrictEqual(Repo.keyOf(given), Repo.keyOf(neutral))
    assert.isTrue(Repo.isKnown(create(given), neutral))
    assert.isTrue(Repo.isKnown(create(neutral), given))
  })

  it.prop("keeps its identity when a report changes it", { a: info, b: info }, ({ a, b }) => {
    const before = create(a)
    const { repo_id, provider, provider_alias, name, url } = Repo.revise(before, b, at)
    assert.deepStrictEqual(
      [repo_id, provider, provider_alias],
      [before.repo_id, before.provider, before.provider_alias]
    )
    assert.deepStrictEqual([name, url], [b.name, b.url])
  })
})
