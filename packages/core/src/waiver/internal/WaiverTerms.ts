/**
 * Reads what a request for a waiver depends on: its policy, environment, owner and earlier waiver, and the limits of
 * open waivers.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type * as Access from "../../access/Access.js"
import * as EnvironmentLookup from "../../environment/EnvironmentLookup.js"
import { EnvironmentStore } from "../../environment/EnvironmentStore.js"
import { findMember } from "../../membership/internal/MemberLookup.js"
import { MembershipStore } from "../../membership/MembershipStore.js"
import { PolicyNotFound } from "../../policy/Policy.js"
import * as PolicyDocument from "../../policy/PolicyDocument.js"
import { PolicyStore } from "../../policy/PolicyStore.js"
import type { EnvironmentName, Login, OrgId } from "../../shared/Identifier.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import * as Waiver from "../Waiver.js"
import * as WaiverRequest from "../WaiverRequest.js"
import { type WaiverQuery, WaiverStore } from "../WaiverStore.js"

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

    const environmentOf = (granted: Access.Granted, name: EnvironmentName | null) =>
      name === null
        ? Effect.succeed(null)
        : Effect.flatMap(environments.findByName({ org: granted.orgId, name }), (found) =>
            Either.map(
              EnvironmentLookup.present(granted, name)(found),
              ({ environment }) => environment.id
            )
          )

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
      granted: Access.Granted,
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
        const document = Either.getRight(PolicyDocument.parse(policy.policy_yaml))
        const terms = yield* WaiverRequest.read(request, {
          now,
          settings,
          dump: Option.getOrNull(Option.map(document, PolicyDocument.dump)),
          owner: yield* request.owner === null
            ? selfOf(granted)
            : findMember(memberships, orgId, request.owner),
          extended:
            request.extends === null
              ? Option.none()
              : yield* store.find({ org: orgId, number: request.extends }),
          environment_id: yield* environmentOf(granted, request.environment)
        })
        yield* checkLimits(orgId, terms, now)
        return terms
      })

    return { read } as const
  })
}) {}
