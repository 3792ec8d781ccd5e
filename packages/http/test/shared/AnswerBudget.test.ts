/** What answers hold is bounded over all requests, until they are sent. */
import { Api } from "@attestry/api/Api"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { IncomingRequest, OutgoingResponse } from "../../src/shared/HttpMessage.js"
import * as AnswerBudget from "../../src/shared/internal/AnswerBudget.js"
import * as RouteTable from "../../src/shared/internal/RouteTable.js"

const MEBIBYTE = 1_048_576
const PIECES = Array.from({ length: 8 }, () => new Uint8Array(MEBIBYTE))

const routes = RouteTable.routesOf(Api)

const routeOf = (wanted: string): RouteTable.Route => {
  const found = routes.find(({ group, name }) => `${group}.${name}` === wanted)
  if (found === undefined) throw new Error(`there is no operation ${wanted}`)
  return found
}

const request = (url: string, whenSent?: IncomingRequest["whenSent"]): IncomingRequest => ({
  method: "GET",
  url,
  headers: () => [],
  remoteAddress: "",
  body: {
    [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) })
  },
  ...(whenSent === undefined ? {} : { whenSent })
})

/** The number of concurrent answers of an org, now and at most. */
const counter = () => {
  const held = { now: 0, most: 0 }
  return {
    held,
    begin: () => {
      held.now += 1
      held.most = Math.max(held.most, held.now)
    },
    end: () => {
      held.now -= 1
    }
  }
}

describe("AnswerBudget", () => {
  it.live("makes and sends few of many large answers at a time, and answers all", () =>
    Effect.gen(function* () {
      const within = AnswerBudget.make()
      const { begin, end, held } = counter()
      const one = () => {
        const sent = (then: () => void) =>
          setTimeout(() => {
            end()
            then()
          }, 2)
        const asked = {
          request: request("/api/v2/trails/org/flow/long", sent),
          route: routeOf("trail.get"),
          params: { org: "org" }
        }
        const response = Effect.sync((): OutgoingResponse => {
          begin()
          return { status: 200, headers: {}, body: PIECES }
        })
        return within(asked, {}, response)
      }
      const answers = yield* Effect.all(Array.from({ length: 64 }, one), {
        concurrency: "unbounded"
      })
      assert.strictEqual(answers.length, 64)
      // 128 MiB of one org, of which each answer counts 32 MiB while it is made and 8 MiB while it is sent.
      assert.isAtMost(held.most, 16)
    })
  )

  it.live("answers 503 after the time limit, and lets other orgs read", () =>
    Effect.gen(function* () {
      const within = AnswerBudget.make({ ...AnswerBudget.LIMITS, answersPerOrg: 1, waitMillis: 20 })
      const ask = (org: string, response: Effect.Effect<OutgoingResponse>) =>
        within(
          {
            request: request(`/api/v2/flows/${org}`),
            route: routeOf("flow.list"),
            params: { org }
          },
          {},
          response
        )
      yield* Effect.fork(ask("noisy", Effect.never))
      yield* Effect.yieldNow()
      const ok: OutgoingResponse = { status: 200, headers: {}, body: "[]" }
      const [late, other] = yield* Effect.all(
        [Effect.flip(ask("noisy", Effect.succeed(ok))), ask("quiet", Effect.succeed(ok))],
        { concurrency: "unbounded" }
      )
      assert.strictEqual(late._tag, "Unavailable")
      assert.strictEqual(other, ok)
    })
  )

  it.live("counts neither writes nor requests that wait for something to happen", () =>
    Effect.gen(function* () {
      const within = AnswerBudget.make({ ...AnswerBudget.LIMITS, answersPerOrg: 1, waitMillis: 20 })
      const params = { org: "org" }
      const url = "/api/v2/events/org?wait=30"
      const waiting = { request: request(url), route: routeOf("log.events"), params }
      yield* Effect.fork(within(waiting, { urlParams: { wait: 30 } }, Effect.never))
      const writing = { request: request("/api/v2/flows/org"), route: routeOf("flow.put"), params }
      yield* Effect.fork(within(writing, {}, Effect.never))
      yield* Effect.yieldNow()
      const ok: OutgoingResponse = { status: 200, headers: {}, body: "[]" }
      const reading = {
        request: request("/api/v2/flows/org"),
        route: routeOf("flow.list"),
        params
      }
      assert.strictEqual(yield* within(reading, {}, Effect.succeed(ok)), ok)
    })
  )
})
