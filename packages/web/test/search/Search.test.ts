/** Results for a text: local ones by name, and the server's. */
import * as Route from "@attestry/web/Route"
import { assert, describe, it } from "vitest"
import * as SearchResult from "../../app/search/SearchResult.js"
import * as Fuzzy from "../../app/shared/Fuzzy.js"
import { after } from "../../app/shell/Visited.js"

describe("a text", () => {
  it("fits best as a whole, then at a beginning, then inside, then by its letters", () => {
    const scores = ["prod", "prod-eu", "eu-prod", "reprod", "p-r-o-d"].map((text) =>
      Fuzzy.score(text, "PROD")
    )
    assert.deepStrictEqual(
      scores,
      [...scores].sort((one = 0, other = 0) => one - other)
    )
    assert.isTrue(scores.every((score) => score !== undefined))
    assert.strictEqual(Fuzzy.score("staging", "prod"), undefined)
    assert.strictEqual(Fuzzy.score("staging", " "), undefined)
  })
})

describe("the server", () => {
  it("is asked for fingerprints and commits from five characters on, and else for names", () => {
    const { questionsOf } = SearchResult
    const none = { sha: undefined, commit: undefined, name: undefined }
    assert.deepStrictEqual(questionsOf(""), none)
    assert.deepStrictEqual(questionsOf("a"), none)
    assert.deepStrictEqual(questionsOf("abcd"), { ...none, name: "abcd" })
    assert.deepStrictEqual(questionsOf(" ABCDE "), { ...none, sha: "abcde" })
    const commit = "a".repeat(40)
    assert.deepStrictEqual(questionsOf(commit), { ...none, sha: commit, commit })
    assert.deepStrictEqual(questionsOf("a".repeat(65)), { ...none, name: "a".repeat(65) })
  })
})

describe("results", () => {
  const lists = {
    environments: [{ name: "prod" }, { name: "prod-eu" }],
    flows: [{ name: "product" }],
    policies: [{ name: "prod-requirements" }],
    controls: [{ identifier: "SDLC-7", name: "Peer review" }],
    accounts: [{ name: "ci" }],
    commands: []
  }

  it("are the best names, with their pages", () => {
    const found = SearchResult.local("acme", lists, { query: "prod", limit: 3 })
    assert.deepStrictEqual(
      found.map(({ name }) => name),
      ["prod", "prod-eu", "product"]
    )
    const [control] = SearchResult.local("acme", lists, { query: "peer", limit: 3 })
    assert.strictEqual(control?.to && Route.print(control.to), "/acme/controls/SDLC-7")
  })

  it("are grouped by kind, each once", () => {
    const found = SearchResult.local("acme", lists, { query: "prod", limit: 9 })
    const groups = SearchResult.grouped([...found, ...found])
    assert.deepStrictEqual(
      groups.map(([kind, results]) => [kind, results.length]),
      [
        ["environment", 2],
        ["flow", 1],
        ["policy", 1]
      ]
    )
  })
})

describe("recent pages", () => {
  it("are each there once, newest first, at most nine with the current one", () => {
    const visit = (paths: ReadonlyArray<string>) =>
      paths.reduce<ReturnType<typeof after>>((list, path) => after(list, Route.parse(path)), [])
    assert.deepStrictEqual(
      visit(["/acme", "/acme/flows", "/acme?q=1", "/nowhere/at/all", "/"]).map(({ name }) => name),
      ["Overview", "Flows"]
    )
    const many = Array.from({ length: 20 }, (_, index) => `/acme/flows/f${index}`)
    assert.strictEqual(visit(many).length, 9)
  })
})
