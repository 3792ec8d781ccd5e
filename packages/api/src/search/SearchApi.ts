/** The operations that search a whole org. SPEC §4.7 */
import { hiddenField } from "@attestry/core/Hidden"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { noBody, Operation, rule } from "../shared/Operation.js"
import { counterFields, pageFields } from "../shared/Paging.js"
import { commitSha, org } from "../shared/PathParam.js"

/** The largest number of trails of a commit on a page. SPEC §8 */
export const PER_PAGE_MAX = 50
/** The default number of trails of a commit on a page. */
export const PER_PAGE_DEFAULT = 15

const Link = Schema.Struct({ href: Schema.String })

/** A trail with the commit. SPEC §2.10 */
export const CommitTrail = Schema.Struct({
  flow_name: Schema.String,
  trail_name: Schema.String,
  branch: Schema.String,
  url: Schema.String,
  _links: Schema.Struct({ self: Link, html: Link })
}).annotations({ identifier: "CommitTrail" })

const Matches = Schema.Struct({
  type: Schema.String,
  count: Schema.Int,
  matches: Schema.Array(Schema.String)
})

const Sighting = Schema.Struct({ event: Schema.String, timestamp: Schema.Number })

/** The commits and artifacts that match a prefix. */
export const ShaSearchResponse = Schema.Struct({
  resolved_to: Schema.Struct({
    type: Schema.Literal("commit", "fingerprint", "multiple"),
    full_match: Schema.String,
    fingerprints: Matches,
    commits: Matches
  }),
  artifacts: Schema.Array(
    Schema.Struct({
      fingerprint: Schema.String,
      name: Schema.String,
      flow: Schema.String,
      git_commit: Schema.String,
      has_provenance: Schema.Boolean,
      commit_url: Schema.String,
      build_url: Schema.String,
      html_url: Schema.String,
      compliance_state: Schema.String,
      running_in: Schema.Array(Schema.String),
      exited_from: Schema.Array(Schema.String),
      history: Schema.Array(Sighting),
      ...hiddenField
    })
  )
}).annotations({ identifier: "ShaSearch" })

const value = HttpApiSchema.param(
  "value",
  Schema.String.annotations({
    description: "A commit or a fingerprint, or its first 5 characters or more."
  })
)

/** The operations that search a whole org. */
export class SearchApi extends HttpApiGroup.make("search")
  .add(
    HttpApiEndpoint.get("trailsOfCommit")`/search/${org}/commit/${commitSha}/trails`
      .setUrlParams(Schema.Struct(pageFields(PER_PAGE_MAX)))
      .addSuccess(
        Schema.Struct({ ...counterFields, trails: Schema.Array(CommitTrail) }).annotations({
          identifier: "CommitTrails"
        })
      )
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Find the trails that report a commit, newest first")
      .annotate(
        OpenApi.Description,
        "Answers one page of the trails, of all flows, that name the commit."
      )
  )
  .add(
    HttpApiEndpoint.get("sha")`/search/${org}/sha/${value}`
      .addSuccess(ShaSearchResponse)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(
        OpenApi.Summary,
        "Find the resources of a commit or a fingerprint, or of the beginning of one"
      )
      .annotate(
        OpenApi.Description,
        "Answers which commits and fingerprints begin with the text, and the artifacts of " +
          "both, with where they run. 404 where nothing does."
      )
  )
  .annotate(OpenApi.Title, "Search")
  .annotate(OpenApi.Description, "The resources of a commit or a fingerprint, over a whole org.") {}
