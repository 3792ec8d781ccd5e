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

  it("keeps the order of rules, their domains and their teams", () => {
    const join = [
      { provider: "okta", group: "admins", role: "admin" },
      { provider: "entra", domain: "example.com", role: "reader", teams: ["a", "b"] }
    ]
    const body = SettingsDraft.bodyOf(SettingsDraft.make({ ...Object(SETTINGS), join }))
    assert.deepStrictEqual(Object(body).join, join)
  })

  it("takes names of teams between commas, and none of an empty text", () => {
    const draft = SettingsDraft.make(SETTINGS)
    const teamsOf = (teams: string) => {
      const join = draft.join.map((row) => ({ ...row, teams }))
      return Object(SettingsDraft.bodyOf({ ...draft, join })).join[0].teams
    }
    assert.deepStrictEqual(teamsOf(" a,, b ,"), ["a", "b"])
    assert.isUndefined(teamsOf(" , "))
  })

  it("has the fields of the messages of the server", () => {
    const fields = SettingsDraft.fieldsOf(SettingsDraft.make(SETTINGS))
    assert.includeMembers([...fields], ["join.0", "join.0.group", "group_teams.0.team"])
    assert.notInclude(fields, "join.1")
  })

  it("adds and leaves out providers", () => {
    const draft = { providers: ["okta", "entra"] }
    assert.deepStrictEqual(SettingsDraft.withProvider(draft, "okta", false), ["entra"])
    assert.deepStrictEqual(SettingsDraft.withProvider(draft, "okta", true), ["entra", "okta"])
    assert.deepStrictEqual(SettingsDraft.withProvider({ providers: null }, "okta", true), ["okta"])
  })
})
