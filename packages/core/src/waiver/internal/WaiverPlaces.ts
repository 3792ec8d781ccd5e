/**
 * Where waivers are: one for an environment where that is, and one for every environment where its policy is.
 *
 * A waiver whose policy is gone is in the whole org.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AccessDenied } from "../../access/Access.js"
import { type GrantedWithin, Reaches } from "../../access/Reaches.js"
import { isAtLeast } from "../../access/Role.js"
import { PolicyStore } from "../../policy/PolicyStore.js"
import { PolicyId } from "../../shared/Identifier.js"
import type { StoreError } from "../../shared/StoreError.js"
import type { PlacedThing } from "../../space/ThingPlace.js"
import { type Waiver, WaiverNotFound } from "../Waiver.js"
import type { WaiverQuery } from "../WaiverStore.js"

/** Makes the checks. A caller who reads the whole org costs no query. */
export const make = Effect.gen(function* () {
  const policies = yield* PolicyStore
  const reaches = yield* Reaches

  /** The thing in whose space a waiver is; none where its policy is gone. */
  const placeOf = ({
    environment_id,
    org_id: org,
    policy_name: name
  }: Pick<Waiver, "environment_id" | "org_id" | "policy_name">) =>
    environment_id === null
      ? Effect.map(
          policies.findByName({ org, name }),
          Option.map(({ id }): PlacedThing => ({ kind: "policy", id }))
        )
      : Effect.succeed(Option.some<PlacedThing>({ kind: "environment", id: environment_id }))

  /** The condition of a list: all, or what the caller reads. */
  const readable = (
    granted: GrantedWithin
  ): Effect.Effect<Pick<WaiverQuery, "within">, StoreError> =>
    Effect.gen(function* () {
      const { environments } = yield* reaches.readableEnvironments(granted)
      const ids = yield* reaches.readableThings(granted, "policy")
      if (environments === undefined || ids === undefined) return {}
      const found = yield* policies.list(
        granted.orgId,
        ids.map((id) => PolicyId.make(id))
      )
      return { within: { environments, policies: found.map(({ name }) => name) } }
    })

  /** Fails where the permission does not reach a waiver: as absent where the caller does not read it, else denied. */
  const permit = (
    granted: GrantedWithin,
    waiver: Waiver
  ): Effect.Effect<void, WaiverNotFound | AccessDenied | StoreError> =>
    Effect.gen(function* () {
      if (granted.reach._tag === "Whole") return
      const { org } = granted
      const notFound = () => new WaiverNotFound({ org, number: waiver.number })
      const place = yield* placeOf(waiver)
      if (Option.isNone(place)) return yield* notFound()
      yield* reaches.permit(granted, place.value, notFound)
    })

  /** Whether the caller is an admin, or has another role, where a waiver is. */
  const hasRole = (
    granted: GrantedWithin,
    role: "admin" | "member",
    waiver: Waiver
  ): Effect.Effect<boolean, StoreError> =>
    isAtLeast(granted.role, role)
      ? Effect.succeed(true)
      : Effect.flatMap(
          placeOf(waiver),
          Option.match({
            onNone: () => Effect.succeed(false),
            onSome: (place) => reaches.hasRoleAt(granted, role, place)
          })
        )

  return { placeOf, readable, permit, hasRole } as const
})
