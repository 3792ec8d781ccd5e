/**
 * Reads what a request for a waiver depends on: its policy, environment, owner and earlier waiver, and the limits of
 * open waivers.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type * as Access from "../../access/Access.js"
import { type GrantedWithin, Reaches } from "../../access/Reaches.js"
import { EnvironmentStore } from "../../environment/EnvironmentStore.js"
import * as PlacedEnvironments from "../../environment/internal/PlacedEnvironments.js"
import { findMember } from "../../membership/internal/MemberLookup.js"
import { MembershipStore } from "../../membership/MembershipStore.js"
import { type Policy, PolicyNotFound } from "../../policy/Policy.js"
import * as PolicyDocument from "../../policy/PolicyDocument.js"
import { PolicyStore } from "../../policy/PolicyStore.js"
import type { EnvironmentName, Login, OrgId } from "../../shared/Identifier.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import * as Waiver from "../Waiver.js"
import * as WaiverRequest from "../WaiverRequest.js"
import { isWithin, type WaiverQuery, WaiverStore } from "../WaiverStore.js"
import * as WaiverPlaces from "./WaiverPlaces.js"

/** The members among whom a requester is looked for. */
const MEMBERS_MAX = 10_000

const OPEN = ["requested", "scheduled", "active"] as const

/** A member who owns a risk. */
type Owner = Option.Option<{ readonly id: string; readonly login: Login }>

/** Reads the terms of requests. */
export class WaiverTerms extends Effect.Service<WaiverTerms>()("@attestry/core/WaiverTerms", {
  effect: Effect.gen(function* () {
    const store = yield* WaiverStore
    const policies = yield* PolicyStore
    const environments = yield* EnvironmentStore
    const memberships = yield* MembershipStore
    const reaches = yield* Reaches
    const present = yield* PlacedEnvironments.make
    const places = yield* WaiverPlaces.make

    /** The actor as a member; none for a service account. */
    const selfOf = ({ actor, orgId }: Access.Granted) =>
      Effect.map(
        memberships.listMembers(orgId, { offset: 0, limit: MEMBERS_MAX }),
        ({ items }): Owner => {
          const self = items.find(({ user_id }) => user_id === actor.id)
          return self === undefined
            ? Option.none()
            : Option.some({ id: self.user_id, login: self.login })
        }
      )

    const environmentOf = (granted: GrantedWithin, name: EnvironmentName | null) =>
      name === null
        ? Effect.succeed(null)
        : Effect.flatMap(environments.findByName({ org: granted.orgId, name }), (found) =>
            Effect.map(present(granted, name)(found), ({ environment }) => environment.id)
          )

    /**
     * Fails as absent where the caller reads neither the policy nor the environment that it is attached to. A waiver
     * for every environment needs the permission at the policy.
     */
    const permitPolicy = (
      granted: GrantedWithin,
      { id, name }: Pick<Policy, "id" | "name">,
      given: EnvironmentName | null
    ) =>
      Effect.gen(function* () {
        if (granted.reach._tag === "Whole") return
        const notFound = () => new PolicyNotFound({ org: granted.org, policy: name })
        if (given === null) return yield* reaches.permit(granted, { kind: "policy", id }, notFound)
        if (yield* reaches.isReadable(granted, { kind: "policy", id })) return
        const found = yield* environments.findByName({ org: granted.orgId, name: given })
        const shown = yield* reaches.keepReadable(granted, {
          kind: "environment",
          things: Option.toArray(found),
          idOf: ({ environment }) => environment.id
        })
        if (!shown.some(({ environment }) => environment.policies.includes(id)))
          return yield* notFound()
      })

    /** The waiver that a request extends, as far as the caller reads it. */
    const extendedOf = (granted: GrantedWithin, number: number) =>
      Effect.gen(function* () {
        const found = yield* store.find({ org: granted.orgId, number })
        const { within } = yield* places.readable(granted)
        return Option.filter(found, (waiver) => isWithin(within, waiver))
      })

    /** Fails when a request would exceed a limit of open waivers. */
    const checkLimits = (
      org: OrgId,
      { environment_id, policy_name }: Waiver.Terms,
      now: Timestamp
    ) =>
      Effect.gen(function* () {
        const count = (query: Omit<WaiverQuery, "now" | "states">) =>
          Effect.map(
            store.list(org, { now, states: OPEN, ...query }, { page: 1, perPage: 1 }),
            ({ total }) => total
          )
        const { OPEN_MAX, OPEN_OF_POLICY_MAX, TooManyWaivers } = Waiver
        if ((yield* count({})) >= OPEN_MAX)
          return yield* new TooManyWaivers({ most: OPEN_MAX, of: "org" })
        if ((yield* count({ policy_name, environment: environment_id })) >= OPEN_OF_POLICY_MAX)
          return yield* new TooManyWaivers({ most: OPEN_OF_POLICY_MAX, of: "policy" })
      })

    /** The terms of a request, or all its problems. Locks the policy until the transaction ends. */
    const read = (
      granted: GrantedWithin,
      request: WaiverRequest.WaiverRequest,
      { now, settings }: Pick<WaiverRequest.Known, "now" | "settings">
    ) =>
      Effect.gen(function* () {
        const { org, orgId } = granted
        const policy = yield* Effect.flatMap(
          // WHY a lock: an attachment sees the waiver, or the waiver sees the attachment.
          policies.findByName({ org: orgId, name: request.policy_name }, { lock: true }),
          Either.fromOption(() => new PolicyNotFound({ org, policy: request.policy_name }))
        )
        yield* permitPolicy(granted, policy, request.environment)
        const document = Either.getRight(PolicyDocument.parse(policy.policy_yaml))
        const terms = yield* WaiverRequest.read(request, {
          now,
          settings,
          dump: Option.getOrNull(Option.map(document, PolicyDocument.dump)),
          owner: yield* request.owner === null
            ? selfOf(granted)
            : findMember(memberships, orgId, request.owner),
          extended:
            request.extends === null ? Option.none() : yield* extendedOf(granted, request.extends),
          environment_id: yield* environmentOf(granted, request.environment)
        })
        yield* checkLimits(orgId, terms, now)
        return terms
      })

    return { read } as const
  })
}) {}
