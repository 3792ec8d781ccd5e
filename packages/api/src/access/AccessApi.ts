/** The operations that ask who can do what, and why. SPEC §4.32 */
import { SubjectKind } from "@attestry/core/Grant"
import { ApiKeyId } from "@attestry/core/Identifier"
import { KeyScope } from "@attestry/core/KeyScope"
import { permissions } from "@attestry/core/Permission"
import { Role } from "@attestry/core/Role"
import { SpacePath } from "@attestry/core/Space"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { answeredAsOf, asOf } from "../history/AsOfFields.js"
import { noBody, Operation, rule } from "../shared/Operation.js"
import { org } from "../shared/PathParam.js"
import * as QueryParam from "../shared/QueryParam.js"

/** The most characters of a name in a question. */
const NAME_LENGTH_MAX = 256

const Name = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(NAME_LENGTH_MAX))

/** The parameters that name a place, of which a question has at most one. */
const PLACES = ["space", "flow", "environment", "policy", "control"]

const places = {
  space: QueryParam.optional(SpacePath, "In the space of this path; `/` is the whole org."),
  flow: QueryParam.optional(Name, "In the space of the flow of this name."),
  environment: QueryParam.optional(Name, "In the space of the environment of this name."),
  policy: QueryParam.optional(Name, "In the space of the policy of this name."),
  control: QueryParam.optional(Name, "In the space of the control of this identifier.")
}

const subjects = {
  user: QueryParam.optional(Name, "About the member of this login; about the caller by default."),
  service_account: QueryParam.optional(Name, "About the service account of this name.")
}

const atMostOne =
  (names: ReadonlyArray<string>) => (query: { readonly [name: string]: unknown }) => {
    const [first, second] = names.filter((name) => query[name] !== undefined)
    return second === undefined
      ? undefined
      : { path: [second], message: `Cannot be used together with \`${first}\`` }
  }

/** A binding, with the grant that it comes from. */
const BindingFields = {
  kind: Schema.Literal("base", "grant", "team", "everyone", "break-glass").annotations({
    description:
      "Where it comes from: `base` the role of the membership or the account, `grant` a grant for it, `team` a " +
      "grant for a team of the person, `everyone` a grant for everyone, `break-glass` an opening of the person."
  }),
  role: Role,
  space: Schema.String.annotations({
    description: "The path of the space in which, and below which, it gives the role."
  }),
  number: Schema.NullOr(Schema.Int).annotations({
    description: "The number of the grant, or of the opening."
  }),
  team: Schema.NullOr(Schema.String).annotations({ description: "The name of the team." })
}

/** A role in a space, and where it comes from. */
export const AccessBinding = Schema.Struct(BindingFields).annotations({
  identifier: "AccessBinding"
})

const HolderKind = SubjectKind.pipe(Schema.pickLiteral("user", "service-account"))

/** A holder of a permission, and why. */
const AccessSubject = Schema.Struct({
  kind: HolderKind,
  name: Schema.String,
  role: Role.annotations({ description: "The highest role that it has there." }),
  via: Schema.Array(AccessBinding)
}).annotations({ identifier: "AccessSubject" })

/** Who has a permission, and why. */
export const AccessWho = Schema.Struct({
  permission: Schema.String,
  ...answeredAsOf,
  subjects: Schema.Array(AccessSubject),
  eligible: Schema.Array(AccessSubject).annotations({
    description: "Who may open break-glass for it by eligible grants."
  })
}).annotations({ identifier: "AccessWho" })

/** The roles of a member or an account, each with its reason. */
export const AccessEffective = Schema.Struct({
  kind: HolderKind,
  name: Schema.String,
  suspended: Schema.Boolean,
  ...answeredAsOf,
  bindings: Schema.Array(AccessBinding),
  eligible: Schema.Array(AccessBinding).annotations({
    description: "The eligible grants, which give nothing but the right to open break-glass."
  }),
  scope: Schema.optionalWith(Schema.NullOr(KeyScope), { exact: true }).annotations({
    description:
      "Of a key alone: its scope, which the bindings are cut to where it names spaces; null for a key without one."
  })
}).annotations({ identifier: "AccessEffective" })

