/** Environments under the second words of their kinds. */
import * as EnvironmentKind from "@attestry/core/EnvironmentKind"
import { assert, it } from "vitest"
import { onEveryStore } from "../shared/TestServer.js"

/** The smallest unit of each kind that has a second word. */
const units: { readonly [kind: string]: object } = {
  "container-tasks": { taskArn: "task-1" },
  functions: {},
  "object-store": {},
  "cloudx-apps": { app_kind: "web", app_name: "shop", digests_source: "logs" },
  "serverless-run": { kind: "service", serviceName: "s", revisionName: "r" }
}

type Shown = Record<string, unknown>

onEveryStore("the second words of kinds", ({ call, journal }) => {
  const put = (name: string, type: string) =>
    call("PUT /environments/{org}", { body: { name, type } })
  const get = async (env_name: string) =>
    (await call("GET /environments/{org}/{env_name}", { path: { env_name } })).body as Shown
  const snapshot = async (env_name: string, index: number) => {
    const { body } = await call("GET /snapshots/{org}/{env_name}/{snapshot_expression}", {
      path: { env_name, snapshot_expression: String(index) }
    })
    return body as Shown
  }
  const names = async (query: string) =>
    ((await call("GET /environments/{org}", { query })).body as ReadonlyArray<Shown>).map(
      ({ name, type }) => [name, type]
    )

  for (const alias of EnvironmentKind.KindAlias.literals) {
    const kind = EnvironmentKind.ALIASES[alias]
    const report = (env_name: string, word: string, digit: string, more: object = {}) =>
      call(`PUT /environments/{org}/{env_name}/report/${word}`, {
        path: { env_name },
        body: {
          ...more,
          artifacts: [
            { digests: { app: digit.repeat(64) }, creationTimestamp: 1_790_000_000, ...units[kind] }
          ]
        }
      })
    const [first, second] = [`${kind}-a`, `${kind}-b`]

    it(`${kind}: an environment is shown with the word that it was created with`, async () => {
      assert.deepStrictEqual(
        [(await put(first, alias)).status, (await put(second, kind)).status],
        [201, 201]
      )
      assert.deepStrictEqual([(await get(first)).type, (await get(second)).type], [alias, kind])
    })

    it(`${kind}: both words are one kind, for a second PUT and for filters`, async () => {
      const before = (await journal()).length
      for (const [name, word] of [
        [first, kind],
        [second, alias]
      ] as const) {
        assert.strictEqual((await put(name, word)).status, 200)
      }
      assert.strictEqual((await journal()).length, before)
      assert.deepStrictEqual([(await get(first)).type, (await get(second)).type], [alias, kind])
      const expected = [
        [first, alias],
        [second, kind]
      ]
      assert.deepStrictEqual(await names(`?type=${alias}`), expected)
      assert.deepStrictEqual(await names(`?type=${kind}`), expected)
      const other = await put(first, "docker")
      assert.strictEqual(other.status, 400)
      assert.notInclude(JSON.stringify(other.body), alias)
    })

    it(`${kind}: reports come by either path, and say their kind by either word`, async () => {
      for (const env_name of [first, second]) {
        const statuses = [
          await report(env_name, alias, "a"),
          await report(env_name, kind, "a", { type: alias }),
          await report(env_name, alias, "a", { type: kind }),
          await report(env_name, kind, "b", { type: kind }),
          await report(env_name, alias, "b", { type: alias })
        ].map(({ status }) => status)
        assert.deepStrictEqual(statuses, [200, 200, 200, 200, 200])
        const latest = await snapshot(env_name, -1)
        assert.deepInclude(latest, { index: 2, type: (await get(env_name)).type })
      }
      const wrong = await report(first, alias, "a", { type: "docker" })
      assert.strictEqual(wrong.status, 400)
      assert.match(JSON.stringify(wrong.body), /"type":"Input should be/)
      await put("other", "docker")
      assert.strictEqual((await report("other", alias, "a")).status, 400)
    })
  }

  it("are exact", async () => {
    for (const word of EnvironmentKind.KindAlias.literals) {
      const turned = word === word.toLowerCase() ? word.toUpperCase() : word.toLowerCase()
      assert.strictEqual((await put("case", turned)).status, 400)
    }
  })
})
