/** The operations of repositories, which reports create. */
import { JsonObject } from "@attestry/core/Evidence"
import { Tags } from "@attestry/core/Tags"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { noBody, Operation, rule } from "../shared/Operation.js"
import { counterFields, pageFields } from "../shared/Paging.js"
import { org, repoName } from "../shared/PathParam.js"
import * as QueryParam from "../shared/QueryParam.js"

/** The largest number of repositories on a page. */
export const PER_PAGE_MAX = 50
/** The default number of repositories on a page. */
export const PER_PAGE_DEFAULT = 15

const PROVIDER_LENGTH_MAX = 64

/** A provider of repositories: any text, as reports give it. */
export const Provider = Schema.String.pipe(
  Schema.minLength(1),
  Schema.maxLength(PROVIDER_LENGTH_MAX)
)

/** Which repository a name in a path means. */
export const RepoChoice = Schema.Struct({
  provider: QueryParam.optional(
    Provider,
    "The provider of the repository, where several have the name."
  ),
  id: QueryParam.optional(
    Schema.String,
    "The id that the repository has here; the name in the path is then ignored."
  )
})

/** A repository in a response. */
export const RepoResponse = Schema.Struct({
  id: Schema.String,
  repo_id: Schema.NullOr(Schema.String),
  name: Schema.String,
  url: Schema.String,
  provider: Schema.String,
  description: Schema.NullOr(Schema.String),
  vcs_instance: Schema.NullOr(Schema.String),
  namespace_path: Schema.NullOr(Schema.Array(Schema.String)),
  additional_info: Schema.NullOr(JsonObject),
  tags: Tags,
  latest_activity_at: EpochSeconds,
  created_at: EpochSeconds,
  last_modified_at: EpochSeconds
}).annotations({ identifier: "Repo" })

/** Filters of several operations; `tag` is `key` or `key:value`, and may be repeated. */
const filters = {
  provider: QueryParam.optional(Provider, "Only repositories of this provider."),
  vcs_instance: QueryParam.optional(
    Schema.String,
    "Only repositories at this host, with its port where it has one, in any case."
  ),
  namespace: QueryParam.optional(
    Schema.String,
    "Only repositories whose namespace path begins with these segments, such as `team/web`."
  ),
  tag: QueryParam.optional(
    Schema.Union(Schema.String, Schema.Array(Schema.String)),
    "Only repositories with this tag: `key`, or `key:value`. May be repeated; all of them must fit."
  )
}

/** Filters of the options. */
export const RepoFilters = Schema.Struct(filters)

/** Filters of the list of repositories. */
export const ListRepos = Schema.Struct({
  ...pageFields(PER_PAGE_MAX),
  ...filters,
  name: QueryParam.optional(Schema.String, "Only repositories of exactly this name."),
  search: QueryParam.optional(
    Schema.String,
    "Only repositories whose name contains this text, in any case; not together with `name`."
  ),
  repo_id: QueryParam.optional(Schema.String, "Only the repository that its provider calls this."),
  sort_direction: QueryParam.sortDirection("asc")
}).pipe(
  Schema.filter(({ name, search }) =>
    name === undefined || search === undefined
      ? undefined
      : { path: ["search"], message: "Give either `name` or `search`, not both" }
  )
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
    HttpApiEndpoint.get("tags")`/repos/${org}/tags`
      .addSuccess(
        Schema.Array(
          Schema.Struct({ key: Schema.String, value: Schema.String }).annotations({
            identifier: "RepoTag"
          })
        )
      )
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List the tags of repositories")
      .annotate(
        OpenApi.Description,
        "Answers every pair of key and value that a repository has, once, by key and then by " +
          "value: the values that `tag` can have."
      )
  )
  .add(
    HttpApiEndpoint.get("filterOptions")`/repos/${org}/filter-options`
      .setUrlParams(RepoFilters)
      .addSuccess(
        Schema.Struct({
          providers: Schema.Array(Schema.String),
          vcs_instances: Schema.Array(Schema.String),
          namespace_values: Schema.Array(Schema.String)
        }).annotations({ identifier: "RepoFilterOptions" })
      )
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List the values by which repositories can be filtered")
      .annotate(
        OpenApi.Description,
        "Answers the providers, the hosts and the segments one level below `namespace` of the " +
          "repositories that pass the other filters."
      )
  )
  .add(
    HttpApiEndpoint.get("get")`/repos/${org}/${repoName}`
      .setUrlParams(RepoChoice)
      .addSuccess(RepoResponse)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get a repository; its name may have slashes")
      .annotate(
        OpenApi.Description,
        "Answers one repository. If several have the name, `provider` or `id` must select one."
      )
  )
  .annotate(OpenApi.Title, "Repositories")
  .annotate(OpenApi.Description, "Repositories that trails, artifacts and reports mention.") {}
