/** The interactive page of the API at `/api/v2/doc/`: Swagger UI from its package, without a CDN. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import * as Effect from "effect/Effect"
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

const asset = (file: string): string =>
  readFileSync(createRequire(import.meta.url).resolve(`swagger-ui-dist/${file}`), "utf8")

/** The page and its files. */
export const make: Effect.Effect<StaticRoutes.StaticRoutes> = Effect.sync(
  () =>
    new Map<string, Effect.Effect<OutgoingResponse>>([
      ["/api/v2/doc", toPage],
      ["/api/v2/doc/", page("text/html; charset=utf-8", PAGE)],
      ["/api/v2/doc/page.js", page("text/javascript; charset=utf-8", SCRIPT)],
      ["/api/v2/doc/swagger-ui.css", page("text/css; charset=utf-8", asset("swagger-ui.css"))],
      [
        "/api/v2/doc/swagger-ui-bundle.js",
        page("text/javascript; charset=utf-8", asset("swagger-ui-bundle.js"))
      ]
    ])
)
