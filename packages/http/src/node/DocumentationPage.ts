/**
 * The interactive page of the API at `/api/v2/doc/`: Swagger UI from its package, without a CDN.
 *
 * The package `swagger-ui-dist` is an optional peer. Where it is not installed, the page explains how to install it.
 */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as StaticRoutes from "../meta/internal/StaticRoutes.js"
import type { OutgoingResponse } from "../shared/HttpMessage.js"

const PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Attestry API</title>
  <link rel="stylesheet" href="swagger-ui.css">
</head>
<body>
  <div id="page"></div>
  <script src="swagger-ui-bundle.js"></script>
  <script src="page.js"></script>
</body>
</html>
`

const MISSING = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Attestry API</title>
</head>
<body>
  <h1>Attestry API</h1>
  <p>The interactive page needs a package that is not installed here. Install it beside
    <code>@attestry/http</code> and start the program again:</p>
  <pre>npm install swagger-ui-dist@5</pre>
  <p>The <a href="../openapi.json">OpenAPI document</a> is available without it.</p>
</body>
</html>
`

const SCRIPT = `SwaggerUIBundle({
  url: "../openapi.json",
  dom_id: "#page",
  deepLinking: true,
  persistAuthorization: false,
  tryItOutEnabled: true
})
`

/** Scripts and files of the page's own origin alone may run or load. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'"
].join("; ")

const page = (contentType: string, body: string): Effect.Effect<OutgoingResponse> => {
  const response = StaticRoutes.text(200, contentType, body)
  return Effect.succeed({
    ...response,
    headers: {
      ...response.headers,
      "content-security-policy": POLICY,
      "x-content-type-options": "nosniff"
    }
  })
}

/** WHY: without the slash, relative links resolve one folder above. WHY relative: a proxy may add a prefix. */
const toPage: Effect.Effect<OutgoingResponse> = Effect.succeed({
  status: 308,
  headers: { location: "doc/" },
  body: ""
})

const HTML = "text/html; charset=utf-8"
const JAVASCRIPT = "text/javascript; charset=utf-8"

type Routes = ReadonlyArray<readonly [path: string, response: Effect.Effect<OutgoingResponse>]>

/** Finds a file of a package, or throws. */
type Resolve = (file: string) => string

/** The files of Swagger UI; none where the package is not installed. */
const assets = (resolve: Resolve): Option.Option<Routes> => {
  const asset = (file: string) => readFileSync(resolve(`swagger-ui-dist/${file}`), "utf8")
  return Option.map(
    Option.liftThrowable(() => ({
      styles: asset("swagger-ui.css"),
      script: asset("swagger-ui-bundle.js")
    }))(),
    ({ styles, script }) => [
      ["/api/v2/doc/", page(HTML, PAGE)],
      ["/api/v2/doc/page.js", page(JAVASCRIPT, SCRIPT)],
      ["/api/v2/doc/swagger-ui.css", page("text/css; charset=utf-8", styles)],
      ["/api/v2/doc/swagger-ui-bundle.js", page(JAVASCRIPT, script)]
    ]
  )
}

/** The page and its files, with a way of the host to find the package, such as `createRequire(…).resolve`. */
export const makeFrom = (resolve: Resolve): Effect.Effect<StaticRoutes.StaticRoutes> =>
  Effect.sync(
    () =>
      new Map([
        ["/api/v2/doc", toPage],
        ...Option.getOrElse(assets(resolve), (): Routes => [["/api/v2/doc/", page(HTML, MISSING)]])
      ])
  )

/** The page and its files. */
export const make: Effect.Effect<StaticRoutes.StaticRoutes> = makeFrom(
  createRequire(import.meta.url).resolve
)
