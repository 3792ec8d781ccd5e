/** The form of sign-in settings, and the addresses at which browsers begin to sign in. */
import { assert, describe, it } from "vitest"
import * as SettingsDraft from "../../app/sign-in/SettingsDraft.js"

const SETTINGS = {
  providers: null,
  only: false,
  session_hours: 12,
  fresh_minutes: null,
  personal_keys: "all",
  key_max_days: null,
  join: [{ provider: "okta", group: "devs", role: "member" }],
  group_teams: [{ provider: "okta", group: "devs", team: "devs" }],
  provision_role: "none"
} as never

describe("the form of sign-in settings", () => {
  it("sends what it was given", () => {
    assert.deepStrictEqual(SettingsDraft.bodyOf(SettingsDraft.make(SETTINGS)), SETTINGS)
    const other = {
      ...Object(SETTINGS),
      providers: ["okta"],
      only: true,
      fresh_minutes: 15,
      key_max_days: 90
    }
    assert.deepStrictEqual(SettingsDraft.bodyOf(SettingsDraft.make(other)), other)
  })

  it("sends no rules that are no JSON, and an empty text as none", () => {
    const draft = SettingsDraft.make(SETTINGS)
    assert.isUndefined(SettingsDraft.bodyOf({ ...draft, join: "[" }))
    assert.deepStrictEqual(Object(SettingsDraft.bodyOf({ ...draft, join: " " })).join, [])
  })

  it("adds and leaves out providers", () => {
    const draft = { providers: ["okta", "entra"] }
    assert.deepStrictEqual(SettingsDraft.withProvider(draft, "okta", false), ["entra"])
    assert.deepStrictEqual(SettingsDraft.withProvider(draft, "okta", true), ["entra", "okta"])
    assert.deepStrictEqual(SettingsDraft.withProvider({ providers: null }, "okta", true), ["okta"])
  })
})
