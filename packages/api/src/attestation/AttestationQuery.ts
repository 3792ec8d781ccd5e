/** The query parameters of the lists of attestations. SPEC §4.12 */
import { AttestationId, CommitSha, FlowName, TrailName } from "@attestry/core/Identifier"
import * as Schema from "effect/Schema"
import { asOf } from "../history/AsOfFields.js"
import { Cursor } from "../shared/Cursor.js"
import { pageFields } from "../shared/Paging.js"
import * as QueryParam from "../shared/QueryParam.js"

/** The largest number of attestations on a page. */
export const PER_PAGE_MAX = 100
/** The default number of attestations on a page. */
export const PER_PAGE_DEFAULT = 20
/** The most commits of one request. */
export const COMMITS_MAX = 1_000

const types = QueryParam.repeatable(Schema.String)
const flows = QueryParam.repeatable(FlowName)

/** Filters of the list of attestations. */
export const ListAttestations = Schema.Struct({
  ...pageFields(PER_PAGE_MAX),
  after: QueryParam.optional(
    Cursor,
    "The place to go on from: the `after` of a `_links.next`; not together with `page`."
  ),
  attestation_id: QueryParam.optional(AttestationId, "Only the attestation of this id."),
  name: QueryParam.optional(Schema.String, "Only attestations of exactly this name."),
  attestation_name: QueryParam.optional(Schema.String, "The same as `name`."),
  name_regex: QueryParam.optional(
    Schema.String,
    "Only attestations whose name has a part that matches this pattern, in RE2 syntax; not " +
      "together with `name`."
  ),
  flow: QueryParam.optional(
    flows,
    "Only attestations in the flow of this name. May be repeated for several flows."
  ),
  flow_name: QueryParam.optional(flows, "The same as `flow`."),
  trail_name: QueryParam.optional(TrailName, "Only attestations on trails of this name."),
  type: QueryParam.optional(
    types,
    "Only attestations of this type, such as `junit` or `custom:load-test`. May be repeated."
  ),
  attestation_type: QueryParam.optional(types, "The same as `type`."),
  is_compliant: QueryParam.optional(
    QueryParam.boolean,
    "Only attestations that are compliant, or only those that are not."
  ),
  ...QueryParam.period,
  as_of: asOf
}).pipe(
  Schema.filter(({ name, attestation_name, name_regex, page, after }) => [
    ...(name_regex !== undefined && (name ?? attestation_name) !== undefined
      ? [{ path: ["name_regex"], message: "Give either `name` or `name_regex`, not both" }]
      : []),
    ...(after !== undefined && page !== undefined
      ? [{ path: ["after"], message: "Give either `page` or `after`, not both" }]
      : [])
  ])
)

/** Filters of the attestations of one flow. */
export const ListOfFlow = Schema.Struct({ ...pageFields(PER_PAGE_MAX), ...QueryParam.period })

/** The commits, and filters of their attestations. */
export const ListForCriteria = Schema.Struct({
  commit_list: QueryParam.repeatable(CommitSha)
    .pipe(Schema.maxItems(COMMITS_MAX))
    .annotations({
      description: `A full commit. May be repeated, up to ${COMMITS_MAX.toLocaleString("en")} times.`
    }),
  flow_name: QueryParam.optional(FlowName, "Only attestations in the flow of this name."),
  attestation_name: QueryParam.optional(Schema.String, "Only attestations of exactly this name."),
  attestation_type: QueryParam.optional(types, "Only attestations of this type. May be repeated."),
  attestation_id: QueryParam.optional(Schema.String, "Accepted and ignored.")
})
