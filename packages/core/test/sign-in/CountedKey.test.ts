/** In which orgs a key of a person counts (law KEY-9). */
import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { BaseRole } from "../../src/access/Role.js"
import { OrgId, OrgName } from "../../src/shared/Identifier.js"
import * as CountedKey from "../../src/sign-in/CountedKey.js"
import { DEFAULTS, PersonalKeyRule, type SignInSettings } from "../../src/sign-in/SignInSettings.js"

const membership = (name: string, role: BaseRole) => ({
  org_id: OrgId.make(`id-${name}`),
  org: OrgName.make(name),
  role
})

/** Orgs with the role of the person, and the rule of the org; null for an org without settings. */
const orgs = FastCheck.uniqueArray(
  FastCheck.record({
    name: FastCheck.constantFrom("acme", "globex", "initech", "umbrella"),
    role: FastCheck.constantFrom(...BaseRole.literals),
    rule: FastCheck.constantFrom(null, ...PersonalKeyRule.literals)
  }),
  { selector: ({ name }) => name, maxLength: 4 }
)

const settingsOf = (
  all: ReadonlyArray<{ name: string; rule: SignInSettings["personal_keys"] | null }>
) =>
  new Map(
    all.flatMap(({ name, rule }) =>
      rule === null
        ? []
        : [[OrgId.make(`id-${name}`), { ...DEFAULTS, personal_keys: rule }] as const]
    )
  )

/** The model: what the sentence of the setting says, row by row. */
const expected = (isEmergency: boolean, role: BaseRole, rule: string | null): boolean => {
  if (rule !== "emergency") return true
  return isEmergency && role === "admin"
}

describe("a key of a person", () => {
  it("counts as the setting of each org says, and every other org is named as one where it does not", () => {
    FastCheck.assert(
      FastCheck.property(orgs, FastCheck.boolean(), (all, isEmergency) => {
        const { counted, uncounted } = CountedKey.partition(
          all.map(({ name, role }) => membership(name, role)),
          isEmergency ? { emergency: true } : {},
          { settings: settingsOf(all), providers: [] }
        )
        assert.deepStrictEqual(
          counted.map(({ org }) => String(org)),
          all.filter(({ role, rule }) => expected(isEmergency, role, rule)).map(({ name }) => name)
        )
        assert.strictEqual(counted.length + uncounted.length, all.length)
      })
    )
  })

  it("counts everywhere while no org has set anything", () => {
    FastCheck.assert(
      FastCheck.property(orgs, (all) => {
        const own = all.map(({ name, role }) => membership(name, role))
        const found = CountedKey.partition(own, {}, { settings: new Map(), providers: [] })
        assert.deepStrictEqual(found, { counted: own, uncounted: [] })
      })
    )
  })
})
