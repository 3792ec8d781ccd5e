/**
 * `ProposedOperations` by the handlers of this server: a request of a proposal is decoded by the contract of its
 * operation, and its handler runs it.
 *
 * The checks of an ordinary request are made here again, in their order: permission, recent sign-in, feature, and then
 * the parts of the request. A proposal has no files and no headers.
 */
import * as HttpError from "@attestry/api/HttpError"
import * as Access from "@attestry/core/Access"
import { type Actor, CurrentActor } from "@attestry/core/Actor"
import { OrgName } from "@attestry/core/Identifier"
import { InvalidProposal, type ProposedRequest } from "@attestry/core/Proposal"
import { OperationRefused, ProposedOperations } from "@attestry/core/ProposedOperations"
import { Reaches } from "@attestry/core/Reaches"
import { SignInRules } from "@attestry/core/SignInRules"
import { StoreError } from "@attestry/core/StoreError"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { FeatureFlags } from "../../shared/FeatureFlags.js"
import type { IncomingRequest } from "../../shared/HttpMessage.js"
import * as AccessPipeline from "../../shared/internal/AccessPipeline.js"
import * as CompiledRoute from "../../shared/internal/CompiledRoute.js"
import type { BoundGroup } from "../../shared/internal/Handlers.js"
import * as OperationCodec from "../../shared/internal/OperationCodec.js"
import type { Route } from "../../shared/internal/RouteTable.js"
import { FORBIDDEN, wireOf } from "../../shared/internal/WireErrors.js"

const isOrgName = Schema.is(OrgName)

const nothing: AsyncIterable<Uint8Array> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) })
}

/** The request of an operation without headers, query and files. */
const incomingOf = ({ method, path }: Route): IncomingRequest => ({
  method,
  url: path,
  headers: () => [],
  remoteAddress: "",
  body: nothing
})

/** An error of an operation: one of ours runs again or fails, every other one is the operation's own. */
const refused = (error: HttpError.HttpError): OperationRefused | StoreError =>
  error._tag === "Unavailable" && error.cause instanceof StoreError
    ? error.cause
    : new OperationRefused({ message: error.message, error })

/** Runs proposed requests by the handlers of some groups. */
export const make = (routes: ReadonlyArray<Route>, groups: ReadonlyArray<BoundGroup>) =>
  Effect.gen(function* () {
    const flags = yield* FeatureFlags
    const rules = yield* SignInRules
    const reaches = yield* Reaches
    const own = routes.filter(({ group }) => groups.some((each) => each.group === group))
    const compiledOf = CompiledRoute.compiler(own, groups)
    const byName = new Map(own.map((route) => [`${route.group}.${route.name}`, route]))

    /** 403 without permission or while the feature is disabled, and 401 without a recent sign-in. */
    const check = ({ place, rule }: Route, { params }: ProposedRequest, actor: Actor) =>
      Effect.gen(function* () {
        const org = params.org ?? ""
        const narrowed = rule.narrow(params)
        const access = narrowed.access ?? rule.access
        if (access === "open" || access === "authenticated" || !isOrgName(org)) return
        const isAllowed =
          access === "member"
            ? Access.isMember(actor, org)
            : place === "root"
              ? Access.isAllowed(actor, org, access)
              : yield* Effect.mapError(reaches.isAllowedSomewhere(actor, org, access), wireOf)
        if (!isAllowed) return yield* new HttpError.Forbidden({ message: FORBIDDEN })
        const feature = narrowed.gate ?? rule.gate
        if (feature === null) return
        // A proposal has no headers, with which a request asks for a feature: to propose it is to ask for it.
        const closed = yield* flags.closed({ feature, org, actor, headers: () => [feature] })
        if (Option.isSome(closed)) return yield* new HttpError.Forbidden({ message: closed.value })
      })

    const decode = (
      route: Route,
      compiled: CompiledRoute.CompiledRoute,
      given: ProposedRequest
    ) => {
      const rule = route.rule.body
      const isEmpty = given.body === null && rule._tag === "JsonBody" && rule.optional
      const request = incomingOf(route)
      return Either.map(
        OperationCodec.decode(compiled, {
          request,
          params: given.params,
          body: isEmpty ? {} : given.body
        }),
        (parts) => ({
          ...parts,
          incoming: request,
          files: [],
          authenticate: () => new HttpError.Unauthorized({ message: "a proposal has no other key" })
        })
      )
    }

    const run = (given: ProposedRequest, proposer: Actor) =>
      Effect.gen(function* () {
        const route = byName.get(given.operation)
        const compiled = route === undefined ? undefined : compiledOf(route)
        if (route === undefined || compiled === undefined)
          return yield* new InvalidProposal({
            problems: { operation: "There is no such operation" }
          })
        const actor =
          route.place === "root"
            ? yield* reaches.atRoot(proposer, given.params.org ?? "")
            : proposer
        const served = Effect.gen(function* () {
          yield* check(route, given, actor)
          const parts = yield* decode(route, compiled, given)
          yield* compiled.handler(parts)
        })
        yield* Effect.mapError(Effect.provideService(served, CurrentActor, actor), refused)
      })

    /** A recent sign-in, where a person proposes what needs one. */
    const fresh = (given: ProposedRequest, actor: Actor) =>
      Effect.gen(function* () {
        const route = byName.get(given.operation)
        const org = given.params.org ?? ""
        if (route?.rule.isSensitive !== true || !isOrgName(org)) return
        const maxAge = yield* rules.stale(actor, org)
        if (Option.isSome(maxAge)) return yield* refused(AccessPipeline.stale(maxAge.value))
      })

    return ProposedOperations.of({ run, fresh })
  })
