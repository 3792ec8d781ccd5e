/** Orgs of the use cases with their first admins, for the laws of members and invitations. */
import { type Actor, CurrentActor } from "@attestry/core/Actor"
import { Login } from "@attestry/core/Identifier"
import { Memberships } from "@attestry/core/Memberships"
import { Orgs } from "@attestry/core/Orgs"
import { RecordVerification } from "@attestry/core/RecordVerification"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Fixture from "../Fixture.js"

/** Every use case. */
export const services = UseCases.layer.pipe(Layer.provide(SecretsWebCrypto.layer))

/** The actor of administration. */
export const by = { kind: "system", id: "s", name: "s" } as const

/** An org of the use cases with its first admin, and logins of its own. */
export const world = Effect.gen(function* () {
  const suffix = (yield* Fixture.freshId).slice(-8)
  const { name } = yield* Fixture.newOrg
  const org = yield* (yield* Orgs).create(name, by)
  const loginOf = (short: string) => Login.make(`${short}-${suffix}`)
  const people = { displayName: null, email: null }
  const ada = yield* (yield* Memberships).add({
    org,
    login: loginOf("ada"),
    role: "admin",
    by,
    source: "script",
    ...people
  })
  const admin: Actor = { ...Fixture.actor([org, "admin"]), id: ada.id, name: ada.login }
  return { org, loginOf, admin, people }
})

/** Such an org. */
export type World = Effect.Effect.Success<typeof world>

/** Provides the caller. */
export const as = (actor: Actor) => Effect.provideService(CurrentActor, actor)

/** The tag of the failure; empty without one. */
export const tagOf = <A, E extends { readonly _tag: string }, R>(work: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.either(work), (result) => (result._tag === "Left" ? result.left._tag : ""))

/** The differences between records and journal. */
export const findings = ({ org }: World) =>
  Effect.flatMap(RecordVerification, (records) => records.verify(org.id, 3))
