import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { FastCheck, Option, Schema } from "effect"
import type { Fingerprint } from "../../src/artifact/Fingerprint.js"
import * as DeploymentDiff from "../../src/snapshot/DeploymentDiff.js"
import * as Reports from "../../testing/EnvironmentReport.js"

const start: FastCheck.Arbitrary<DeploymentDiff.Start> = FastCheck.record({
  snapshotIndex: FastCheck.integer({ min: 1, max: 6 }),
  name: FastCheck.constantFrom("shop", "web"),
  fingerprint: Reports.fingerprint,
  flow: FastCheck.constantFrom("build", "release"),
  slot: FastCheck.constantFrom("shop", "web")
})
const starts = FastCheck.array(start, { maxLength: 12 })
const { commitLeadTime, diffUrl, predecessor } = DeploymentDiff

describe("DeploymentDiff: predecessor", () => {
  it.prop(
    "DEPLOY-2: another fingerprint, same flow and slot, started before",
    { starts, current: start },
    (given) => {
      const found = predecessor(given.starts, given.current)
      const fitting = given.starts.filter(
        ({ snapshotIndex, fingerprint, flow, slot }) =>
          snapshotIndex < given.current.snapshotIndex &&
          fingerprint !== given.current.fingerprint &&
          flow === given.current.flow &&
          slot === given.current.slot
      )
      assert.strictEqual(Option.isSome(found), fitting.length > 0)
      if (Option.isNone(found)) return
      assert.strictEqual(fitting.includes(found.value), true)
      assert.strictEqual(
        found.value.snapshotIndex,
        Math.max(...fitting.map(({ snapshotIndex }) => snapshotIndex))
      )
    }
  )

  it.prop("does not depend on the order of the history", { starts, current: start }, (given) =>
    assert.deepStrictEqual(
      predecessor([...given.starts].reverse(), given.current),
      predecessor(given.starts, given.current)
    )
  )

  const [a, b, c] = Reports.fingerprints
  const at = (
    snapshotIndex: number,
    fingerprint: Fingerprint,
    over: Partial<DeploymentDiff.Start> = {}
  ) => ({
    snapshotIndex,
    name: "shop",
    fingerprint,
    flow: "build",
    slot: "shop",
    ...over
  })

  it("is the newest of several, and a restart makes an old one the newest", () => {
    const history = [at(1, a), at(2, b), at(4, a)]
    deepStrictEqual(predecessor(history, at(3, c)), Option.some(at(2, b)))
    deepStrictEqual(predecessor(history, at(5, c)), Option.some(at(4, a)))
  })

  it("is none for the first, for the same fingerprint, in another slot and in another flow", () => {
    deepStrictEqual(predecessor([], at(1, a)), Option.none())
    deepStrictEqual(predecessor([at(1, a)], at(2, a)), Option.none())
    deepStrictEqual(predecessor([at(1, a, { slot: "web" })], at(2, b)), Option.none())
    deepStrictEqual(predecessor([at(1, a, { flow: "release" })], at(2, b)), Option.none())
    deepStrictEqual(predecessor([at(2, a)], at(2, b)), Option.none())
  })

  it("of two that started together the first by name", () => {
    const history = [at(1, b, { name: "web" }), at(1, a, { name: "api" })]
    deepStrictEqual(predecessor(history, at(2, c)), Option.some(at(1, a, { name: "api" })))
  })
})

describe("DeploymentDiff: addresses and times", () => {
  const url = (repo: DeploymentDiff.ComparableRepo | null, previous: string | null = "p") =>
    diffUrl({ repo, previous, current: "c" })

  it.each([
    [{ url: "https://github.com/acme/shop" }, "https://github.com/acme/shop/compare/p...c"],
    [{ url: "https://github.com/acme/shop.git/" }, "https://github.com/acme/shop/compare/p...c"],
    [{ url: "https://gitlab.com/acme/shop" }, "https://gitlab.com/acme/shop/-/compare/p...c"],
    [
      { url: "https://code.example.org/acme/shop", provider: "gitlab" },
      "https://code.example.org/acme/shop/-/compare/p...c"
    ],
    [
      { url: "https://gitlab.com/acme/shop", provider: "github" },
      "https://gitlab.com/acme/shop/compare/p...c"
    ],
    [
      { url: "https://notgitlab.com/acme/shop", provider: null },
      "https://notgitlab.com/acme/shop/compare/p...c"
    ],
    [{ url: "" }, null],
    [{ url: "git@github.com:acme/shop.git" }, null],
    [{ url: "javascript:alert(1)" }, null],
    [{ url: "https://example.org/a b" }, null],
    [{ url: "https://example.org/a?b=" }, null]
  ])("%j is compared at %s", (repo, expected) => assert.strictEqual(url(repo), expected))

  it("is null when the repository or a commit is unknown", () => {
    const repo = { url: "https://github.com/acme/shop" }
    assert.strictEqual(url(null), null)
    assert.strictEqual(url(repo, null), null)
    assert.strictEqual(diffUrl({ repo, previous: "p", current: null }), null)
  })

  it("compares a commit with itself", () =>
    assert.strictEqual(url({ url: "https://h/r" }, "c"), "https://h/r/compare/c...c"))

  it.prop(
    "DEPLOY-1: the lead time is from the commit to the earliest instance",
    {
      times: FastCheck.array(Reports.creationTimestamp, { minLength: 1 }),
      committedAt: FastCheck.integer({ min: 1_777_550_000, max: 1_777_560_000 })
    },
    ({ times, committedAt }) =>
      assert.strictEqual(
        (commitLeadTime(times, committedAt) ?? Number.NaN) + committedAt,
        Math.min(...times)
      )
  )

  it("keeps negative lead times and has none without a commit time", () => {
    assert.strictEqual(commitLeadTime([1_777_550_809, 1_777_550_805], 1_777_547_604), 3201)
    assert.strictEqual(commitLeadTime([5], 7.5), -2.5)
    assert.strictEqual(commitLeadTime([5], null), null)
    assert.strictEqual(commitLeadTime([], 7), null)
  })

  it("has the fields of the specification", () =>
    assert.deepStrictEqual(
      Object.keys(Schema.Struct(DeploymentDiff.DeploymentDiff.fields).fields),
      [
        "diff_url",
        "previous_git_commit",
        "previous_git_commit_url",
        "previous_fingerprint",
        "previous_artifact_name",
        "previous_artifact_compliance_state",
        "previous_running",
        "previous_trail_name",
        "previous_template_reference_name"
      ]
    ))
})
