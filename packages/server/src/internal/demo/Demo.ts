/**
 * The command `demo`: a server on the memory store with a year of history, to look at and to try things on.
 *
 * The history is made by requests to the API, as pipelines, clusters and people would send them, while the clock of the
 * server is set to the time of each. WHY memory: PostgreSQL has a clock of its own.
 */
import type { Dispatch } from "@attestry/http/HttpMessage"
import * as WebHandler from "@attestry/http/WebHandler"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Serve from "../../Serve.js"
import type { ServerConfig } from "../../ServerConfig.js"
import type { FirstStart } from "../Bootstrap.js"
import * as DemoClock from "./DemoClock.js"
import { DAY, type DemoRequest } from "./DemoRequest.js"
import * as DemoWorld from "./DemoWorld.js"

/** A request of the demo that the API refused: a defect of the demo. */
export class DemoRefused extends Data.TaggedError("DemoRefused")<{
  readonly operation: string
  readonly status: number
  readonly body: string
}> {
  override get message(): string {
    return `the demo's ${this.operation} was answered ${this.status}: ${this.body}`
  }
}

/** Sends one request, and fails unless it succeeds. */
const send = (
  handle: WebHandler.WebHandler,
  prefix: string,
  { first, request }: { readonly first: FirstStart; readonly request: DemoRequest }
) =>
  Effect.gen(function* () {
    const [method = "", path = ""] = request.operation.replace("{org}", first.org).split(" ")
    const response = yield* Effect.promise(() =>
      handle(
        new Request(`http://demo.invalid${prefix}${path}`, {
          method,
          headers: {
            authorization: `Bearer ${Redacted.value(first.key)}`,
            "content-type": "application/json"
          },
          body: JSON.stringify(request.body)
        })
      )
    )
    const body = yield* Effect.promise(() => response.text())
    if (response.ok) return
    return yield* new DemoRefused({
      operation: request.operation,
      status: response.status,
      body: body.slice(0, 500)
    })
  })

/** Sends the requests of a world one after another, each at its time. */
export const fill = (
  dispatch: Dispatch,
  first: FirstStart,
  {
    clock,
    requests,
    prefix
  }: {
    readonly clock: DemoClock.DemoClock
    readonly requests: ReadonlyArray<DemoRequest>
    /** The prefix of every operation: the base path and `/api/v2`. */
    readonly prefix: string
  }
) =>
  Effect.gen(function* () {
    const handle = yield* WebHandler.make(dispatch)
    yield* Effect.forEach(
      requests,
      (request) =>
        Effect.zipRight(
          Effect.sync(() => clock.stopAt(request.at)),
          send(handle, prefix, { first, request })
        ),
      { discard: true }
    )
    clock.release()
  })

/** The settings of a demo: memory, controls open, and limits that a year within seconds does not reach. */
export const configOf = (config: ServerConfig): ServerConfig => ({
  ...config,
  ATTESTRY_STORE: "memory",
  ATTESTRY_BETA_CONTROLS: "on"
})

/** Serves a demo until it is interrupted. */
export const demo = (
  given: ServerConfig,
  { seed, show }: { readonly seed: number; readonly show: (text: string) => void }
) =>
  Effect.suspend(() => {
    const config = configOf(given)
    const clock = DemoClock.make()
    const until = Date.now()
    const requests = DemoWorld.requestsOf({ seed, until })
    clock.stopAt(until - 366 * DAY)
    show(`\n  Making a year of history with ${requests.length} requests …\n`)
    const prefix = `${config.ATTESTRY_BASE_PATH}/api/v2`
    return Serve.serve(config, show, (dispatch, first) =>
      fill(dispatch, first, { clock, requests, prefix })
    ).pipe(Effect.withClock(clock.clock))
  })
