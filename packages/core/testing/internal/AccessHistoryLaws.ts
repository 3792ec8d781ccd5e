/** AC-17: what is answered about access at an instant is what was live then, through generated changes of access. */
import { AccessQuestions } from "@attestry/core/AccessQuestions"
import { ApiKeys } from "@attestry/core/ApiKeys"
import type * as AsOf from "@attestry/core/AsOf"
import { Flows } from "@attestry/core/Flows"
import { Grants } from "@attestry/core/Grants"
import { FlowName, TeamName } from "@attestry/core/Identifier"
import { Memberships } from "@attestry/core/Memberships"
import { Moves } from "@attestry/core/Moves"
import { BaseRole, type Role } from "@attestry/core/Role"
import { Spaces } from "@attestry/core/Spaces"
import { Teams } from "@attestry/core/Teams"
import type { Timestamp } from "@attestry/core/Timestamp"
import { Transaction } from "@attestry/core/Transaction"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import type { SuiteIt } from "../Suite.js"
import * as Model from "./model/AccessHistoryModel.js"
import { as, by, findings, services, tagOf, type World, world } from "./PeopleWorld.js"

const FLOW = FlowName.make("pay-api")
const TEAM = TeamName.make("pay")
const THING = { kind: "flow", name: FLOW } as const

/** The permissions that are asked about, with the roles that have them. */
const ASKED = [
  ["org.read", "reader"],
  ["flow.write", "member"]
] as const

const person = FastCheck.constantFrom(...Model.PEOPLE)
const space = FastCheck.constantFrom(...Model.SPACES)
const subject = FastCheck.constantFrom(...Model.SUBJECTS)
const given: FastCheck.Arbitrary<Role> = FastCheck.constantFrom("reader", "member")

const change: FastCheck.Arbitrary<Model.AccessChange> = FastCheck.oneof(
  {
    weight: 4,
    arbitrary: FastCheck.record({
      what: FastCheck.constant<"give">("give"),
      subject,
      space,
      role: given
    })
  },
  {
    weight: 2,
    arbitrary: FastCheck.record({ what: FastCheck.constant<"end">("end"), subject, space })
  },
  {
    weight: 2,
    arbitrary: FastCheck.record({
      what: FastCheck.constantFrom<"join" | "leave" | "suspend" | "restore">(
        "join",
        "leave",
        "suspend",
        "restore"
      ),
      person
    })
  },
  {
    weight: 1,
    arbitrary: FastCheck.record({
      what: FastCheck.constant<"role">("role"),
      person,
      role: FastCheck.constantFrom(...BaseRole.literals.filter((role) => role !== "admin"))
    })
  },
  {
    weight: 2,
    arbitrary: FastCheck.record({ what: FastCheck.constant<"move">("move"), to: space })
  },
  {
    weight: 1,
    arbitrary: FastCheck.record({
      what: FastCheck.constant<"moveSpace">("moveSpace"),
      space,
      to: space
    })
  }
)

/** An org with a flow in a space, a team without members, and people with keys and without roles. */
const scene = Effect.gen(function* () {
  const of = yield* world
  const { org, people } = of
  const keys = new Map<Model.Person, Effect.Effect.Success<ReturnType<ApiKeys["issue"]>>["key"]>()
  const ids = new Map<
    Model.SpaceName,
    Effect.Effect.Success<ReturnType<Spaces["create"]>>["space"]["id"]
  >()
  for (const short of Model.PEOPLE) {
    const added = { org, login: of.loginOf(short), role: "none", by, source: "script" } as const
    const { id } = yield* (yield* Memberships).add({ ...added, ...people })
    const wanted = { org: org.id, user: id, by, description: "k", lifetimeSeconds: null }
    keys.set(short, (yield* (yield* ApiKeys).issue(wanted)).key)
  }
  yield* Effect.gen(function* () {
    for (const [name, path] of [
      ["a", "a"],
      ["b", "a/b"],
      ["c", "c"]
    ] as const)
      ids.set(name, (yield* (yield* Spaces).create(org.name, path, "")).space.id)
    yield* (yield* Flows).put(org.name, { name: FLOW, description: "", space: "a/b" })
    yield* (yield* Teams).put({ org: org.name, team: TEAM }, "")
  }).pipe(as(of.admin))
  return { ...of, keys, ids, open: new Map<string, number>() }
})

type Scene = Effect.Effect.Success<typeof scene>

/** The path of a space now. */
const pathOf = (of: Scene, name: Model.SpaceName) =>
  Effect.gen(function* () {
    const spaces = yield* (yield* Spaces).list(of.org.name)
    return spaces.find(({ space }) => space.id === of.ids.get(name))?.path ?? ""
  }).pipe(as(of.admin))

const subjectOf = (of: Scene, name: Model.SubjectName) => {
  if (name === "team") return { kind: "team", name: TEAM } as const
  if (name === "everyone") return { kind: "everyone", name: "" } as const
  return { kind: "user", name: of.loginOf(name) } as const
}

