/** Who wrote a pull request, and who approved it without having written it. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as PullRequestFacts from "../../src/attestation/PullRequestFacts.js"
import * as Model from "../../testing/internal/model/PullRequestFactsModel.js"

const NAMES = ["ada", "Max", "eve", "robot", "max@example.org"] as const
const PEOPLE = [
  "Ada <ada@example.org>",
  "Max <MAX@example.org>",
  "Agent <agent@example.org>"
] as const

const name = FastCheck.constantFrom(...NAMES)
const person = FastCheck.constantFrom(...PEOPLE)

const commit = FastCheck.record(
  {
    author_username: FastCheck.constantFrom("ada", "EVE", "robot"),
    author: person,
    with: FastCheck.array(person, { maxLength: 2 })
  },
  { requiredKeys: ["with"] }
)

const review = FastCheck.record({
  username: name,
  state: FastCheck.constantFrom<Model.Review["state"]>(
    "APPROVED",
    "CHANGES_REQUESTED",
    "COMMENTED"
  ),
  timestamp: FastCheck.nat(4)
})

const pull = FastCheck.record({
  author: FastCheck.constantFrom("", "ada", "ADA", "max", "robot"),
  commits: FastCheck.array(commit, { maxLength: 3 }),
  approvers: FastCheck.array(name, { maxLength: 3 }),
  reviews: FastCheck.array(review, { maxLength: 5 })
})

const pulls = FastCheck.array(pull, { maxLength: 3 })
const agents = FastCheck.subarray(["robot", "Agent@example.org", "EVE"])

const bodyOf = (given: ReadonlyArray<Model.Pull>) => ({
  git_provider: "github",
  pull_requests: given.map((each, index) => ({
    url: `https://git.example.org/${index}`,
    state: "MERGED",
    ...each,
    commits: each.commits.map(({ with: others, ...own }, at) => ({
      sha1: at.toString(16).padStart(40, "0"),
      message: ["change", "", ...others.map((one) => `Co-Authored-By: ${one}`)].join("\n"),
      ...own
    }))
  }))
})

const factsOf = (given: ReadonlyArray<Model.Pull>, listed: ReadonlyArray<string>) =>
  PullRequestFacts.of(bodyOf(given), new Set(listed))

/** The facts of one pull request of `ada` without commits, with further members. */
const factsWith = (
  members: { readonly [name: string]: unknown },
  listed: ReadonlyArray<string> = []
) => PullRequestFacts.of({ pull_requests: [{ author: "ada", ...members }] }, new Set(listed))

const reversed = (given: ReadonlyArray<Model.Pull>): ReadonlyArray<Model.Pull> =>
  given
    .map((each) => ({
      ...each,
      commits: [...each.commits].reverse(),
      approvers: [...each.approvers].reverse(),
      reviews: [...each.reviews].reverse()
    }))
    .reverse()

const many = { fastCheck: { numRuns: 500 } }

