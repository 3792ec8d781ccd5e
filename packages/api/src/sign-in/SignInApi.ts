/** The operations of sign-in with providers of identities. */
import { OrgName } from "@attestry/core/Identifier"
import { Subject } from "@attestry/core/Identity"
import { optional } from "@attestry/core/OptionalField"
import { ProviderId } from "@attestry/core/Provider"
import { BaseRole } from "@attestry/core/Role"
import { Outcome } from "@attestry/core/SignIn"
import * as SignInSettings from "@attestry/core/SignInSettings"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { OkBody } from "../shared/OkBody.js"
import { jsonBody, noBody, Operation, optionalJsonBody, rule } from "../shared/Operation.js"
import * as Paging from "../shared/Paging.js"
import { org } from "../shared/PathParam.js"

const provider = HttpApiSchema.param(
  "provider",
  ProviderId.annotations({ description: "The id of a provider of identities." })
)

/** The providers with which people can sign in. */
export const SignInProviders = Schema.Struct({
  providers: Schema.Array(
    Schema.Struct({
      id: ProviderId,
      label: Schema.String.annotations({ description: "What its button says" }),
      path: Schema.String.annotations({
        description: "Where a browser begins to sign in, below the address of the deployment"
      })
    })
  )
}).annotations({ identifier: "SignInProviders" })

const {
  providers,
  only,
  session_hours,
  fresh_minutes,
  personal_keys,
  key_max_days,
  join,
  group_teams,
  provision_role
} = SignInSettings.SignInSettings.fields

/** A rule for joining to set; without a role it gives none. */
export const PutJoinRule = Schema.Struct({
  ...SignInSettings.JoinRule.fields,
  role: optional(BaseRole)
}).annotations({ identifier: "PutJoinRule" })

/** The sign-in settings to set; a member that is left out has its default. */
export const PutSignInSettings = Schema.Struct({
  providers: optional(providers),
  only: optional(only),
  session_hours: optional(session_hours),
  fresh_minutes: optional(fresh_minutes),
  personal_keys: optional(personal_keys),
  key_max_days: optional(key_max_days),
  join: optional(Schema.Array(PutJoinRule).pipe(Schema.maxItems(SignInSettings.JOIN_RULES_MAX))),
  group_teams: optional(group_teams),
  provision_role: optional(provision_role)
}).annotations({ identifier: "PutSignInSettings" })

/** The sign-in settings of an org, and what it may choose from. */
export const SignInSettingsResponse = Schema.Struct({
  providers,
  only,
  session_hours,
  fresh_minutes,
  personal_keys,
  key_max_days,
  join,
  group_teams,
  provision_role,
  offered: Schema.Array(ProviderId).annotations({
    description: "The providers that the operator offers to the org"
  })
}).annotations({ identifier: "SignInSettingsOfOrg" })

/** One attempt to sign in. */
export const SignInAttempt = Schema.Struct({
  at: EpochSeconds,
  provider: ProviderId,
  outcome: Outcome,
  login: Schema.NullOr(Schema.String).annotations({ description: "The member who signed in" }),
  subject: Schema.NullOr(Subject).annotations({
    description: "Whom the provider named, for an administrator who lets the person in"
  })
}).annotations({ identifier: "SignInAttempt" })

/** A page of attempts. */
export const SignInAttempts = Schema.Struct({
  ...Paging.counterFields,
  sign_ins: Schema.Array(SignInAttempt)
}).annotations({ identifier: "SignInAttempts" })

/** The identities of the caller. */
export const OwnIdentities = Schema.Struct({
  identities: Schema.Array(
    Schema.Struct({
      provider: ProviderId,
      issuer: Schema.String,
      subject: Subject,
      linked_at: EpochSeconds
    })
  )
}).annotations({ identifier: "OwnIdentities" })

/** The page to return to after an identity was linked. */
export const LinkIdentity = Schema.Struct({
  next: Schema.optionalWith(Schema.String, { exact: true })
}).annotations({ identifier: "LinkIdentity" })

/** Where the browser goes on. */
export const SignInLocation = Schema.Struct({
  location: Schema.String.annotations({ description: "The address of the provider" })
}).annotations({ identifier: "SignInLocation" })