const perform = (of: Scene, change: Model.AccessChange) =>
  Effect.gen(function* () {
    const { org } = of
    const memberOf = (short: Model.Person) =>
      ({ org, login: of.loginOf(short), by, source: "script" }) as const
    const inTeam = (short: Model.Person) =>
      ({ org: org.name, team: TEAM, login: of.loginOf(short) }) as const
    switch (change.what) {
      case "give": {
        const { role, space: name, subject: whom } = change
        const { view } = yield* (yield* Grants).give(org.name, {
          subject: subjectOf(of, whom),
          space: yield* pathOf(of, name),
          role,
          eligible: false,
          expiresAt: null,
          reason: ""
        })
        of.open.set(`${whom} ${name}`, view.grant.number)
        return
      }
      case "end": {
        const number = of.open.get(`${change.subject} ${change.space}`)
        return number === undefined ? undefined : yield* (yield* Grants).end(org.name, number)
      }
      case "join":
        return yield* (yield* Teams).addMember(inTeam(change.person))
      case "leave":
        return yield* tagOf((yield* Teams).removeMember(inTeam(change.person)))
      case "suspend":
        return yield* tagOf((yield* Memberships).suspend(memberOf(change.person)))
      case "restore":
        return yield* tagOf((yield* Memberships).restore(memberOf(change.person)))
      case "role":
        return yield* (yield* Memberships).changeRole({
          ...memberOf(change.person),
          role: change.role
        })
      case "move": {
        const to = yield* pathOf(of, change.to)
        return yield* (yield* Moves).move(org.name, { things: [THING], to, preview: false })
      }
      case "moveSpace": {
        const id = of.ids.get(change.space)
        if (id === undefined) return
        const parent = yield* pathOf(of, change.to)
        return yield* tagOf((yield* Spaces).change(org.name, id, { parent }))
      }
    }
  }).pipe(as(of.admin))

/** The people who have each permission, as it is answered. */
const answered = (of: Scene, asOf?: AsOf.AsOf) =>
  Effect.gen(function* () {
    const questions = yield* AccessQuestions
    const found: Array<string> = []
    for (const [permission, role] of ASKED) {
      const asked = { place: THING, ...(asOf === undefined ? {} : { asOf }) }
      const { answer } = yield* questions.who(of.org.name, permission, asked)
      const names = answer.subjects.map(({ holder }) => holder.name)
      for (const short of Model.PEOPLE)
        if (names.includes(of.loginOf(short))) found.push(`${short} ${role}`)
    }
    return found
  }).pipe(as(of.admin))

/** The people who read the flow. */
const readers = (of: Scene) =>
  Effect.filter([...of.keys], ([, key]) =>
    Effect.gen(function* () {
      const actor = yield* (yield* ApiKeys).authenticate(key)
      return (yield* tagOf((yield* Flows).get(of.org.name, FLOW)).pipe(as(actor))) === ""
    })
  ).pipe(Effect.map((all) => all.map(([short]) => `${short} reader`)))

const expected = (model: Model.AccessWorld) =>
  ASKED.flatMap(([, role]) =>
    Model.PEOPLE.filter((short) => Model.has(model, short, role)).map((short) => `${short} ${role}`)
  )

const pause = Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 3)))

/** An instant between the changes before it and those after it. */
const instantOf = ({ org }: World) =>
  Effect.flatMap(Transaction, (transaction) => transaction.run(org.id, (scope) => scope.now)).pipe(
    Effect.zipLeft(pause),
    (now) => Effect.zipRight(pause, now)
  )

/** The law of answers about instants. */
export const accessHistoryLaws = (it: SuiteIt, runs: number) => {
  it.effect("AC-17: who could do what at an instant is what was live then", () =>
    Effect.gen(function* () {
      const histories = FastCheck.sample(
        FastCheck.array(change, { minLength: 6, maxLength: 14 }),
        runs
      )
      for (const history of histories) {
        const of = yield* scene
        let model = Model.initial
        const past: Array<readonly [Timestamp, ReadonlyArray<string>]> = []
        for (const each of history) {
          yield* perform(of, each)
          model = Model.apply(model, each)
          const now = expected(model)
          const told = JSON.stringify(history)
          assert.deepStrictEqual(yield* answered(of), now, told)
          assert.deepStrictEqual(
            yield* readers(of),
            now.filter((text) => text.endsWith("reader")),
            told
          )
          past.push([yield* instantOf(of), now])
        }
        for (const [instant, then] of past)
          assert.deepStrictEqual(
            yield* answered(of, { _tag: "At", instant }),
            then,
            `${instant} ${JSON.stringify(history)}`
          )
        assert.deepStrictEqual(yield* findings(of), [])
      }
    }).pipe(Effect.provide(services))
  )
}
