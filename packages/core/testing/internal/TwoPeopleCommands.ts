/** Commands of the people of an org that protects changes, as data, and how they are run through the use cases. */
import type { Actor, CurrentActor } from "@attestry/core/Actor"
import { Grants } from "@attestry/core/Grants"
import { PolicyName, type SpaceId, TeamName } from "@attestry/core/Identifier"
import { Memberships } from "@attestry/core/Memberships"
import { Moves } from "@attestry/core/Moves"
import { OrgMembers } from "@attestry/core/OrgMembers"
import { Policies } from "@attestry/core/Policies"
import type { ProposedRequest } from "@attestry/core/Proposal"
import { ProposalStore } from "@attestry/core/ProposalStore"
import { Proposals } from "@attestry/core/Proposals"
import { OperationRefused, ProposedOperations } from "@attestry/core/ProposedOperations"
import type { ProtectionKind } from "@attestry/core/Protection"
import { type NamedProtection, Protections } from "@attestry/core/Protections"
import type { Role } from "@attestry/core/Role"
import { Spaces } from "@attestry/core/Spaces"
import { StoreError } from "@attestry/core/StoreError"
import { Teams } from "@attestry/core/Teams"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import * as Fixture from "../Fixture.js"
import { as, by, tagOf, type World, world } from "./PeopleWorld.js"

/** The team of a protection. */
const TEAM = "risk"

/** The people of the org: admins, one who is none, and two who are admins of a space by grants. */
export const PEOPLE = ["ada", "bob", "cleo", "dan", "eve", "fay", "gus"] as const
/** One of them. */
export type Person = (typeof PEOPLE)[number]

const yaml = (text: number) => `_schema: https://example.org/policy/v1
artifacts:
  provenance: {required: true}
# ${text}
`

/** A protection of the whole org, or of a space. */
export const protection = (
  kinds: readonly [ProtectionKind, ...ProtectionKind[]],
  approvals: number,
  { space = "/", team = null }: { readonly space?: string; readonly team?: string | null } = {}
): NamedProtection => ({
  kinds,
  space,
  approvals,
  team: team === null ? null : TeamName.make(team),
  days: 14
})

const SETS: ReadonlyArray<ReadonlyArray<NamedProtection>> = [
  [],
  [protection(["policy"], 1)],
  [protection(["policy", "access"], 2)],
  [protection(["sign-in"], 1), protection(["policy"], 2)],
  [protection(["access", "sign-in"], 1)],
  [protection(["policy"], 1, { team: TEAM }), protection(["sign-in"], 1)],
  [protection(["policy", "access"], 2, { team: TEAM }), protection(["policy"], 1)],
  [protection(["policy"], 1, { space: "retail" })],
  [protection(["policy", "access"], 2, { space: "retail" }), protection(["policy"], 1)],
  [
    protection(["policy"], 1, { space: "platform" }),
    protection(["access", "sign-in"], 1, { space: "retail", team: TEAM })
  ]
]

/** What can be asked for, directly or by a proposal. */
type Change =
  | { readonly what: "policy"; readonly text: number; readonly of?: "rules" | "card-rules" }
  /** The policy `card-rules` goes to a space. */
  | { readonly what: "move"; readonly to: string }
  /** The space `cards` goes into another one. */
  | { readonly what: "space"; readonly into: string }
  | { readonly what: "grant"; readonly of: Person; readonly in: string }
  | { readonly what: "protections"; readonly set: number }
  | { readonly what: "role"; readonly of: Person; readonly role: Role }
  | { readonly what: "team"; readonly of: Person; readonly isIn: boolean }

interface Asking {
  readonly _tag: "Direct" | "Propose"
  readonly who: Person
  readonly change: Change
}

interface Deciding {
  readonly _tag: "approve" | "reject" | "withdraw"
  readonly who: Person
  readonly number: number
}

/** A command of a person. */
export type Command = Asking | Deciding

const person = FastCheck.constantFrom(...PEOPLE)

