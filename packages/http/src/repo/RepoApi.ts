/** The operations of repositories, which reports create. */
import { JsonObject } from "@attestry/core/Evidence"
import { ALIASES, PROVIDERS } from "@attestry/core/RepoProvider"
import { Tags } from "@attestry/core/Tags"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { noBody, Operation, rule } from "../shared/internal/Operation.js"
import { counterFields, pageFields } from "../shared/internal/Paging.js"
import { org } from "../shared/internal/PathParam.js"
import * as QueryParam from "../shared/internal/QueryParam.js"

/** The largest number of repositories on a page. DECISION A-34 */
export const PER_PAGE_MAX = 50
/** The default number of repositories on a page. */
export const PER_PAGE_DEFAULT = 15

/** The providers of repositories, with the names under which existing clients send some of them. */
export const Provider = Schema.Literal(...PROVIDERS, ...ALIASES.keys())

/** A repository in a response. */
export const RepoResponse = Schema.Struct({
  id: Schema.String,
  repo_id: Schema.NullOr(Schema.String),
  name: Schema.String,
  url: Schema.String,
  provider: Schema.String,
  description: Schema.NullOr(Schema.String),
  namespace_path: Schema.NullOr(Schema.Array(Schema.String)),
  additional_info: Schema.NullOr(JsonObject),
  tags: Tags,
  latest_activity_at: EpochSeconds,
  created_at: EpochSeconds,
  last_modified_at: EpochSeconds
}).annotations({ identifier: "Repo" })

/** Filters of the list of repositories; `tag` is `key` or `key:value`, and may be repeated. */
export const ListRepos = Schema.Struct({
  ...pageFields(PER_PAGE_MAX),
  name: QueryParam.optional(Schema.String, "Only repositories of exactly this name."),
  search: QueryParam.optional(
    Schema.String,
    "Only repositories whose name contains this text, in any case; not together with `name`."
  ),
  provider: QueryParam.optional(Provider, "Only repositories of this provider."),
  repo_id: QueryParam.optional(Schema.String, "Only the repository that its provider calls this."),
  tag: QueryParam.optional(
    Schema.Union(Schema.String, Schema.Array(Schema.String)),
    "Only repositories with this tag: `key`, or `key:value`. May be repeated; all of them must fit."
  ),
  sort_direction: QueryParam.sortDirection("asc")
}).pipe(
  Schema.filter(({ name, search }) =>
    name === undefined || search === undefined
      ? undefined
      : { path: ["search"], message: "Give either `name` or `search`, not both" }
  )
)

const repoName = HttpApiSchema.param(
  "repo_name",
  Schema.String.annotations({ description: "The name of the repository, slashes included." })
)

/** The operations of repositories. */
export class RepoApi extends HttpApiGroup.make("repo")
  .add(
    HttpApiEndpoint.get("list")`/repos/${org}`
      .setUrlParams(ListRepos)
      .addSuccess(
        Schema.Struct({ ...counterFields, repos: Schema.Array(RepoResponse) }).annotations({
          identifier: "Repos"
        })
      )
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List repositories, by name")
      .annotate(
        OpenApi.Description,
        "Answers one page of the repositories that reports have named."
      )
  )
  .add(
    HttpApiEndpoint.get("get")`/repos/${org}/${repoName}`
      .setUrlParams(
        Schema.Struct({
          provider: QueryParam.optional(
            Provider,
            "The provider of the repository, where several have the name."
          ),
          id: QueryParam.optional(
            Schema.String,
            "The id that the repository has here; the name in the path is then ignored."
          )
        })
      )
      .addSuccess(RepoResponse)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get a repository; its name may have slashes")
      .annotate(
        OpenApi.Description,
        "Answers one repository. Where several have the name, `provider` or `id` must say which."
      )
  )
  .annotate(OpenApi.Title, "Repositories") {}
