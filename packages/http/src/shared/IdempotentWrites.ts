/**
 * Writes that come under an `Idempotency-Key`: the same request is carried out once and answered alike for
 * a day. DECISION A-20, B-107
 *
 * What a request says is taken from its parts, never from its raw bytes: some clients choose another
 * boundary for a form, or another order of fields, each time they send it.
 */
import type { Actor } from "@attestry/core/Actor"
import * as CanonicalJson from "@attestry/core/CanonicalJson"
import { Idempotency, type Performed, type Retention } from "@attestry/core/Idempotency"
import { IdempotencyKey } from "@attestry/core/IdempotentRequest"
import { OrgName } from "@attestry/core/Identifier"
import { Secrets } from "@attestry/core/Secrets"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { Asked } from "./AccessPipeline.js"
import * as HttpError from "./HttpError.js"
import type { OutgoingResponse } from "./HttpMessage.js"
import { IDEMPOTENCY_KEY } from "./IdempotencyErrors.js"
import type { Route } from "./RouteTable.js"
import type { UploadedForm } from "./Upload.js"
import { toWire } from "./WireErrors.js"

const HEADER = IDEMPOTENCY_KEY.toLowerCase()

/** The header of an answer that was given before. */
export const REPLAYED = "Idempotency-Replayed"

/** Whether an operation heeds the key: every write in an org does. DECISION B-108 */
export const covers = ({ method, path }: Pick<Route, "method" | "path">): boolean =>
  method !== "GET" && path.includes("/:org")

const decodeKey = Schema.decodeUnknownEither(IdempotencyKey)

/** The key that a request came with; nothing when it came with none, or to an operation that heeds none. */
export const keyOf = ({
  request,
  route
}: Asked): Either.Either<IdempotencyKey, HttpError.BadRequest> | undefined => {
  if (!covers(route)) return undefined
  const given = request.headers(HEADER)
  if (given.length === 0) return undefined
  return Either.mapLeft(decodeKey(given.length === 1 ? given[0] : given), () =>
    HttpError.invalid({
      [IDEMPOTENCY_KEY]: "Input should be one key of 1 to 255 visible ASCII characters [input: …]"
    })
  )
}

/** A request under a key, with everything that it says. */
export interface IdempotentWrite {
  readonly actor: Actor
  readonly asked: Asked
  readonly key: IdempotencyKey
  readonly form: UploadedForm
  /** The bytes of a body that nobody has read yet. */
  readonly bytes: Uint8Array | undefined
}

const PASSING: ReadonlyArray<number> = [401, 403, 429]

/** Whether an answer says nothing about the next try: such answers are not kept. */
export const isPassing = (status: number): boolean => status >= 500 || PASSING.includes(status)

/** What repetitions may have of an answer. DECISION B-109 */
const keepingOf = ({ rule }: Route, { status, headers, body }: OutgoingResponse): Retention => {
  if (isPassing(status)) return { _tag: "Nothing" }
  if (typeof body !== "string" || (rule.answersSecret && status < 300))
    return { _tag: "Completion" }
  const mediaType = headers["content-type"] ?? "application/json"
  return { _tag: "Response", response: { code: status, mediaType, text: body } }
}

const searchOf = (url: string): string => url.slice(`${url}?`.indexOf("?"))

/** Carries writes under a key out once. */
export const make = Effect.gen(function* () {
  const { once } = yield* Idempotency
  const secrets = yield* Secrets

  const contentOf = ({ asked, form, bytes }: IdempotentWrite): Effect.Effect<object> => {
    const query = searchOf(asked.request.url)
    const files = form.files.map(({ filename, size, fingerprint }) => [filename, size, fingerprint])
    const said = { query, value: form.value, files }
    return bytes === undefined
      ? Effect.succeed(said)
      : Effect.map(secrets.digest(bytes), (raw) => ({ ...said, raw }))
  }

  return (
    write: IdempotentWrite,
    serving: Effect.Effect<OutgoingResponse>
  ): Effect.Effect<OutgoingResponse, HttpError.HttpError> => {
    const { actor, asked, key } = write
    const { route, params } = asked
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
      const { code, mediaType, text } = result.response
      const headers = { "content-type": mediaType, [REPLAYED.toLowerCase()]: "true" }
      return { status: code, headers, body: text }
    })
  }
})