/** Why a person or an account may call an operation, or what is missing. */
export const AccessExplanation = Schema.Struct({
  operation: Schema.String,
  permission: Schema.NullOr(Schema.String).annotations({
    description: "What it requires; null where every member may call it."
  }),
  allowed: Schema.Boolean,
  because: Schema.Literal("binding", "membership", "no-role", "key-scope").annotations({
    description:
      "`binding` a role gives it, `membership` every member may, `no-role` the role is missing, `key-scope` the " +
      "scope of the caller's key takes it away."
  }),
  space: Schema.String.annotations({
    description: "The path of the space in which the permission is asked for."
  }),
  ...answeredAsOf,
  binding: Schema.NullOr(AccessBinding),
  missing: Schema.NullOr(Role).annotations({
    description: "The lowest role in that space, or above it, that would do."
  }),
  eligible: Schema.NullOr(AccessBinding).annotations({
    description: "The eligible grant by which break-glass would give the missing role."
  })
}).annotations({ identifier: "AccessExplanation" })

const Permission = Schema.Literal(...permissions).annotations({ identifier: "Permission" })

/** A question about all. */
export const AskWho = Schema.Struct({
  permission: Permission.annotations({ description: "The permission that is asked about." }),
  ...places,
  as_of: asOf
}).pipe(Schema.filter(atMostOne(PLACES)))

/** A question about one subject. */
export const AskEffective = Schema.Struct({
  ...subjects,
  api_key: QueryParam.optional(ApiKeyId, "About the key of this id, which works now."),
  as_of: asOf
}).pipe(Schema.filter(atMostOne(["user", "service_account", "api_key"])))

/** A question about one subject and one operation. */
export const AskExplain = Schema.Struct({
  operation: Name.annotations({ description: "The id of the operation, such as `flow.put`." }),
  ...subjects,
  ...places,
  as_of: asOf
}).pipe(Schema.filter(atMostOne(PLACES)), Schema.filter(atMostOne(["user", "service_account"])))

/** The operations that ask about access. */
export class AccessApi extends HttpApiGroup.make("access")
  .add(
    HttpApiEndpoint.get("who")`/access/${org}/who`
      .setUrlParams(AskWho)
      .addSuccess(AccessWho)
      .annotate(Operation, rule("grant.write", noBody))
      .annotate(OpenApi.Summary, "Ask who has a permission, and why")
      .annotate(
        OpenApi.Description,
        "Answers every member and service account that has, or had at `as_of`, a permission in a space, to admins " +
          "of the space. Without a place it is about the whole org."
      )
  )
  .add(
    HttpApiEndpoint.get("effective")`/access/${org}/effective`
      .setUrlParams(AskEffective)
      .addSuccess(AccessEffective)
      .annotate(Operation, rule("member", noBody))
      .annotate(OpenApi.Summary, "Ask which roles a person or an account has, and why")
      .annotate(
        OpenApi.Description,
        "Answers the roles that a member or an account has, or had at `as_of`: their own, and to admins those " +
          "of others in the spaces that they administer; of an API key those of its owner that its scope leaves."
      )
  )
  .add(
    HttpApiEndpoint.get("explain")`/access/${org}/explain`
      .setUrlParams(AskExplain)
      .addSuccess(AccessExplanation)
      .annotate(Operation, rule("member", noBody))
      .annotate(OpenApi.Summary, "Ask why an operation is allowed or denied")
      .annotate(
        OpenApi.Description,
        "Answers the role that decides about an operation in a space, or the one that is missing: about oneself, and " +
          "to admins about others in the spaces that they administer."
      )
  )
  .annotate(OpenApi.Title, "Access")
  .annotate(
    OpenApi.Description,
    "Questions about access: who can do what, and why, now and then."
  ) {}
