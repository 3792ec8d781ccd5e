/** Who can do what, and why, against a slow model that asks the decision of access about each holder. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { BaseRole, isAtLeast, Role } from "../../src/access/Role.js"
import * as Standing from "../../src/access/Standing.js"
import * as AccessState from "../../src/access-control/AccessState.js"
import type { Grant, GrantSubject } from "../../src/grant/Grant.js"
import * as SpaceTree from "../../src/space/SpaceTree.js"
import * as Spaces from "../../testing/arbitrary/SpaceTree.js"
import { AT } from "../../testing/Fixture.js"

const { permission, space, spaces } = Spaces

const USERS = ["u0", "u1", "u2"]
const ACCOUNTS = ["a0", "u1"]
const TEAMS = ["t0", "u0"]

// The id of an account is that of a user too, and that of a team: kinds are never taken for one another.
const subject: FastCheck.Arbitrary<GrantSubject> = FastCheck.oneof(
  FastCheck.constantFrom(...USERS).map((id) => ({ kind: "user" as const, id })),
  FastCheck.constantFrom(...ACCOUNTS).map((id) => ({ kind: "service-account" as const, id })),
  FastCheck.constantFrom(...TEAMS).map((id) => ({ kind: "team" as const, id })),
  FastCheck.constant({ kind: "everyone" as const, id: "" })
)

const grants = FastCheck.array(
  FastCheck.record({
    subject,
    role: FastCheck.constantFrom(...Role.literals),
    space,
    eligible: FastCheck.boolean()
  }),
  { maxLength: 8 }
).map((all) =>
  all.map(
    ({ eligible, role, space: space_id, subject: of }, index): Grant => ({
      org_id: Spaces.ORG,
      number: index + 1,
      subject: of,
      space_id,
      role,
      eligible,
      expires_at: null,
      reason: "",
      given_by: "u0",
      from_at: AT,
      to_at: null
    })
  )
)

const holder = (kind: AccessState.Holder["kind"]) => (id: string) =>
  FastCheck.record({
    role: FastCheck.constantFrom(...BaseRole.literals),
    suspended: kind === "user" ? FastCheck.boolean() : FastCheck.constant(false)
  }).map((more): AccessState.Holder => ({ kind, id, name: id, ...more }))

const state: FastCheck.Arbitrary<AccessState.AccessState> = FastCheck.record({
  root: FastCheck.constant(Spaces.ROOT),
  holders: FastCheck.tuple(
    ...USERS.map(holder("user")),
    ...ACCOUNTS.map(holder("service-account"))
  ),
  grants,
  openings: FastCheck.array(
    FastCheck.record({
      user_id: FastCheck.constantFrom(...USERS),
      role: FastCheck.constantFrom(...Role.literals),
      space_id: space
    }),
    { maxLength: 2 }
  ).map((all) => all.map((each, index) => ({ ...each, number: index + 1 }))),
  teamMembers: FastCheck.array(
    FastCheck.record({
      team_id: FastCheck.constantFrom(...TEAMS),
      user_id: FastCheck.constantFrom(...USERS)
    }),
    { maxLength: 4 }
  ).map((all) => [
    ...new Map(all.map((each) => [`${each.team_id} ${each.user_id}`, each])).values()
  ])
})

/** Whether a grant is for a holder, by looking at every member of every team. */
const isFor = (
  { teamMembers }: AccessState.AccessState,
  { id, kind }: AccessState.Holder,
  { subject: of }: Grant
): boolean =>
  of.kind === "everyone" ||
  (of.kind === kind && of.id === id) ||
  (of.kind === "team" &&
    kind === "user" &&
    teamMembers.some(({ team_id, user_id }) => team_id === of.id && user_id === id))

const ownOf = (
  given: AccessState.AccessState,
  each: AccessState.Holder,
  wanted: { readonly eligible: boolean }
): ReadonlyArray<Standing.Binding> =>
  given.grants
    .filter((grant) => grant.eligible === wanted.eligible && isFor(given, each, grant))
    .map(({ role, space_id }) => ({ role, space: space_id }))

/** What a holder has, one binding after another; an eligible grant is none. */
const modelOf = (
  given: AccessState.AccessState,
  each: AccessState.Holder
): ReadonlyArray<Standing.Binding> =>
  each.suspended
    ? []
    : [
        ...(each.role === "none" ? [] : [{ role: each.role, space: given.root }]),
        ...ownOf(given, each, { eligible: false }),
        ...given.openings
          .filter(({ user_id }) => each.kind === "user" && user_id === each.id)
          .map(({ role, space_id }) => ({ role, space: space_id }))
      ]

describe("who can do what", () => {
  it.prop(
    "is all whom the decision of access allows",
    { spaces, state, permission, space },
    ({ permission: asked, space: at, spaces: all, state: given }) => {
      const path = SpaceTree.pathOf(SpaceTree.make(Spaces.ORG, all), at)
      const found = AccessState.whoCan(given, asked, path)
      assert.deepStrictEqual(
        found.map((each) => each.holder),
        given.holders.filter((each) =>
          Standing.decide({ bindings: modelOf(given, each), scope: undefined }, asked, {
            path: path
          })
        )
      )
      for (const { holder: each, role, via } of found) {
        const bindings = modelOf(given, each)
        assert.isTrue(Standing.hasRole({ bindings }, role, path))
        assert.isTrue(via.every((other) => isAtLeast(role, other.role)))
        // Each reason is enough by itself.
        for (const one of via)
          assert.isTrue(Standing.decide({ bindings: [one], scope: undefined }, asked, { path }))
      }
    }
  )

  it.prop(
    "names the people who may open break-glass, by eligible grants alone",
    { spaces, state, permission, space },
    ({ permission: asked, space: at, spaces: all, state: given }) => {
      const path = SpaceTree.pathOf(SpaceTree.make(Spaces.ORG, all), at)
      assert.deepStrictEqual(
        AccessState.whoMayOpen(given, asked, path).map((each) => each.holder),
        given.holders.filter((each) => {
          if (each.suspended || each.kind !== "user") return false
          const bindings = ownOf(given, each, { eligible: true })
          return Standing.decide({ bindings, scope: undefined }, asked, { path })
        })
      )
    }
  )

  it.prop("says every binding once, with its reason", { state }, ({ state: given }) => {
    const bindingsOf = AccessState.bindings(given)
    for (const each of given.holders) {
      const found = bindingsOf(each)
      const textOf = ({ role, space: at }: Standing.Binding) => `${role} ${at}`
      assert.deepStrictEqual(found.map(textOf).sort(), modelOf(given, each).map(textOf).sort())
      for (const { grant, kind, number, role, space: at } of found) {
        if (kind === "break-glass") {
          const opening = given.openings.find((other) => other.number === number)
          assert.deepStrictEqual([role, at], [opening?.role, opening?.space_id])
        } else if (grant === null)
          assert.deepStrictEqual([kind, role, at], ["base", each.role, given.root])
        else {
          const expected = grant.subject.kind === each.kind ? "grant" : grant.subject.kind
          assert.deepStrictEqual([kind, role, at], [expected, grant.role, grant.space_id])
        }
      }
    }
  })
})
