/** Reports built from plain data, accepted by the real handlers; lists read as streams. */
import type { PhysicalKind } from "@attestry/core/EnvironmentKind"
import { EnvironmentName } from "@attestry/core/Identifier"
import { assert, describe, it } from "@effect/vitest"
import { Chunk, Effect, Stream } from "effect"
import * as Client from "../../src/Client.js"
import * as Pages from "../../src/Pages.js"
import * as Reports from "../../src/report/Reports.js"
import * as TestDeployment from "../shared/TestDeployment.js"
import { BASE_URL, org } from "../shared/TestDeployment.js"

const digest = "a".repeat(64)
const createdAt = new Date(1_790_000_100_900)
const images = { "shop:1.0": digest }

const connect = Effect.gen(function* () {
  const { adminKey, fetch } = yield* TestDeployment.make
  return yield* Client.make({ baseUrl: BASE_URL, apiKey: adminKey }).pipe(
    Effect.provide(TestDeployment.layerFetch(fetch))
  )
})

const start = (client: Client.Client, type: PhysicalKind) => {
  const env_name = EnvironmentName.make(`env-${type}`)
  return Effect.as(client.environment.put({ path: { org }, payload: { name: env_name, type } }), {
    org,
    env_name
  })
}

describe("Reports", () => {
  it.effect("builds a report of every kind that the service accepts", () =>
    Effect.gen(function* () {
      const client = yield* connect
      const running = [{ name: "shop:1.0", digest, createdAt }]
      const { report } = client
      yield* report.docker({
        path: yield* start(client, "docker"),
        payload: yield* Reports.docker(running)
      })
      yield* report.server({
        path: yield* start(client, "server"),
        payload: yield* Reports.server(running)
      })
      yield* report.functions({
        path: yield* start(client, "functions"),
        payload: yield* Reports.functions(running)
      })
      yield* report["object-store"]({
        path: yield* start(client, "object-store"),
        payload: yield* Reports.objectStore(running)
      })
      yield* report.K8S({
        path: yield* start(client, "K8S"),
        payload: yield* Reports.kubernetes([{ podName: "p", namespace: "n", images, createdAt }])
      })
      yield* report["container-tasks"]({
        path: yield* start(client, "container-tasks"),
        payload: yield* Reports.containerTasks([
          { taskArn: "t", cluster: "c", images: { "shop:1.0": "" }, createdAt: 1 }
        ])
      })
      yield* report["cloudx-apps"]({
        path: yield* start(client, "cloudx-apps"),
        payload: yield* Reports.cloudxApps([
          { app: "shop", kind: "web", digestsSource: "logs", images, createdAt }
        ])
      })
      yield* report["serverless-run"]({
        path: yield* start(client, "serverless-run"),
        payload: yield* Reports.serverlessRun([
          { kind: "service", service: "s", revision: "r", images, createdAt }
        ])
      })
      const found = yield* Pages.counted((page) =>
        Effect.map(
          client.environment.list({ path: { org }, urlParams: { page, per_page: 3 } }),
          (answer) =>
            "environments" in answer
              ? { items: answer.environments, total_pages: answer.total_pages }
              : { items: answer, total_pages: 1 }
        )
      ).pipe(Stream.runCollect)
      assert.strictEqual(Chunk.size(found), 8)
      assert.isTrue(Chunk.every(found, ({ last_changed_at }) => last_changed_at !== null))
    })
  )

  it.effect("drops fractions of a second, and refuses what is no digest", () =>
    Effect.gen(function* () {
      const { artifacts } = yield* Reports.docker([{ name: "shop", digest, createdAt }])
      assert.strictEqual(artifacts[0]?.creationTimestamp, 1_790_000_100)
      const refused = yield* Effect.flip(
        Reports.docker([{ name: "shop", digest: "latest", createdAt }])
      )
      assert.strictEqual(refused._tag, "ParseError")
    })
  )
})

describe("Pages", () => {
  it.effect("ends a bare list with the first page that is not full", () =>
    Effect.gen(function* () {
      const asked: Array<number> = []
      const items = yield* Pages.bare(2, (page) => {
        asked.push(page)
        return Effect.succeed(page < 3 ? [page, page] : [page])
      }).pipe(Stream.runCollect)
      assert.deepStrictEqual(Chunk.toReadonlyArray(items), [1, 1, 2, 2, 3])
      assert.deepStrictEqual(asked, [1, 2, 3])
    })
  )
})
