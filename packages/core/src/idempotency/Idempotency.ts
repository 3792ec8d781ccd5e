/**
 * Carries a request out once, and answers its repetitions as it was answered. DECISION A-20, B-107
 *
 * Claim, work and settlement are three transactions: a process that dies in between leaves a claim that
 * ends by itself, and the repetition that comes after it converges as every write does.
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

/** A request that came with a key. */
export interface KeyedRequest {
  readonly actor: Actor
  readonly org: OrgName
  readonly key: IdempotentRequest.IdempotencyKey
  /** What is asked for: the same key means something else elsewhere. */
  readonly route: string
  /** What the request says, as any JSON value. */
  readonly content: unknown
}

/** What repetitions of a request may have: its answer, only that there was one, or a try of their own. */
export type Retention =
  | { readonly _tag: "Response"; readonly response: IdempotentRequest.StoredResponse }
  | { readonly _tag: "Completion" }
  | { readonly _tag: "Nothing" }

/** What the work came to, and what repetitions may have of it. */
export interface Performed<A> {
  readonly value: A
  readonly retention: Retention
}

/** What a request comes to: what its own work did, or the answer that an earlier one had. */
export type OnceResult<A> =
  | { readonly _tag: "Done"; readonly value: A }
  | { readonly _tag: "Replayed"; readonly response: IdempotentRequest.StoredResponse }

/** Why a request is not carried out. */
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

/** WHY: the answer stands whatever becomes of its copy, and a claim that stays ends by itself. */
const orWarn = (effect: Effect.Effect<unknown, StoreError>): Effect.Effect<void> =>
  Effect.catchTag(Effect.asVoid(effect), "StoreError", (error) =>
    Effect.logWarning("an answer could not be kept for repetitions", error)
  )

/** Use case: carrying requests out once. */
export class Idempotency extends Effect.Service<Idempotency>()("@attestry/core/Idempotency", {
  effect: Effect.gen(function* () {
    const store = yield* IdempotencyStore
    const secrets = yield* Secrets
    const ids = yield* IdGenerator

    /** Who asks for what under which key, as one digest: keys of others are never met. */
    const requestOf = ({ actor, route, key }: KeyedRequest) =>
      secrets.digest(CanonicalJson.print([actor.kind, actor.id, route, key]))

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

    /** Does the work unless it was done before; failures of the work leave nothing behind. */
    const once = <A, E, R>(
      request: KeyedRequest,
      work: Effect.Effect<Performed<A>, E, R>
    ): Effect.Effect<OnceResult<A>, E | Refusal, R> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const { orgId } = yield* Access.authorize(request.actor, request.org, "org.read")
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
