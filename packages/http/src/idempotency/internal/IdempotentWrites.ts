/**
 * Writes under an `Idempotency-Key`: a request is handled once, and its repetitions within a day get the same response.
 * DECISIONS.md, "Retried writes converge"
 *
 * Requests are compared by their decoded parts, not by their raw bytes: some clients choose another form boundary or
 * another order of fields for each attempt.
 */
import * as HttpError from "@attestry/api/HttpError"
import type { Actor } from "@attestry/core/Actor"
import * as CanonicalJson from "@attestry/core/CanonicalJson"
import { Idempotency, type Performed, type Retention } from "@attestry/core/Idempotency"
import { IdempotencyKey } from "@attestry/core/IdempotentRequest"
import { OrgName } from "@attestry/core/Identifier"
import { Secrets } from "@attestry/core/Secrets"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { type OutgoingResponse, textOf } from "../../shared/HttpMessage.js"
import type { RoutedRequest } from "../../shared/internal/AccessPipeline.js"
import * as EntriesHeader from "../../shared/internal/EntriesHeader.js"
import type { Route } from "../../shared/internal/RouteTable.js"
import type { UploadedForm } from "../../shared/internal/Upload.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { IDEMPOTENCY_KEY } from "./IdempotencyErrors.js"

const HEADER = IDEMPOTENCY_KEY.toLowerCase()

/** The header of a replayed response. */
export const REPLAYED = "Idempotency-Replayed"

/** Whether an operation accepts a key: every write in an org does. */
export const covers = ({ method, path, rule }: Pick<Route, "method" | "path" | "rule">): boolean =>
  method !== "GET" && path.includes("/:org") && !rule.reads

const decodeKey = Schema.decodeUnknownEither(IdempotencyKey)

/** The key of a request; undefined where the request has none or the operation accepts none. */
export const keyOf = ({
  request,
  route
}: RoutedRequest): Either.Either<IdempotencyKey, HttpError.BadRequest> | undefined => {
  if (!covers(route)) return undefined
  const given = request.headers(HEADER)
  if (given.length === 0) return undefined
  return Either.mapLeft(decodeKey(given.length === 1 ? given[0] : given), () =>
    HttpError.invalid({
      [IDEMPOTENCY_KEY]: "Input should be one key of 1 to 255 visible ASCII characters [input: …]"
    })
  )
}

/** A request under a key, with its whole content. */
export interface IdempotentWrite {
  readonly actor: Actor
  readonly routed: RoutedRequest
  readonly key: IdempotencyKey
  readonly form: UploadedForm
  /** The bytes of a body that the handler decodes itself. */
  readonly bytes: Uint8Array | undefined
}

const TRANSIENT: ReadonlyArray<number> = [401, 403, 429]

/** Whether a later attempt can succeed: such responses are not stored. */
export const isTransient = (status: number): boolean => status >= 500 || TRANSIENT.includes(status)

/** How much of a response is stored for repetitions. A status that depends on the moment must be retryable. */
const keepingOf = ({ rule }: Route, { status, headers, body }: OutgoingResponse): Retention => {
  if (isTransient(status)) return { _tag: "Nothing" }
  const text = textOf(body)
  if (text === undefined || (rule.answersSecret && status < 300)) return { _tag: "Completion" }
  const mediaType = headers["content-type"] ?? "application/json"
  const entries = headers[EntriesHeader.NAME] ?? null
  return { _tag: "Response", response: { code: status, mediaType, text, entries } }
}

const searchOf = (url: string): string => url.slice(`${url}?`.indexOf("?"))

/** Runs writes under a key once. */
export const make = Effect.gen(function* () {
  const { once } = yield* Idempotency
  const secrets = yield* Secrets

  const contentOf = ({ routed, form, bytes }: IdempotentWrite): Effect.Effect<object> => {
    const query = searchOf(routed.request.url)
    const files = form.files.map(({ filename, size, fingerprint }) => [filename, size, fingerprint])
    const content = { query, value: form.value, files }
    return bytes === undefined
      ? Effect.succeed(content)
      : Effect.map(secrets.digest(bytes), (raw) => ({ ...content, raw }))
  }

  return (
    write: IdempotentWrite,
    serving: Effect.Effect<OutgoingResponse>
  ): Effect.Effect<OutgoingResponse, HttpError.HttpError> => {
    const { actor, routed, key } = write
    const { route, params } = routed
    const work = Effect.map(
      serving,
      (response): Performed<OutgoingResponse> => ({
        value: response,
        retention: keepingOf(route, response)
      })
    )
    const served = Effect.flatMap(contentOf(write), (content) =>
      once(
        {
          actor,
          key,
          content,
          org: OrgName.make(params.org ?? ""),
          route: CanonicalJson.print([route.method, route.path, params])
        },
        work
      )
    )
    return Effect.map(toWire(served), (result): OutgoingResponse => {
      if (result._tag === "Done") return result.value
      const { code, mediaType, text, entries } = result.response
      const headers = {
        "content-type": mediaType,
        [REPLAYED.toLowerCase()]: "true",
        ...(entries === null ? {} : { [EntriesHeader.NAME]: entries })
      }
      return { status: code, headers, body: text }
    })
  }
})
