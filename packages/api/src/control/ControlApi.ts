/** The operations of controls, which are a beta feature. SPEC §4.11 */
import * as Control from "@attestry/core/Control"
import { UserData } from "@attestry/core/Evidence"
import { AttestationId, ControlIdentifier, FlowId, FlowName } from "@attestry/core/Identifier"
import { optional } from "@attestry/core/OptionalField"
import { Tag, Tags } from "@attestry/core/Tags"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { Conflict } from "../shared/HttpError.js"
import { jsonBody, noBody, Operation, rule } from "../shared/Operation.js"
import { counterFields, PAGE_MAX, pageFields } from "../shared/Paging.js"
import { org } from "../shared/PathParam.js"
import * as QueryParam from "../shared/QueryParam.js"
import { answeredSpace, newSpace } from "../shared/SpaceField.js"
import { ControlMatrixResponse, MATRIX_ENVIRONMENTS } from "./ControlMatrix.js"

/** A field that null clears. */
const clearable = <A, B>(schema: Schema.Schema<A, B>) =>
  Schema.optionalWith(Schema.NullOr(schema), { exact: true })

const description = clearable(Schema.String)
const links = clearable(Control.Links)

/** The identifier of a control to define. WHY: `GET /controls/{org}/tags` lists tags. */
const NewIdentifier = ControlIdentifier.pipe(
  Schema.filter((identifier) => identifier !== "tags" || "`tags` is reserved: choose another one")
)

/** A control to define. */
export const CreateControl = Schema.Struct({
  identifier: NewIdentifier,
  name: Control.ControlName,
  description,
  links,
  space: newSpace
}).annotations({ identifier: "ControlPostInput" })

/** Fields to change; an absent field stays, and null clears it. */
export const UpdateControl = Schema.Struct({
  name: optional(Control.ControlName),
  description,
  links
}).annotations({ identifier: "ControlPutInput" })

const controlFields = {
  identifier: Schema.String,
  name: Schema.String,
  version: Schema.Int,
  created_at: EpochSeconds,
  created_by: Schema.String,
  description: Schema.NullOr(Schema.String),
  archived: Schema.Boolean,
  tags: Tags,
  links: Control.Links
}

/** A control in a list. */
export const ControlListItem = Schema.Struct(controlFields).annotations({
  identifier: "ControlListItem"
})

/** A control, with the policies whose latest version refers to it. */
export const ControlResponse = Schema.Struct({
  ...controlFields,
  policies_referencing: Schema.Array(Schema.String),
  space: answeredSpace
}).annotations({ identifier: "Control" })

/** One version of a control. */
export const ControlVersionResponse = Schema.Struct({
  ...Control.ControlVersion.fields,
  timestamp: EpochSeconds
}).annotations({ identifier: "ControlVersion" })

/** A decision about a control. */
export const ControlDecisionResponse = Schema.Struct({
  attestation_id: Schema.String,
  attestation_name: Schema.String,
  control: Schema.String,
  control_version: Schema.NullOr(Schema.Int),
  is_compliant: Schema.Boolean,
  flow_name: Schema.String,
  trail_name: Schema.String,
  artifact_fingerprint: Schema.NullOr(Schema.String),
  artifact_name: Schema.NullOr(Schema.String),
  timestamp: EpochSeconds,
  created_by: Schema.String
}).annotations({ identifier: "ControlDecision" })

/** The user data of a report: an object or a list. */
export const ReportedUserData = Schema.Union(UserData, Schema.Array(Schema.Unknown))

/** A decision about a control, with the other fields of its report. */
export const ControlDecisionDetails = Schema.Struct({
  ...ControlDecisionResponse.fields,
  description: Schema.NullOr(Schema.String),
  origin_url: Schema.NullOr(Schema.String),
  user_data: ReportedUserData,
  evidence_files: Schema.Array(
    Schema.Struct({ filename: Schema.String, download_url: Schema.String })
  )
}).annotations({ identifier: "ControlDecisionDetails" })

/** The environments whose policies require decisions about a control. */
export const CoverageResponse = Schema.Struct({
  ...counterFields,
  total: Schema.Int,
  covered: Schema.Int,
  coverage_percent: Schema.Number,
  environments: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      covered: Schema.Boolean,
      policies: Schema.Array(Schema.String)
    })
  )
}).annotations({ identifier: "ControlCoverage" })