const changeOf = (withRoles: boolean): FastCheck.Arbitrary<Change> =>
  FastCheck.oneof(
    FastCheck.record({
      what: FastCheck.constant("policy" as const),
      text: FastCheck.nat(3),
      of: FastCheck.constantFrom("rules" as const, "card-rules" as const)
    }),
    FastCheck.record({
      what: FastCheck.constant("move" as const),
      to: FastCheck.constantFrom("/", "retail", "platform")
    }),
    FastCheck.record({
      what: FastCheck.constant("space" as const),
      into: FastCheck.constantFrom("/", "retail", "platform")
    }),
    FastCheck.record({
      what: FastCheck.constant("protections" as const),
      set: FastCheck.nat(SETS.length - 1)
    }),
    ...(withRoles
      ? [
          FastCheck.record({
            what: FastCheck.constant("role" as const),
            of: person,
            role: FastCheck.constantFrom<Role>("admin", "member")
          }),
          FastCheck.record({
            what: FastCheck.constant("grant" as const),
            of: person,
            in: FastCheck.constantFrom("retail", "platform")
          }),
          FastCheck.record({
            what: FastCheck.constant("team" as const),
            of: person,
            isIn: FastCheck.boolean()
          })
        ]
      : [])
  )

/** Commands, with changes of roles and teams where they can be compared with the order of entries. */
export const commandOf = (withRoles: boolean): FastCheck.Arbitrary<Command> =>
  FastCheck.oneof(
    {
      weight: 3,
      arbitrary: FastCheck.record({
        _tag: FastCheck.constantFrom("Direct" as const, "Propose" as const, "Propose" as const),
        who: person,
        change: changeOf(withRoles)
      })
    },
    {
      weight: 4,
      arbitrary: FastCheck.record({
        _tag: FastCheck.constantFrom(
          "approve" as const,
          "approve" as const,
          "approve" as const,
          "reject" as const,
          "withdraw" as const
        ),
        who: person,
        number: FastCheck.integer({ min: 2, max: 6 })
      })
    }
  )

/** The policy that changes in the whole org. */
export const RULES = PolicyName.make("rules")
/** The policy that changes in spaces. */
const CARD_RULES = PolicyName.make("card-rules")

/**
 * What every history begins with: one who is no admin decides by the team, and tries to after leaving it; and an admin
 * of a space decides there, and tries to elsewhere; so that a law that holds of nothing is seen. The texts of the
 * policy are none of those of `commandOf`.
 */
export const OPENING: ReadonlyArray<Command> = [
  { _tag: "Direct", who: "ada", change: { what: "team", of: "eve", isIn: true } },
  { _tag: "Direct", who: "ada", change: { what: "protections", set: 5 } },
  { _tag: "Propose", who: "dan", change: { what: "policy", text: 4 } },
  { _tag: "approve", who: "dan", number: 1 },
  { _tag: "approve", who: "eve", number: 1 },
  { _tag: "Direct", who: "ada", change: { what: "team", of: "eve", isIn: false } },
  { _tag: "Propose", who: "dan", change: { what: "policy", text: 5 } },
  { _tag: "approve", who: "eve", number: 2 },
  { _tag: "Propose", who: "fay", change: { what: "policy", text: 4, of: "card-rules" } },
  { _tag: "approve", who: "fay", number: 3 },
  { _tag: "approve", who: "gus", number: 2 },
  { _tag: "approve", who: "gus", number: 3 }
]

/** An org with the id of its space `cards`. */
interface Placed extends World {
  readonly cards: SpaceId
}

/** Makes a change as the current actor. */
const direct = ({ cards, org, loginOf }: Placed, change: Change) =>
  Effect.gen(function* () {
    switch (change.what) {
      case "policy":
        return yield* (yield* Policies).put(org.name, {
          name: change.of === "card-rules" ? CARD_RULES : RULES,
          description: "",
          comment: "",
          policy_yaml: yaml(change.text)
        })
      case "protections":
        return yield* (yield* Protections).put(org.name, SETS[change.set] ?? [])
      case "move":
        return yield* (yield* Moves).move(org.name, {
          things: [{ kind: "policy", name: CARD_RULES }],
          to: change.to,
          preview: false
        })
      case "space":
        return yield* (yield* Spaces).change(org.name, cards, { parent: change.into })
      case "grant":
        return yield* (yield* Grants).give(org.name, {
          subject: { kind: "user", name: loginOf(change.of) },
          space: change.in,
          role: "admin",
          eligible: false,
          expiresAt: null,
          reason: ""
        })
      case "role":
        return yield* (yield* OrgMembers).put(
          { org: org.name, login: loginOf(change.of) },
          change.role
        )
      case "team": {
        const path = { org: org.name, team: TeamName.make(TEAM), login: loginOf(change.of) }
        const teams = yield* Teams
        return yield* change.isIn ? teams.addMember(path) : teams.removeMember(path)
      }
    }
  })

