/** Stored preferences: whatever the storage holds, the result is valid. */
import { FastCheck as fc } from "effect"
import { assert, describe, it } from "vitest"
import * as Preferences from "../../app/shared/Preferences.js"

describe("preferences", () => {
  it("are the stored ones where they are valid", () => {
    const chosen = { theme: "dark", density: "compact", zone: "utc", shortcuts: "off" }
    assert.deepStrictEqual(Preferences.parse(JSON.stringify(chosen)), chosen)
  })

  it("are the defaults for anything else", () => {
    for (const text of [null, "", "{", "null", "[]", '{"theme":"pink","zone":1}']) {
      assert.deepStrictEqual(Preferences.parse(text), Preferences.defaults)
    }
    fc.assert(
      fc.property(fc.json(), (text) => {
        const { theme } = Preferences.parse(text)
        assert.include(Preferences.CHOICES.theme, theme)
      })
    )
  })
})
