/** Commands of people who open break-glass: how they are made, and how they are run through the use cases. */
import type { Actor } from "@attestry/core/Actor"
import { BreakGlasses } from "@attestry/core/BreakGlasses"
import { Grants } from "@attestry/core/Grants"
import { Memberships } from "@attestry/core/Memberships"
import { Spaces } from "@attestry/core/Spaces"
import { Transaction } from "@attestry/core/Transaction"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Fixture from "../Fixture.js"
import * as Model from "./model/BreakGlassModel.js"
import { as, by, tagOf, type World, world } from "./PeopleWorld.js"

const PEOPLE = ["ada", "bob", "cleo", "dan", "eve"] as const

const person = FastCheck.constantFrom(...PEOPLE)
const space = FastCheck.constantFrom("/" as const, "a" as const, "a/b" as const, "c" as const)
const role = FastCheck.constantFrom("admin" as const, "admin" as const, "member" as const)
const number = FastCheck.integer({ min: 1, max: 4 })

/** Commands. Times are such that no end falls on the instant of a command. */
export const command: FastCheck.Arbitrary<Model.Command> = FastCheck.oneof(
  {
    weight: 3,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("give" as const),
      who: FastCheck.oneof({ weight: 3, arbitrary: FastCheck.constant("ada" as const) }, person),
      of: person,
      role,
      space,
      eligible: FastCheck.boolean()
    })
  },
  {
    weight: 5,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("open" as const),
      who: person,
      role,
      space,
      minutes: FastCheck.constantFrom(15, 65),
      emergency: FastCheck.boolean()
    })
  },
  {
    weight: 4,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constantFrom("end" as const, "close" as const, "review" as const),
      who: person,
      number
    })
  },
  {
    weight: 6,
    arbitrary: FastCheck.record({ _tag: FastCheck.constant("write" as const), who: person, space })
  },
  {
    weight: 3,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("wait" as const),
      minutes: FastCheck.constantFrom(10, 10, 40, 1_450)
    })
  },
  { weight: 1, arbitrary: FastCheck.record({ _tag: FastCheck.constant("look" as const) }) }
)

/** What every history begins with, so that a law that holds of nothing is seen. */
export const OPENING: ReadonlyArray<Model.Command> = [
  { _tag: "give", who: "ada", of: "dan", role: "admin", space: "a", eligible: true },
  { _tag: "write", who: "dan", space: "a/b" },
  { _tag: "open", who: "dan", role: "admin", space: "a", minutes: 15, emergency: false },
  { _tag: "write", who: "dan", space: "a/b" },
  { _tag: "write", who: "dan", space: "c" },
  { _tag: "open", who: "bob", role: "admin", space: "/", minutes: 15, emergency: true },
  { _tag: "write", who: "bob", space: "c" },
  { _tag: "close", who: "bob", number: 2 },
  { _tag: "write", who: "bob", space: "c" }
]

/** An org with its people. */
export interface Cast extends World {
  readonly actors: { readonly [person in Model.Person]: Actor }
}

/** A space that no command names. */
const ASIDE = "aside"

/**
 * Makes the use cases forget what they have read of grants and openings. The first call gives grant 1, and the same
 * grant again changes nothing.
 */
export const forget = ({ loginOf, org, admin }: World) =>
  Effect.flatMap(Grants, (grants) =>
    grants.give(org.name, {
      subject: { kind: "user", name: loginOf("ada") },
      space: ASIDE,
      role: "reader",
      eligible: false,
      expiresAt: null,
      reason: ""
    })
  ).pipe(as(admin))

/** Makes an org with people and spaces; one admin has a mailbox. */
export const cast = Effect.gen(function* () {
  const of = yield* world
  const actorOf = (short: Model.Person) =>
    Effect.gen(function* () {
      const base = Model.BASE[short]
      const { id, login } = yield* (yield* Memberships).add({
        org: of.org,
        login: of.loginOf(short),
        role: base,
        by,
        source: "script",
        ...of.people,
        ...(short === "bob" ? { email: "bob@example.com" } : {})
      })
      return { ...Fixture.actor([of.org, base]), id, name: login }
    })
  const actors = {
    ada: of.admin,
    bob: yield* actorOf("bob"),
    cleo: yield* actorOf("cleo"),
    dan: yield* actorOf("dan"),
    eve: yield* actorOf("eve")
  }
  for (const path of ["a", "a/b", "c", ASIDE])
    yield* (yield* Spaces).create(of.org.name, path, "").pipe(as(of.admin))
  const made = { ...of, actors } satisfies Cast
  yield* forget(made)
  return made
})

type Done = Exclude<Model.Command, { readonly _tag: "wait" }>

const work = ({ loginOf, org }: Cast, command: Done, index: number) =>
  Effect.gen(function* () {
    const glasses = yield* BreakGlasses
    const grants = yield* Grants
    switch (command._tag) {
      case "give": {
        const { eligible, role, space } = command
        const subject = { kind: "user", name: loginOf(command.of) } as const
        const given = { subject, space, role, eligible, expiresAt: null, reason: "" }
        return yield* grants.give(org.name, given)
      }
      case "end":
        return yield* grants.end(org.name, command.number + 1)
      case "open": {
        const { minutes, role, space } = command
        return yield* glasses.open(org.name, { space, role, minutes, reason: "stuck" })
      }
      case "close":
        return yield* glasses.close({ org: org.name, number: command.number })
      case "review":
        return yield* glasses.review({ org: org.name, number: command.number }, "fine")
      case "write": {
        const name = `x${index}`
        const path = command.space === "/" ? name : `${command.space}/${name}`
        return yield* (yield* Spaces).create(org.name, path, "")
      }
      case "look": {
        const now = yield* (yield* Transaction).run(org.id, (scope) => scope.now)
        return yield* glasses.lookAfter(org.id, now)
      }
    }
  })

/** Runs a command, which is the only one of its index; the tag of its failure. */
export const perform = (of: Cast, command: Done, index: number) => {
  const actor = of.actors["who" in command ? command.who : "ada"]
  const isEmergency = command._tag === "open" && command.emergency
  return tagOf(
    work(of, command, index).pipe(as(isEmergency ? { ...actor, emergency: true } : actor))
  )
}