/** Filters of the list of controls; `tag` is `key` or `key:value`, and may be repeated. */
export const ListControls = Schema.Struct({
  ...pageFields(),
  search: QueryParam.optional(
    Schema.String,
    "Only controls whose name or identifier contains this text, in any case."
  ),
  tag: QueryParam.tags("all of them"),
  archived: QueryParam.optional(
    QueryParam.boolean,
    "Whether archived controls are listed in place of the others."
  ),
  sort_direction: QueryParam.sortDirection("asc")
})

/** Filters of the matrix, and the environments that it shows. */
export const ListMatrix = Schema.Struct({
  ...ListControls.fields,
  environments_page: QueryParam.optional(
    QueryParam.integer(1, PAGE_MAX),
    "The number of the page of environments, from 1; a page past the end is empty."
  ),
  environments_per_page: QueryParam.optional(
    QueryParam.integer(1, MATRIX_ENVIRONMENTS),
    `How many environments a page has, at most ${MATRIX_ENVIRONMENTS}, which is the default.`
  )
})

/** Filters of the list of decisions. */
export const ListDecisions = Schema.Struct({
  ...pageFields(),
  flow_name: QueryParam.optional(
    QueryParam.repeatable(FlowName),
    "Only decisions in the flow of this name. May be repeated for several flows."
  ),
  flow_id: QueryParam.optional(
    QueryParam.repeatable(FlowId),
    "Only decisions in the flow of this id; an unknown one has none. May be repeated."
  ),
  is_compliant: QueryParam.optional(
    QueryParam.boolean,
    "Only decisions that the control holds, or only those that it does not."
  ),
  ...QueryParam.period,
  sort_direction: QueryParam.sortDirection("desc")
})

/** Pages of the versions of a control. */
export const ListVersions = Schema.Struct({
  ...pageFields(),
  sort_direction: QueryParam.sortDirection("desc")
})

/** Filters of a coverage report. */
export const ListCoverage = Schema.Struct({
  ...pageFields(),
  covered: QueryParam.optional(
    QueryParam.boolean,
    "Only environments that are covered, or only those that are not."
  ),
  search: QueryParam.optional(
    Schema.String,
    "Only environments whose name contains this text, in any case."
  )
})

const identifier = HttpApiSchema.param(
  "identifier",
  ControlIdentifier.annotations({ description: "The identifier of the control, such as `SDLC-1`." })
)
const version = HttpApiSchema.param(
  "version",
  QueryParam.integer(1, 2_147_483_647).annotations({
    description: "The number of the version, from 1."
  })
)

const decisionId = HttpApiSchema.param(
  "decision_id",
  AttestationId.annotations({ description: "The id of the attestation that is the decision." })
)

const gated = { gate: "controls" } as const
const readRule = rule("org.read", noBody, gated)
const writeRule = rule("control.write", noBody, gated)
const bodyRule = rule("control.write", jsonBody, gated)

