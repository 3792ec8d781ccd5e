/** Browser sessions, opened with an API key. DECISION A-36 */
import * as FieldErrors from "@attestry/core/FieldErrors"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { OkBody } from "../shared/OkBody.js"
import { noBody, Operation, optionalJsonBody, rule } from "../shared/Operation.js"

/** The key of the session; the `Authorization` header can contain it instead. */
export const OpenSession = Schema.Struct({
  api_key: Schema.optionalWith(Schema.String.annotations(FieldErrors.sensitive), { exact: true })
}).annotations({ identifier: "OpenSession" })

/** The `X-CSRF-Token` that writes of the session must send. */
export const SessionResponse = Schema.Struct({ csrf_token: Schema.String }).annotations({
  identifier: "Session",
  ...HttpApiSchema.annotations({ status: 201 })
})

/** Browser sessions. */
export class SessionApi extends HttpApiGroup.make("session")
  .add(
    HttpApiEndpoint.post("open", "/session")
      .setPayload(OpenSession)
      .addSuccess(SessionResponse)
      .annotate(Operation, rule("open", optionalJsonBody, { isConfidential: true }))
      .annotate(
        OpenApi.Summary,
        "Open a browser session: sets a cookie that stands for the API key"
      )
      .annotate(
        OpenApi.Description,
        "Opens a session for browsers with an API key, from the body or from the " +
          "`Authorization` header. Writes in the session must carry the token of the answer as " +
          "`X-CSRF-Token`."
      )
  )
  .add(
    HttpApiEndpoint.del("close", "/session")
      .addSuccess(OkBody)
      .annotate(Operation, rule("authenticated", noBody, { schemes: ["session"] }))
      .annotate(OpenApi.Summary, "End the browser session of the cookie")
      .annotate(OpenApi.Description, "Ends the session, and removes its cookie.")
  )
  .annotate(OpenApi.Title, "Browser sessions")
  .annotate(
    OpenApi.Description,
    "Sessions of browsers, which carry the access of an API key in a cookie."
  ) {}