describe("laws of the facts of pull requests", () => {
  it.prop(
    "the accounts among its people give the facts that all accounts give",
    { pulls, agents },
    ({ pulls: given, agents: listed }) => {
      const among = PullRequestFacts.among(bodyOf(given), listed)
      assert.deepStrictEqual(factsOf(given, among), factsOf(given, listed))
      assert.includeMembers(
        listed.map((account) => account.toLowerCase()),
        [...among]
      )
    },
    many
  )

  it.prop(
    "the number and the mark are those of the model",
    { pulls, agents },
    ({ pulls: given, agents: listed }) => {
      const { independent_reviewers, is_agent } = factsOf(given, listed)
      assert.strictEqual(independent_reviewers, Model.independentReviewers(given, listed))
      assert.strictEqual(is_agent, Model.isAgent(given, listed))
    },
    many
  )

  it.prop(
    "a further approver never lowers the number",
    { pulls, agents, name, at: FastCheck.nat(2) },
    ({ pulls: given, agents: listed, name: more, at }) => {
      const approved = given.map((each, index) =>
        index === at ? { ...each, approvers: [...each.approvers, more] } : each
      )
      assert.isAtLeast(
        factsOf(approved, listed).independent_reviewers,
        factsOf(given, listed).independent_reviewers
      )
    },
    many
  )

  it.prop(
    "the approval of an author or of an agent never counts",
    { pulls, agents },
    ({ pulls: given, agents: listed }) => {
      const before = factsOf(given, listed)
      const approved = given.map((each) => ({
        ...each,
        approvers: [...each.approvers, ...before.authors, ...listed]
      }))
      assert.strictEqual(
        factsOf(approved, listed).independent_reviewers,
        before.independent_reviewers
      )
    },
    many
  )

  it.prop(
    "a further author never raises the number",
    { pulls, agents, commit, at: FastCheck.nat(2) },
    ({ pulls: given, agents: listed, commit: more, at }) => {
      const grown = given.map((each, index) =>
        index === at && (each.author !== "" || each.commits.length > 0)
          ? { ...each, commits: [...each.commits, more] }
          : each
      )
      assert.isAtMost(
        factsOf(grown, listed).independent_reviewers,
        factsOf(given, listed).independent_reviewers
      )
    },
    many
  )

  it.prop(
    "order changes nothing",
    { pulls, agents },
    ({ pulls: given, agents: listed }) =>
      assert.deepStrictEqual(factsOf(reversed(given), listed), factsOf(given, listed)),
    many
  )

  it.prop(
    "case changes nothing",
    { pulls, agents },
    ({ pulls: given, agents: listed }) => {
      const louder = JSON.parse(
        JSON.stringify(bodyOf(given), (key, value) =>
          typeof value === "string" && key !== "url" ? value.toUpperCase() : value
        )
      )
      const loud = new Set(listed.map((each) => each.toUpperCase()))
      assert.deepStrictEqual(PullRequestFacts.of(louder, loud), factsOf(given, listed))
    },
    many
  )

  it.prop(
    "any JSON has facts",
    {
      body: FastCheck.dictionary(FastCheck.string(), FastCheck.jsonValue()),
      any: FastCheck.jsonValue()
    },
    ({ body, any }) => {
      const members = Object.fromEntries(
        ["author", "commits", "approvers", "reviews", "programs"].map((each) => [each, any])
      )
      for (const pull_requests of [any, [members], [{ commits: [members] }]])
        assert.isAtLeast(
          PullRequestFacts.of({ ...body, pull_requests }, new Set()).independent_reviewers,
          0
        )
    }
  )
})