/** The operations of controls. */
export class ControlApi extends HttpApiGroup.make("control")
  .add(
    HttpApiEndpoint.post("create")`/controls/${org}`
      .setPayload(CreateControl)
      .addSuccess(ControlResponse, { status: 201 })
      .addError(Conflict.Body)
      .annotate(Operation, bodyRule)
      .annotate(OpenApi.Summary, "Define a control")
      .annotate(
        OpenApi.Description,
        "Defines a control. An identifier that is taken is refused, also by an archived control."
      )
  )
  .add(
    HttpApiEndpoint.get("list")`/controls/${org}`
      .setUrlParams(ListControls)
      .addSuccess(
        Schema.Struct({ ...counterFields, controls: Schema.Array(ControlListItem) }).annotations({
          identifier: "Controls"
        })
      )
      .annotate(Operation, readRule)
      .annotate(OpenApi.Summary, "List controls, by name")
      .annotate(
        OpenApi.Description,
        "Answers one page of controls that are not archived, or of those that are."
      )
  )
  .add(
    HttpApiEndpoint.get("tags")`/controls/${org}/tags`
      .addSuccess(Schema.Array(Tag))
      .annotate(Operation, readRule)
      .annotate(OpenApi.Summary, "List the tags of controls, by key and value")
      .annotate(
        OpenApi.Description,
        "Answers the distinct tags of the controls that are not archived."
      )
  )
  .add(
    HttpApiEndpoint.get("get")`/controls/${org}/${identifier}`
      .addSuccess(ControlResponse)
      .annotate(Operation, readRule)
      .annotate(OpenApi.Summary, "Get a control, archived or not")
      .annotate(
        OpenApi.Description,
        "Answers a control with the names of the policies whose latest version refers to it."
      )
  )
  .add(
    HttpApiEndpoint.put("update")`/controls/${org}/${identifier}`
      .setPayload(UpdateControl)
      .addSuccess(ControlResponse)
      .annotate(Operation, bodyRule)
      .annotate(OpenApi.Summary, "Edit a control")
      .annotate(
        OpenApi.Description,
        "Changes the name, the description or the links of a control, as a new version; " +
          "fields that are left out stay. An archived control cannot be edited."
      )
  )
  .add(
    HttpApiEndpoint.post("archive")`/controls/${org}/${identifier}/archive`
      .addSuccess(ControlResponse)
      .annotate(Operation, writeRule)
      .annotate(OpenApi.Summary, "Take a control out of the catalog")
      .annotate(
        OpenApi.Description,
        "Archives the control: lists leave it out, and its versions and the decisions about " +
          "it are kept."
      )
  )
  .add(
    HttpApiEndpoint.post("unarchive")`/controls/${org}/${identifier}/unarchive`
      .addSuccess(ControlResponse)
      .annotate(Operation, writeRule)
      .annotate(OpenApi.Summary, "Put a control back into the catalog")
      .annotate(OpenApi.Description, "Undoes archiving: lists show the control again.")
  )
  .add(
    HttpApiEndpoint.get("coverage")`/controls/${org}/${identifier}/coverage`
      .setUrlParams(ListCoverage)
      .addSuccess(CoverageResponse)
      .annotate(Operation, readRule)
      .annotate(OpenApi.Summary, "Report which environments ask for decisions about a control")
      .annotate(
        OpenApi.Description,
        "Answers how many environments have a policy attached whose latest version has a " +
          "rule for the control, and which. Archived and logical environments are not counted; " +
          "totals come before the filters."
      )
  )
  .add(
    HttpApiEndpoint.get("versions")`/controls/${org}/${identifier}/versions`
      .setUrlParams(ListVersions)
      .addSuccess(
        Schema.Struct({
          ...counterFields,
          versions: Schema.Array(ControlVersionResponse)
        }).annotations({ identifier: "ControlVersions" })
      )
      .annotate(Operation, readRule)
      .annotate(OpenApi.Summary, "List the versions of a control, newest first")
      .annotate(
        OpenApi.Description,
        "Answers one page of the versions of the control, with each change and its author."
      )
  )
  .add(
    HttpApiEndpoint.get("version")`/controls/${org}/${identifier}/versions/${version}`
      .addSuccess(ControlVersionResponse)
      .annotate(Operation, readRule)
      .annotate(OpenApi.Summary, "Get one version of a control")
      .annotate(OpenApi.Description, "Answers the control as it was in one version.")
  )
  .add(
    HttpApiEndpoint.get("decisions")`/controls/${org}/${identifier}/decisions`
      .setUrlParams(ListDecisions)
      .addSuccess(
        Schema.Struct({
          ...counterFields,
          decisions: Schema.Array(ControlDecisionResponse)
        }).annotations({ identifier: "ControlDecisions" })
      )
      .annotate(Operation, readRule)
      .annotate(OpenApi.Summary, "List the decisions about a control, newest first")
      .annotate(
        OpenApi.Description,
        "Answers one page of the decisions about the control, over all flows."
      )
  )
  .add(
    HttpApiEndpoint.get("decision")`/controls/${org}/${identifier}/decisions/${decisionId}`
      .addSuccess(ControlDecisionDetails)
      .annotate(Operation, readRule)
      .annotate(OpenApi.Summary, "Get one decision about a control")
      .annotate(
        OpenApi.Description,
        "Answers a decision with its reported fields and its files; 404 for a decision about " +
          "another control."
      )
  )
  .add(
    HttpApiEndpoint.get("matrix")`/control-coverage/${org}`
      .setUrlParams(ListMatrix)
      .addSuccess(ControlMatrixResponse)
      .annotate(Operation, readRule)
      .annotate(OpenApi.Summary, "Report which controls are enforced in which environments")
      .annotate(
        OpenApi.Description,
        "Answers one page of controls, 100 by default, each with one cell for every environment of one page of " +
          "environments, 500 by default: whether an attached policy requires the control, and how many running " +
          "artifacts fail it. Archived and logical environments are left out; totals are of all pages of environments."
      )
  )
  .annotate(OpenApi.Title, "Controls")
  .annotate(
    OpenApi.Description,
    "Requirements of a framework or a rule book, their versions, and the decisions about them."
  ) {}
