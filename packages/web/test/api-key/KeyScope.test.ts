/** Forms make scopes that take away what was asked for, and a saved scope is never widened by looking at it. */
import { assert, describe, it } from "vitest"
import * as KeyScope from "../../app/api-key/KeyScope.js"

const EMPTY = KeyScope.draftOf(undefined)

describe("scopes of a form", () => {
  it("are absent where nothing is taken away", () => {
    assert.isUndefined(KeyScope.scopeOf(EMPTY))
    assert.isUndefined(KeyScope.scopeOf({ ...EMPTY, networks: " ,\n" }))
  })

  it("have the names of each field, apart by spaces, commas and lines", () => {
    assert.deepStrictEqual(
      KeyScope.scopeOf({
        permissions: "pipeline",
        orgs: "acme",
        networks: "10.0.0.0/8, 192.0.2.0/24",
        spaces: "retail/shops\ncards",
        flows: "shop",
        environments: "prod  staging"
      }),
      {
        permissions: ["pipeline"],
        orgs: ["acme"],
        networks: ["10.0.0.0/8", "192.0.2.0/24"],
        spaces: ["retail/shops", "cards"],
        flows: ["shop"],
        environments: ["prod", "staging"]
      }
    )
  })

  it("are those that were saved while no field changes, also with parts that have no names", () => {
    const saved: ReadonlyArray<KeyScope.KeyScope> = [
      { permissions: ["org.read", "trail.write"] },
      { spaces: [], networks: ["10.0.0.0/8"] },
      { permissions: [], flows: [], environments: [] }
    ]
    for (const scope of saved)
      assert.deepStrictEqual(KeyScope.scopeOf(KeyScope.draftOf(scope), scope), scope)
  })

  it("keep the other parts of a saved one when a field changes", () => {
    const saved: KeyScope.KeyScope = { spaces: [], flows: ["shop"] }
    assert.deepStrictEqual(KeyScope.scopeOf({ ...KeyScope.draftOf(saved), flows: "desk" }, saved), {
      spaces: [],
      flows: ["desk"]
    })
    assert.deepStrictEqual(KeyScope.scopeOf({ ...KeyScope.draftOf(saved), flows: "" }, saved), {
      spaces: []
    })
  })
})

describe("scopes in words", () => {
  it("name their places, and say where none is left", () => {
    assert.strictEqual(KeyScope.placesText(undefined), "")
    assert.strictEqual(
      KeyScope.placesText({ spaces: [], flows: ["shop", "desk"] }),
      "in no space in flow shop, desk"
    )
  })
})
