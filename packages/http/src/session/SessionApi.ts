/** Browser sessions, opened with an API key. DECISION A-36 */
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { OkBody } from "../shared/OkBody.js"
import { noBody, Operation, rule } from "../shared/Operation.js"

/** A session: whose it is, what its writes must carry as `X-CSRF-Token`, and when it ends. */
export const SessionResponse = Schema.Struct({
  user: Schema.String,
  csrf_token: Schema.String,
  expires_at: EpochSeconds
}).annotations({ identifier: "Session" })

/** Browser sessions. */
export class SessionApi extends HttpApiGroup.make("session")
  .add(
    HttpApiEndpoint.post("open", "/session")
      .addSuccess(SessionResponse.annotations(HttpApiSchema.annotations({ status: 201 })))
      .annotate(Operation, rule("authenticated", noBody, { schemes: ["bearer"] }))
      .annotate(
        OpenApi.Summary,
        "Open a browser session: sets a cookie that stands for the API key"
      )
  )
  .add(
    HttpApiEndpoint.del("close", "/session")
      .addSuccess(OkBody)
      .annotate(Operation, rule("authenticated", noBody, { schemes: ["session"] }))
      .annotate(OpenApi.Summary, "End the browser session of the cookie")
  )
  .annotate(OpenApi.Title, "Browser sessions") {}