const OPERATIONS = {
  policy: "policy.put",
  move: "space.move",
  space: "space.change",
  grant: "grant.put",
  protections: "protection.put",
  role: "membership.put",
  team: "team.addMember"
}

const requestOf = (change: Change): ProposedRequest => ({
  operation: OPERATIONS[change.what],
  params: {},
  body: change
})

/** The port over use cases, as a server has it over operations. */
const operations = (of: Placed) =>
  Effect.map(
    Effect.context<Exclude<Effect.Effect.Context<ReturnType<typeof direct>>, CurrentActor>>(),
    (context) =>
      ProposedOperations.of({
        fresh: () => Effect.void,
        run: ({ body }, actor) =>
          // The body is that of `requestOf`, read back from the store.
          direct(of, body as Change).pipe(
            Effect.provide(context),
            as(actor),
            Effect.asVoid,
            Effect.mapError((error) =>
              error instanceof StoreError
                ? error
                : new OperationRefused({ message: error.message, error })
            )
          )
      })
  )

/** An org with its people. */
export interface Cast extends Placed {
  readonly actors: { readonly [person in Person]: Actor }
}

/** Makes spaces, a policy in one of them, and two admins of a space. Returns the id of the space `cards`. */
const settle = (of: World) =>
  Effect.gen(function* () {
    const { name } = of.org
    const spaces = yield* Spaces
    yield* spaces.create(name, "retail", "")
    yield* spaces.create(name, "platform", "")
    const { space } = yield* spaces.create(name, "retail/cards", "")
    const placed = { ...of, cards: space.id }
    yield* direct(placed, { what: "policy", text: 9, of: "card-rules" })
    yield* direct(placed, { what: "move", to: "retail/cards" })
    yield* direct(placed, { what: "grant", of: "fay", in: "retail" })
    yield* direct(placed, { what: "grant", of: "gus", in: "retail" })
    return space.id
  })

/** Makes an org with its people, and a team that has none of them yet. */
export const cast = Effect.gen(function* () {
  const of = yield* world
  const actors = new Map<Person, Actor>([["ada", of.admin]])
  for (const [name, role] of [
    ["bob", "admin"],
    ["cleo", "admin"],
    ["dan", "admin"],
    ["eve", "member"],
    ["fay", "none"],
    ["gus", "none"]
  ] as const) {
    const user = yield* (yield* Memberships).add({
      org: of.org,
      login: of.loginOf(name),
      role,
      by,
      source: "script",
      ...of.people
    })
    actors.set(name, {
      ...Fixture.actor([of.org, role]),
      id: user.id,
      name: user.login
    })
  }
  yield* (yield* Teams).put({ org: of.org.name, team: TeamName.make(TEAM) }, "").pipe(as(of.admin))
  const cards = yield* settle(of).pipe(as(of.admin))
  return { ...of, cards, actors: Object.fromEntries(actors) as Cast["actors"] } satisfies Cast
})

/** The actor with the role that it has now, as a request would find it. */
const current = ({ actors, org }: Cast, who: Person) =>
  Effect.map(
    Effect.flatMap(Memberships, (members) => members.list(org.id)),
    (all): Actor => ({
      ...actors[who],
      memberships: all
        .filter(({ user_id }) => user_id === actors[who].id)
        .map(({ role }) => ({ org_id: org.id, org: org.name, role }))
    })
  )

/** Runs a command; the tag of its failure. */
export const perform = (of: Cast, command: Command) =>
  Effect.gen(function* () {
    const proposals = yield* Proposals
    const store = yield* ProposalStore
    const port = yield* operations(of)
    const actor = yield* current(of, command.who)
    const work = Effect.gen(function* () {
      if ("change" in command)
        return command._tag === "Direct"
          ? yield* direct(of, command.change)
          : yield* proposals.make(of.org.name, {
              request: requestOf(command.change),
              reason: "it is time"
            })
      const path = { org: of.org.name, number: command.number }
      if (command._tag === "withdraw") return yield* proposals.withdraw(path)
      if (command._tag === "reject") return yield* proposals.reject(path, "")
      // Read from the store: those who may not see a proposal may have been told its digest.
      const found = yield* store.find({ org: of.org.id, number: command.number })
      const digest = Option.match(found, { onNone: () => "", onSome: (each) => each.digest })
      return yield* proposals.approve(path, { digest, comment: "" })
    })
    return yield* tagOf(Effect.provideService(work, ProposedOperations, port).pipe(as(actor)))
  })