/** An org of the caller in which the session does not count. */
export const UncountedOrg = Schema.Struct({
  name: OrgName,
  sign_in: Schema.Array(Schema.String).annotations({
    description: "The providers whose sessions the org accepts"
  })
}).annotations({ identifier: "UncountedOrg" })

/** The operations of sign-in. */
export class SignInApi extends HttpApiGroup.make("signIn")
  .add(
    HttpApiEndpoint.get("providers", "/sign-in")
      .addSuccess(SignInProviders)
      .annotate(Operation, rule("open", noBody))
      .annotate(OpenApi.Summary, "List the providers with which people sign in")
      .annotate(
        OpenApi.Description,
        "Answers the providers of identities of this deployment, in the order of their buttons; " +
          "none where sessions are opened with API keys alone."
      )
  )
  .add(
    HttpApiEndpoint.get("get")`/sign-in/${org}`
      .addSuccess(SignInSettingsResponse)
      .annotate(Operation, rule("sign-in.write", noBody))
      .annotate(OpenApi.Summary, "Get how people sign in to an org")
      .annotate(
        OpenApi.Description,
        "Answers which providers the org accepts, how old a sign-in may be, and who becomes a " +
          "member by signing in; the defaults while the org has set nothing."
      )
  )
  .add(
    HttpApiEndpoint.put("put")`/sign-in/${org}`
      .setPayload(PutSignInSettings)
      .addSuccess(SignInSettingsResponse)
      .annotate(Operation, rule("sign-in.write", jsonBody, { isSensitive: true }))
      .annotate(OpenApi.Summary, "Set how people sign in to an org")
      .annotate(
        OpenApi.Description,
        "Replaces the settings; members that are left out have their defaults. They hold within a " +
          "second, also for sessions that are open. Teams of `group_teams` are made where they do not " +
          "exist, and are changed by sign-ins alone. A provider that is not offered to the org, a rule " +
          "that can admit nobody, and a team that is kept in another way are 400."
      )
  )
  .add(
    HttpApiEndpoint.get("attempts")`/sign-ins/${org}`
      .setUrlParams(Schema.Struct(Paging.pageFields()))
      .addSuccess(SignInAttempts)
      .annotate(Operation, rule("sign-in.write", noBody))
      .annotate(OpenApi.Summary, "List who signed in, and who was refused")
      .annotate(
        OpenApi.Description,
        "Answers one page of the attempts of the last 90 days, newest first: those of members of " +
          "the org, and those of people whom nobody here is known to be, by a provider that the " +
          "org accepts."
      )
  )
  .add(
    HttpApiEndpoint.get("identities", "/user/identities")
      .addSuccess(OwnIdentities)
      .annotate(Operation, rule("authenticated", noBody))
      .annotate(OpenApi.Summary, "List the caller's identities")
      .annotate(
        OpenApi.Description,
        "Answers the identities at providers with which the caller can sign in; a service account " +
          "has none."
      )
  )
  .add(
    HttpApiEndpoint.post("link")`/user/identities/${provider}`
      .setPayload(LinkIdentity)
      .addSuccess(SignInLocation)
      .annotate(
        Operation,
        rule("authenticated", optionalJsonBody, { schemes: ["session"], isConfidential: true })
      )
      .annotate(OpenApi.Summary, "Begin to link an identity to the caller")
      .annotate(
        OpenApi.Description,
        "Answers the address of the provider, to which the browser goes on; afterwards the person " +
          "signs in with that identity. Only within five minutes after an API key has opened the " +
          "session; later it is 403."
      )
  )
  .add(
    HttpApiEndpoint.del("unlink")`/user/identities/${provider}`
      .addSuccess(OkBody)
      .annotate(Operation, rule("authenticated", noBody))
      .annotate(OpenApi.Summary, "Unlink an identity of the caller")
      .annotate(
        OpenApi.Description,
        "Unlinks the identity, which ends the sessions that it has opened. 404 where the caller " +
          "has none at the provider."
      )
  )
  .annotate(OpenApi.Title, "Sign-in")
  .annotate(
    OpenApi.Description,
    "How people sign in with providers of identities, by OpenID Connect."
  ) {}
