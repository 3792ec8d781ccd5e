/**
 * Runs a request with an idempotency key once, and replays its response to repetitions. DECISIONS.md, "Retried writes
 * converge"
 *
 * Claim, work and completion are three transactions. When the process dies in between, the claim expires, and a
 * later repetition runs the work again, which converges as every write does.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Access from "../access/Access.js"
import type { Actor } from "../access/Actor.js"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import type { OrgName } from "../shared/Identifier.js"
import { IdGenerator } from "../shared/IdGenerator.js"
import { Secrets } from "../shared/Secrets.js"
import { StoreError } from "../shared/StoreError.js"
import { type Claimed, IdempotencyStore } from "./IdempotencyStore.js"
import * as IdempotentRequest from "./IdempotentRequest.js"

/** A request with an idempotency key. */
export interface KeyedRequest {
  readonly actor: Actor
  readonly org: OrgName
  readonly key: IdempotentRequest.IdempotencyKey
  /** The operation and its path: the same key on another route is another request. */
  readonly route: string
  /** The content of the request, as any JSON value. */
  readonly content: unknown
}

/** What a repetition gets: the response, only the fact that the work is complete, or a run of its own. */
export type Retention =
  | { readonly _tag: "Response"; readonly response: IdempotentRequest.StoredResponse }
  | { readonly _tag: "Completion" }
  | { readonly _tag: "Nothing" }

/** The result of the work, and what repetitions get. */
export interface Performed<A> {
  readonly value: A
  readonly retention: Retention
}

/** The result of `once`: of its own work, or the response of an earlier request. */
export type OnceResult<A> =
  | { readonly _tag: "Done"; readonly value: A }
  | { readonly _tag: "Replayed"; readonly response: IdempotentRequest.StoredResponse }

/** Why a request does not run. */
export type Refusal =
  | Access.AccessDenied
  | IdempotentRequest.IdempotencyKeyReused
  | IdempotentRequest.RequestUnderWay
  | IdempotentRequest.ResponseWithheld
  | StoreError

const tooLong = () =>
  new StoreError({
    operation: "Idempotency.once",
    cause: new Error(`the request took more than ${IdempotentRequest.RUN_SECONDS_MAX} seconds`)
  })

/** WHY no failure: the response is valid without its stored copy, and an incomplete claim expires. */
const orWarn = (effect: Effect.Effect<unknown, StoreError>): Effect.Effect<void> =>
  Effect.catchTag(Effect.asVoid(effect), "StoreError", (error) =>
    Effect.logWarning("an answer could not be kept for repetitions", error)
  )

/** Use case: idempotent requests. */
export class Idempotency extends Effect.Service<Idempotency>()("@attestry/core/Idempotency", {
  effect: Effect.gen(function* () {
    const store = yield* IdempotencyStore
    const secrets = yield* Secrets
    const ids = yield* IdGenerator

    /**
     * The digest of actor, scope, route and key: two actors never share a key, nor do two credentials of one of which
     * one leaves less, which would be told what it may not read.
     */
    const requestOf = ({ actor, route, key }: KeyedRequest) => {
      const scope = actor.scope === undefined ? [] : [JSON.stringify(actor.scope)]
      return secrets.digest(CanonicalJson.print([actor.kind, actor.id, route, key, ...scope]))
    }

    const finish = (claimed: Claimed, retention: Retention): Effect.Effect<void> => {
      if (retention._tag === "Nothing") return orWarn(store.release(claimed))
      const isKept =
        retention._tag === "Response" &&
        retention.response.text.length <= IdempotentRequest.TEXT_LENGTH_MAX
      return orWarn(
        store.complete(claimed, {
          response: isKept ? Option.some(retention.response) : Option.none(),
          seconds: IdempotentRequest.RETENTION_SECONDS
        })
      )
    }

    const run = <A, E, R>(work: Effect.Effect<A, E, R>) =>
      Effect.timeoutFail(work, {
        duration: Duration.seconds(IdempotentRequest.RUN_SECONDS_MAX),
        onTimeout: tooLong
      })

    /** Runs the work unless it is complete; a failure of the work releases the claim. */
    const once = <A, E, R>(
      request: KeyedRequest,
      work: Effect.Effect<Performed<A>, E, R>
    ): Effect.Effect<OnceResult<A>, E | Refusal, R> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const { orgId } = yield* Access.authorizeMember(request.actor, request.org)
          const claimed = {
            org: orgId,
            request: yield* requestOf(request),
            token: yield* ids.next
          }
          const content = yield* secrets.digest(CanonicalJson.print(request.content))
          const known = yield* store.claim({
            ...claimed,
            content,
            seconds: IdempotentRequest.CLAIM_SECONDS
          })
          const decision = IdempotentRequest.decide(known, content)
          if (decision._tag === "Refuse") return yield* decision.why
          if (decision._tag === "Replay") return { _tag: "Replayed", response: decision.response }
          const exit = yield* Effect.exit(restore(run(work)))
          yield* finish(claimed, Exit.isSuccess(exit) ? exit.value.retention : { _tag: "Nothing" })
          const { value } = yield* exit
          return { _tag: "Done", value }
        })
      )

    return { once } as const
  })
}) {}
