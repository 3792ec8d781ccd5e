/**
 * Valid and mutated requests from the published document: every request gets a response, of the documented shape, and
 * none is 500 (P-FUZZ).
 *
 * The seed is printed; `ATTESTRY_FUZZ_SEED` repeats another run.
 */
import { Chunk, Effect, Stream } from "effect"
import { assert, beforeAll, it } from "vitest"
import { isPieces, type OutgoingResponse } from "../../src/shared/HttpMessage.js"
import { onBothStores, type TestServer } from "../shared/TestServer.js"
import * as Draft from "./Draft.js"
import * as Mutation from "./Mutation.js"
import * as PublishedOperation from "./PublishedOperation.js"
import * as Random from "./Random.js"
import * as ValidRequest from "./ValidRequest.js"
import * as Verdict from "./Verdict.js"

const SEED = Number(process.env.ATTESTRY_FUZZ_SEED ?? 20_260_101)
const isDeep = (process.env.ATTESTRY_DEEP ?? "") !== ""
const REQUESTS: { readonly [store: string]: number } = {
  memory: isDeep ? 20_000 : 2_000,
  PostgreSQL: isDeep ? 4_000 : 300
}
const HANG_SECONDS = 20

const textOf = (body: OutgoingResponse["body"]): Effect.Effect<string, unknown> =>
  typeof body === "string"
    ? Effect.succeed(body)
    : body instanceof Uint8Array
      ? Effect.succeed("")
      : Effect.map(Stream.runCollect(isPieces(body) ? Stream.fromIterable(body) : body), (chunks) =>
          Buffer.concat(Chunk.toReadonlyArray(chunks)).toString()
        )

/** Creates the records with the names of the document's examples. */
const prepare = async ({ call }: TestServer): Promise<void> => {
  await call("PUT /flows/{org}", { body: { name: "shop", description: "" } })
  await call("PUT /trails/{org}/{flow_name}", {
    path: { flow_name: "shop" },
    body: { name: "build-17" }
  })
  await call("PUT /environments/{org}", { body: { name: "production", type: "docker" } })
  await call("PUT /environments/{org}/{env_name}/report/docker", {
    path: { env_name: "production" },
    body: { artifacts: [{ digests: { "shop:1.0": "a".repeat(64) }, creationTimestamp: 1 }] }
  })
}

onBothStores(
  "requests made from the document",
  (server) => {
    beforeAll(() => prepare(server))

    const tally = new Map<number, number>()
    const play = async (index: number): Promise<string | undefined> => {
      const random = Random.make(SEED, index)
      const operation = random.pick(PublishedOperation.all)
      const valid = ValidRequest.make(operation, random, server.keyOf("admin"))
      const isSpoiled = random.chance(0.75)
      const draft = isSpoiled ? Mutation.apply(valid, random) : valid
      const answer = await Effect.runPromise(
        server.serve(Draft.toRequest(draft)).pipe(
          Effect.flatMap(({ status, headers, body }) =>
            Effect.map(textOf(body), (text): Verdict.Answer => ({ status, headers, text }))
          ),
          Effect.timeout(`${HANG_SECONDS} seconds`)
        )
      ).catch((error: unknown) => String(error))
      if (typeof answer !== "string") {
        tally.set(answer.status, (tally.get(answer.status) ?? 0) + 1)
      }
      const wrong = typeof answer === "string" ? answer : Verdict.of(operation, answer, isSpoiled)
      return wrong === undefined ? undefined : `${index}: ${wrong}\n  ${Draft.show(draft)}`
    }

    it("get a response of the documented shape, and never 500", async ({ task }) => {
      const store = /\((\w+)\)/.exec(task.suite?.name ?? "")?.[1] ?? ""
      const requests = REQUESTS[store] ?? 0
      assert.isAbove(requests, 0)
      console.info(`seed ${SEED}: ${requests} requests (${store})`)
      const found: Array<string> = []
      for (let index = 0; index < requests && found.length < 20; index++) {
        const wrong = await play(index)
        if (wrong !== undefined) found.push(wrong)
      }
      console.info(`answers by status (${store}): ${JSON.stringify(Object.fromEntries(tally))}`)
      assert.deepStrictEqual(found, [])
      // WHY: a run in which every request is refused early would prove nothing.
      const expected =
        requests < 1_000 ? [200, 400, 404] : [200, 201, 400, 401, 403, 404, 405, 413, 415]
      for (const status of expected) {
        assert.isAbove(tally.get(status) ?? 0, 0, `no answer was ${status}`)
      }
      assert.isAbove((tally.get(200) ?? 0) + (tally.get(201) ?? 0), requests / 20)
    }, 1_200_000)
  },
  {
    limits: {
      failuresPerKey: 1e9,
      failuresPerSource: 1e9,
      perOrg: 1e9,
      writesPerOrg: 1e9,
      perCredential: 1e9
    }
  }
)
