/** The page of the API, with Swagger UI installed and without. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as DocumentationPage from "../../src/node/DocumentationPage.js"

const shown = (routes: Effect.Effect.Success<typeof DocumentationPage.make>, path: string) =>
  Effect.flatten(Effect.fromNullable(routes.get(path)))

describe("the page of the API", () => {
  it.effect("has Swagger UI's files beside it", () =>
    Effect.gen(function* () {
      const routes = yield* DocumentationPage.make
      assert.deepStrictEqual(
        [...routes.keys()],
        [
          "/api/v2/doc",
          "/api/v2/doc/",
          "/api/v2/doc/page.js",
          "/api/v2/doc/swagger-ui.css",
          "/api/v2/doc/swagger-ui-bundle.js"
        ]
      )
      const page = yield* shown(routes, "/api/v2/doc/")
      assert.include(String(page.body), "swagger-ui-bundle.js")
      assert.isAbove(String((yield* shown(routes, "/api/v2/doc/swagger-ui.css")).body).length, 1000)
    })
  )

  it.effect("explains how to install Swagger UI where it is missing", () =>
    Effect.gen(function* () {
      const routes = yield* DocumentationPage.makeFrom((file) => {
        throw new Error(`Cannot find module '${file}'`)
      })
      assert.deepStrictEqual([...routes.keys()], ["/api/v2/doc", "/api/v2/doc/"])
      const { body, headers, status } = yield* shown(routes, "/api/v2/doc/")
      assert.strictEqual(status, 200)
      assert.strictEqual(headers["content-type"], "text/html; charset=utf-8")
      assert.include(String(body), "npm install swagger-ui-dist@5")
    })
  )
})
