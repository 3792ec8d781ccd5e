/** Every operation refuses a query parameter that it does not know, and no page does. */
import { Api } from "@attestry/api/Api"
import { Either, Schema } from "effect"
import { assert, describe, it } from "vitest"
import * as CompiledRoute from "../../src/shared/internal/CompiledRoute.js"
import * as Query from "../../src/shared/internal/Query.js"
import * as RouteTable from "../../src/shared/internal/RouteTable.js"
import { all } from "../fuzz/PublishedOperation.js"
import { onEveryStore } from "../shared/TestServer.js"

const errorsOf = (body: unknown) =>
  (body as { readonly errors?: { readonly [field: string]: string } }).errors ?? {}

describe("the query of an operation", () => {
  for (const route of RouteTable.routesOf(Api)) {
    const { method, path } = route
    it(`${method} ${path} refuses an unknown parameter and knows its own`, () => {
      const decode = CompiledRoute.queryOf(route)
      const refused = decode("surprise=1")
      assert.isTrue(Either.isLeft(refused))
      if (Either.isLeft(refused))
        assert.match(errorsOf(refused.left)["query.surprise"] ?? "", /unknown/)
      const template = path.replaceAll(/:([a-z_]+)/g, "{$1}")
      const published = all.find((one) => one.method === method && one.path === template)
      const names = (published?.parameters ?? []).filter((one) => one.in === "query")
      const answer = decode(names.map(({ name }) => `${name}=1`).join("&"))
      const errors = Either.isLeft(answer) ? Object.values(errorsOf(answer.left)) : []
      assert.deepStrictEqual(
        errors.filter((message) => /unknown/.test(message)),
        []
      )
    })
  }
})

describe("the error of an unknown parameter", () => {
  const messageFor = (known: string): string => {
    const decode = Query.decoder(
      CompiledRoute.plainSchema(Schema.Struct({ [known]: Schema.optional(Schema.String) }))
    )
    return Either.match(decode("surprise=1"), {
      onLeft: (error) => errorsOf(error)["query.surprise"] ?? "",
      onRight: () => ""
    })
  }

  it("lists the known ones up to 300 characters", () => {
    const longest = "x".repeat(300)
    assert.strictEqual(
      messageFor(longest),
      `Query parameter is unknown (known: ${longest}) [input: …]`
    )
    assert.strictEqual(messageFor(`${longest}x`), "Query parameter is unknown [input: …]")
  })
})

onEveryStore("unknown query parameters", ({ call }) => {
  it("are refused with the nearest known one and the list of all", async () => {
    const answer = await call("GET /artifacts/{org}", { query: "?flowname=a&page=x" })
    assert.strictEqual(answer.status, 400)
    assert.deepStrictEqual(answer.body, {
      message: "Input payload validation failed",
      errors: {
        "query.flowname":
          "Query parameter is unknown; did you mean `flow_name`? " +
          "(known: page, per_page, flow_name, repo_name, search) [input: …]",
        "query.page":
          "Input should be a valid integer, unable to parse string as an integer [input: x]"
      }
    })
  })

  it("are refused by reads and writes that have no parameters", async () => {
    const answers = [
      await call("GET /policies/{org}", { query: "?page=1" }),
      await call("GET /user/default-org", { query: "?page=1" })
    ]
    for (const { status, body } of answers) {
      assert.strictEqual(status, 400)
      assert.deepStrictEqual(errorsOf(body), {
        "query.page": "Query parameter is unknown: this operation has none [input: …]"
      })
    }
    const body = { name: "f", description: "" }
    const write = await call("PUT /flows/{org}", { query: "?dryrun=true", body })
    assert.strictEqual(write.status, 400)
    assert.deepStrictEqual(errorsOf(write.body), {
      "query.dryrun":
        "Query parameter is unknown; did you mean `dry_run`? (known: dry_run) [input: …]"
    })
    assert.strictEqual(
      (await call("GET /flows/{org}/{flow_name}", { path: { flow_name: "f" } })).status,
      404
    )
  })

  it("are reported after the caller is authenticated", async () => {
    const query = "?surprise=1"
    assert.strictEqual((await call("GET /flows/{org}", { query, as: "nobody" })).status, 401)
    assert.strictEqual((await call("GET /flows/{org}", { query, as: "foreigner" })).status, 403)
  })

  it("are not repeated in full, neither names nor values", async () => {
    const name = "é".repeat(2_000)
    const { status, body } = await call("GET /flows/{org}", {
      query: `?${encodeURIComponent(name)}=hidden&__proto__=1&=2`
    })
    assert.strictEqual(status, 400)
    const fields = Object.keys(errorsOf(body))
    assert.deepStrictEqual(fields, [`query.${"é".repeat(100)}…`, "query.__proto__", "query."])
    assert.notInclude(JSON.stringify(body), "hidden")
  })

  it("are counted up to a limit", async () => {
    const names = Array.from({ length: 1_024 }, (_, index) => `p${index}=1`)
    const { status, body } = await call("GET /flows/{org}", { query: `?${names.join("&")}` })
    assert.strictEqual(status, 400)
    assert.strictEqual(Object.keys(errorsOf(body)).length, 101)
    assert.isBelow(JSON.stringify(body).length, 65_536)
    const more = await call("GET /flows/{org}", { query: `?${names.join("&")}&p=1` })
    assert.deepStrictEqual(errorsOf(more.body), {
      query: "Input should have at most 1024 parameters [input: …]"
    })
  })

  it("do not matter to pages and probes", async () => {
    for (const page of ["/api/v2/openapi.json", "/api/v2/schemas/flow-template/v1"]) {
      assert.strictEqual((await call(`GET ${page}`, { query: "?surprise=1" })).status, 200)
    }
  })
})
