/** Basic authentication: only where the rule of an operation accepts it, with the key as user name. SPEC §5.2 */
import { noBody, Operation, rule } from "@attestry/api/Operation"
import { org } from "@attestry/api/PathParam"
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import { Effect, Schema } from "effect"
import { assert, it } from "vitest"
import { ok } from "../../src/shared/HttpMessage.js"
import * as Dispatcher from "../../src/shared/internal/Dispatcher.js"
import { group } from "../../src/shared/internal/Handlers.js"
import * as RouteTable from "../../src/shared/internal/RouteTable.js"
import * as WebHandler from "../../src/WebHandler.js"
import { onEveryStore } from "./TestServer.js"

class SmallApi extends HttpApiGroup.make("small")
  .add(
    HttpApiEndpoint.put("both")`/both/${org}`
      .addSuccess(Schema.String)
      .annotate(Operation, rule("org.read", noBody, { schemes: ["bearer", "basic", "session"] }))
  )
  .add(
    HttpApiEndpoint.put("bearerOnly")`/bearer/${org}`
      .addSuccess(Schema.String)
      .annotate(Operation, rule("org.read", noBody))
  ) {}

const small = HttpApi.make("small").add(SmallApi)
const PLACES = { "small.both": "root", "small.bearerOnly": "root" } as const

const served = Effect.gen(function* () {
  const handlers = yield* group(
    SmallApi,
    Effect.succeed({
      both: () => Effect.succeed(ok("in")),
      bearerOnly: () => Effect.succeed(ok("in"))
    })
  )
  const dispatch = yield* Dispatcher.make(RouteTable.routesOf(small, PLACES), [handlers], {
    staticRoutes: new Map()
  })
  return yield* WebHandler.make(dispatch)
})

onEveryStore("an operation that accepts Basic", ({ run, keyOf }) => {
  const status = async (path: string, authorization: string) => {
    const handler = await run(served)
    const request = new Request(`http://attestry.test${path}`, {
      method: "PUT",
      headers: { authorization }
    })
    return (await handler(request)).status
  }

  it("accepts the key as user name, with any password and any case of the scheme", async () => {
    const key = keyOf("admin")
    for (const pair of [`${key}:`, `${key}:x`, `${key}:a:b`, key]) {
      assert.strictEqual(await status("/both/acme", `Basic ${btoa(pair)}`), 200, pair.slice(-6))
    }
    assert.strictEqual(await status("/both/acme", `bAsIc ${btoa(`${key}:`)}`), 200)
    assert.strictEqual(await status("/both/acme", `Bearer ${key}`), 200)
    assert.strictEqual(await status("/both/globex", `Basic ${btoa(`${key}:`)}`), 403)
  })

  it("refuses everything else, and no other operation accepts Basic", async () => {
    const key = keyOf("admin")
    const wrong = [
      `Basic ${btoa(`:${key}`)}`,
      "Basic",
      "Basic ",
      "Basic !!!",
      `Basicx ${btoa(`${key}:`)}`,
      `Basic ${btoa("someone:password")}`,
      `Basic ${key}`
    ]
    for (const header of wrong) assert.strictEqual(await status("/both/acme", header), 401, header)
    assert.strictEqual(await status("/bearer/acme", `Basic ${btoa(`${key}:`)}`), 401)
    assert.strictEqual(await status("/bearer/acme", `Bearer ${key}`), 200)
  })
})
