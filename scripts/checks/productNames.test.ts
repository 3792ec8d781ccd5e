/** Pages and the command line show the same product names, and pages suggest words that the command line has. */
import { assert, describe, it } from "vitest"
import * as Products from "../../packages/cli/src/environment/cloud/Products.js"
import * as ProductNames from "../../packages/cli/src/reading/ProductNames.js"
import { ALIASES } from "../../packages/core/src/environment/EnvironmentKind.js"
import * as RepoProvider from "../../packages/core/src/repo/RepoProvider.js"
import * as ProductName from "../../packages/web/app/shared/ProductName.js"

describe("the product names of pages", () => {
  it("are those of the command line for every kind", () => {
    for (const kind of [...Products.KINDS, ...Object.keys(ALIASES), "other"]) {
      assert.strictEqual(ProductName.ofKind(kind), ProductNames.ofKind(kind), kind)
      assert.strictEqual(ProductName.wordOf(kind), Products.wordOf(Products.kindOf(kind)), kind)
    }
  })

  it("are those of the command line for every provider", () => {
    for (const provider of [...RepoProvider.PROVIDERS, ...RepoProvider.ALIASES.keys(), "other"])
      assert.strictEqual(ProductName.ofProvider(provider), ProductNames.ofProvider(provider))
  })
})