describe("the facts of pull requests", () => {
  it("has no reviewer where there is no pull request", () => {
    assert.deepStrictEqual(PullRequestFacts.of({ pull_requests: [] }, new Set(["ada"])), {
      authors: [],
      approvers: [],
      independent_reviewers: 0,
      is_agent: false
    })
  })

  it("names authors by their logins, and by addresses where no login is known", () => {
    const { authors } = factsWith({
      commits: [
        { author_username: "Ada", author: "Ada <ada@example.org>" },
        {
          author: "A. L. <ADA@example.org>",
          message: "x\nCo-authored-by: Max <7+max@users.noreply.git.example>"
        },
        {
          author: "Eve <eve@example.org>",
          message: "x\nco-authored-by: Bob <bob@example.org>\r\nmore"
        }
      ]
    })
    assert.deepStrictEqual(authors, ["ada", "bob@example.org", "eve@example.org", "max"])
  })

  it("knows an account by the address that its forge gives it", () => {
    const approvers = ["max", "eve"]
    for (const address of ["12+max@users.noreply.git.example", "12-MAX@users.noreply.git.example"])
      assert.strictEqual(
        factsWith({ approvers, commits: [{ author: `M <${address}>` }] }).independent_reviewers,
        1
      )
    const elsewhere = { approvers, commits: [{ author: "M <12+max@noreply.git.example>" }] }
    assert.strictEqual(factsWith(elsewhere).independent_reviewers, 2)
  })

  it("has none where an author is not known", () => {
    const approvers = ["max"]
    assert.strictEqual(factsWith({ approvers }).independent_reviewers, 1)
    assert.strictEqual(factsWith({ approvers, author: "" }).independent_reviewers, 0)
    assert.strictEqual(
      factsWith({ approvers, commits: [{ author: " <>" }] }).independent_reviewers,
      0
    )
    const known = [{ author: "Eve <eve@example.org>" }]
    assert.strictEqual(
      factsWith({ approvers, author: "", commits: known }).independent_reviewers,
      1
    )
  })

  it.each([
    ["APPROVED", 1],
    ["approved", 1],
    ["Approved with suggestions", 1],
    ["COMMENTED", 0],
    ["CHANGES_REQUESTED", 0],
    ["requested_changes", 0],
    ["unapproved", 0],
    ["DISMISSED", 0],
    ["Waiting for author", 0],
    ["", 0]
  ])("reads the state %s of a review", (state, expected) => {
    const reviews = [{ username: "max", state }]
    assert.strictEqual(factsWith({ reviews }).independent_reviewers, expected)
    const listed = [{ username: "max", state: state || undefined }]
    assert.strictEqual(factsWith({ approvers: listed }).independent_reviewers, state ? expected : 1)
  })

  it("takes the last review that decides", () => {
    const at = (state: string, timestamp?: number) => ({ username: "max", state, timestamp })
    const numberOf = (reviews: ReadonlyArray<unknown>, approvers: ReadonlyArray<unknown> = []) =>
      factsWith({ reviews, approvers }).independent_reviewers
    assert.strictEqual(numberOf([at("CHANGES_REQUESTED", 1), at("APPROVED", 2)]), 1)
    assert.strictEqual(numberOf([at("APPROVED", 1), at("DISMISSED", 2)]), 0)
    assert.strictEqual(numberOf([at("APPROVED", 1), at("COMMENTED", 2)]), 1)
    assert.strictEqual(numberOf([at("APPROVED", 1), at("CHANGES_REQUESTED", 1)]), 0)
    assert.strictEqual(numberOf([at("APPROVED", 1), at("CHANGES_REQUESTED")]), 0)
    assert.strictEqual(numberOf([at("CHANGES_REQUESTED", 1)], ["max"]), 0)
    assert.strictEqual(numberOf([at("APPROVED", 1)], ["max", "MAX"]), 1)
  })

  it.each([
    "dependabot[bot]",
    "project_12_bot",
    "group_7_bot_0a1b2c",
    "Build\\0f9b6c1e-0000-4000-8000-000000000001",
    "1+helper[bot]@users.noreply.git.example",
    "project12_bot@noreply.git.example",
    "0a1b@bots.bitbucket.org"
  ])("knows %s as a program", (login) => {
    assert.isTrue(factsWith({ author: login }).is_agent)
    assert.isTrue(factsWith({ commits: [{ author: `x <${login}>` }] }).is_agent)
    assert.strictEqual(factsWith({ approvers: [login] }).independent_reviewers, 0)
  })

  it.each(["robot", "ada-bot", "bot", "project_bot", "my_project_12_bot", "[bot]ada"])(
    "takes %s for a person",
    (login) => {
      assert.isFalse(factsWith({ author: login }).is_agent)
      assert.strictEqual(factsWith({ approvers: [login] }).independent_reviewers, 1)
    }
  )

  it("knows a program by the list, by the forge and by a trailer", () => {
    const message = "x\n\nCo-authored-by: Agent <NoReply@agent.example>"
    assert.isFalse(factsWith({ commits: [{ author: "ada", message }] }).is_agent)
    assert.isTrue(
      factsWith({ commits: [{ author: "ada", message }] }, ["noreply@agent.example"]).is_agent
    )
    assert.isTrue(factsWith({ programs: ["ADA"] }).is_agent)
    const both = { approvers: ["helper", "max"], programs: ["Helper"] }
    assert.strictEqual(factsWith(both).independent_reviewers, 1)
    assert.strictEqual(factsWith(both, ["MAX"]).independent_reviewers, 0)
  })

  it("counts the pull request with the least", () => {
    const pull_requests = [
      { author: "ada", approvers: ["max", "eve"] },
      { author: "bob", approvers: ["max", "ada"] }
    ]
    const { authors, approvers, independent_reviewers } = PullRequestFacts.of(
      { pull_requests },
      new Set()
    )
    assert.deepStrictEqual(authors, ["ada", "bob"])
    assert.deepStrictEqual(approvers, ["ada", "eve", "max"])
    assert.strictEqual(independent_reviewers, 1)
  })

  it("reads a long message in time that grows with its length", () => {
    const message = `${"co-authored-by ".repeat(50_000)}\n${" \t".repeat(100_000)}\n${"<>@".repeat(50_000)}`
    const { authors } = factsWith({ commits: [{ author: message, message }] })
    assert.include(authors, "ada")
  })
})
