/** The operation of components: what bills of materials and provenance list, and where it is contained. */
import { SEARCH_CHARACTERS_MAX, SEARCH_CHARACTERS_MIN } from "@attestry/core/Component"
import { Fingerprint } from "@attestry/core/Fingerprint"
import { EnvironmentName } from "@attestry/core/Identifier"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { noBody, Operation, rule } from "../shared/Operation.js"
import * as Paging from "../shared/Paging.js"
import { org } from "../shared/PathParam.js"
import * as QueryParam from "../shared/QueryParam.js"
import * as PurlParam from "./PurlParam.js"

/** Filters of the list of components. */
export const ListComponents = Schema.Struct({
  purl: QueryParam.optional(
    PurlParam.purl,
    "The package of this purl, in its version or, without one, in all; qualifiers do not count."
  ),
  search: QueryParam.optional(
    Schema.String.pipe(
      Schema.minLength(SEARCH_CHARACTERS_MIN),
      Schema.maxLength(SEARCH_CHARACTERS_MAX)
    ),
    "Only components whose name, with its namespace, begins with this text."
  ),
  fingerprint: QueryParam.optional(
    Fingerprint,
    "Only components that a bill of materials about this artifact lists, or images that provenance of it names."
  ),
  ...Paging.pageFields()
})

/** A component. */
export const ComponentResponse = Schema.Struct({
  /** Without qualifiers and subpath. */
  purl: Schema.String,
  type: Schema.String,
  /** With its namespace. */
  name: Schema.String,
  version: Schema.NullOr(Schema.String),
  /** How many artifacts contain it. */
  artifacts: Schema.Int,
  /** The environments in which one of them runs. */
  running_in: Schema.Array(EnvironmentName)
}).annotations({ identifier: "Component" })

/** The operation of components. */
export class ComponentApi extends HttpApiGroup.make("component")
  .add(
    HttpApiEndpoint.get("list")`/components/${org}`
      .setUrlParams(ListComponents)
      .addSuccess(
        Schema.Struct({
          ...Paging.counterFields,
          components: Schema.Array(ComponentResponse)
        }).annotations({ identifier: "Components" })
      )
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List components of artifacts, by name")
      .annotate(
        OpenApi.Description,
        "Answers one page of the components that accepted bills of materials list, accepted provenance names as " +
          "images or accepted scans name, with the number of artifacts that contain them and the environments in " +
          "which one of these runs."
      )
  )
  .annotate(OpenApi.Title, "Components")
  .annotate(
    OpenApi.Description,
    "The components of artifacts, from accepted bills of materials, provenance and scans."
  ) {}
