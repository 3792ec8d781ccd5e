/** Sessions of browsers, and of command lines to which a browser offers one. */
import * as FieldErrors from "@attestry/core/FieldErrors"
import { OrgName } from "@attestry/core/Identifier"
import { permissions } from "@attestry/core/Permission"
import { BaseRole } from "@attestry/core/Role"
import { CODE_LENGTH_MAX, isChallenge, isVerifier } from "@attestry/core/Session"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { ownSpaces } from "../meta/MetaApi.js"
import { OkBody } from "../shared/OkBody.js"
import { jsonBody, noBody, Operation, optionalJsonBody, rule } from "../shared/Operation.js"
import { SignInLocation, UncountedOrg } from "../sign-in/SignInApi.js"

/** The key of the session; the `Authorization` header can contain it instead. */
export const OpenSession = Schema.Struct({
  api_key: Schema.optionalWith(Schema.String.annotations(FieldErrors.sensitive), { exact: true })
}).annotations({ identifier: "OpenSession" })

/** The `X-CSRF-Token` that writes of the session must send. */
export const SessionResponse = Schema.Struct({ csrf_token: Schema.String }).annotations({
  identifier: "Session",
  ...HttpApiSchema.annotations({ status: 201 })
})

/** What a command line made to claim the session with, so that its code alone is worth nothing. */
export const SessionOffer = Schema.Struct({
  challenge: Schema.String.annotations({
    description: "The SHA-256 of the code verifier, in base64url without padding (RFC 7636, S256)",
    examples: ["E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"]
  }).pipe(Schema.filter(isChallenge, { message: () => "Input should be a challenge of S256" }))
}).annotations({ identifier: "SessionOffer" })

/** The code of an offered session. */
export const OfferedSession = Schema.Struct({
  code: Schema.String,
  claim_until: EpochSeconds.annotations({ description: "When the code stops working" })
}).annotations({
  identifier: "OfferedSession",
  ...HttpApiSchema.annotations({ status: 201 })
})

/** The code of an offered session, and the verifier of its challenge. */
export const SessionClaim = Schema.Struct({
  code: Schema.String.pipe(Schema.maxLength(CODE_LENGTH_MAX)).annotations(FieldErrors.sensitive),
  verifier: Schema.String.annotations({
    ...FieldErrors.sensitive,
    examples: ["dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"]
  }).pipe(Schema.filter(isVerifier, { message: () => "Input should be a code verifier" }))
}).annotations({ identifier: "SessionClaim" })

/** A claimed session, whose token no other response contains. */
export const ClaimedSession = Schema.Struct({
  token: Schema.String.annotations({ description: "Sent as `Authorization: Bearer <token>`" }),
  expires_at: EpochSeconds
}).annotations({
  identifier: "ClaimedSession",
  ...HttpApiSchema.annotations({ status: 201 })
})

/** One org of the caller, with the permissions of the caller in it. */
const SessionOrg = Schema.Struct({
  name: OrgName,
  role: BaseRole,
  permissions: Schema.Array(Schema.Literal(...permissions)).annotations({
    description: "What the caller may do in the org, or in some space of it"
  }),
  spaces: ownSpaces
}).annotations({ identifier: "SessionOrg" })

/** The session of the cookie: the person who is signed in, and the permissions of that person. */
export const CurrentSession = Schema.Struct({
  csrf_token: Schema.String,
  actor: Schema.Struct({
    kind: Schema.Literal("user", "service-account"),
    id: Schema.String.annotations({
      description: "Tells people of one name apart; the id that entries of the audit log have"
    }),
    name: Schema.String
  }),
  default_org: Schema.NullOr(OrgName),
  orgs: Schema.Array(SessionOrg),
  expires_at: EpochSeconds,
  sign_in: Schema.Array(Schema.String).annotations({
    description: "Ways to sign in beside an API key: the ids of providers"
  }),
  signed_in: Schema.optionalWith(
    Schema.Struct({
      provider: Schema.String,
      auth_time: Schema.NullOr(EpochSeconds).annotations({
        description: "When the provider asked the person; null where it does not say"
      })
    }),
    { exact: true }
  ).annotations({ description: "Only of a person who signed in with a provider" }),
  uncounted: Schema.optionalWith(Schema.Array(UncountedOrg), { exact: true }).annotations({
    description: "Orgs of the caller in which this session does not count, where there are any"
  })
}).annotations({ identifier: "CurrentSession" })

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
    HttpApiEndpoint.get("get", "/session")
      .addSuccess(CurrentSession)
      .annotate(
        Operation,
        rule("authenticated", noBody, { schemes: ["session"], isConfidential: true })
      )
      .annotate(OpenApi.Summary, "Get the browser session of the cookie")
      .annotate(
        OpenApi.Description,
        "Answers who is signed in, their orgs with role and permissions in each, and the token " +
          "that writes of the session must carry as `X-CSRF-Token`. 401 without a session."
      )
  )
  .add(
    HttpApiEndpoint.del("close", "/session")
      .addSuccess(Schema.Union(OkBody, SignInLocation))
      .annotate(Operation, rule("authenticated", noBody))
      .annotate(OpenApi.Summary, "End the session of the caller")
      .annotate(
        OpenApi.Description,
        "Ends the session of the cookie, or of the bearer token, and removes the cookie. Where the " +
          "session was opened at a provider that signs out too, the answer has its address, to " +
          "which the browser goes on. 401 with an API key."
      )
  )
  .add(
    HttpApiEndpoint.post("offer", "/session/codes")
      .setPayload(SessionOffer)
      .addSuccess(OfferedSession)
      .annotate(
        Operation,
        rule("authenticated", jsonBody, { schemes: ["session"], isConfidential: true })
      )
      .annotate(OpenApi.Summary, "Offer the session of the cookie to a command line")
      .annotate(
        OpenApi.Description,
        "Answers a code with which the command line that has made the challenge claims a session " +
          "of its own: once, within a minute, and only while the session of the browser lasts."
      )
  )
  .add(
    HttpApiEndpoint.post("claim", "/session/cli")
      .setPayload(SessionClaim)
      .addSuccess(ClaimedSession)
      .annotate(Operation, rule("open", jsonBody, { isConfidential: true }))
      .annotate(OpenApi.Summary, "Claim the session that a browser offers")
      .annotate(
        OpenApi.Description,
        "Answers the token of a session that counts wherever the session of the browser does, and " +
          "ends when that one would end. 400 for a code that is wrong, was used or is too old."
      )
  )
  .annotate(OpenApi.Title, "Sessions")
  .annotate(
    OpenApi.Description,
    "Sessions of browsers, in a cookie, and of command lines, as bearer token. They carry the " +
      "access of an API key, or of a person who signed in with a provider."
  ) {}
