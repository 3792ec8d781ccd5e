/**
 * SCIM 2.0 as a contract of its own, below `/api/v2/scim/{org}`. SPEC §4.26, RFC 7644
 *
 * It is not part of `Api`: its clients are identity providers, with media types and errors of their own. Its operations
 * have rules as all others, and run through the same pipeline.
 * DECISIONS.md, "One contract and our own dispatcher"
 */
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as Schema from "effect/Schema"
import { type BodyRule, JSON_BYTES_MAX, noBody, Operation, rule } from "../shared/Operation.js"
import { org } from "../shared/PathParam.js"

/** The media type of SCIM. */
export const MEDIA_TYPE = "application/scim+json"

/** The path below which every request is one of SCIM. */
export const PREFIX = "/api/v2/scim/"

const body: BodyRule = {
  _tag: "JsonBody",
  bytesMax: JSON_BYTES_MAX,
  optional: false,
  mediaType: MEDIA_TYPE
}

const id = HttpApiSchema.param("id", Schema.String)

const Text = Schema.String.pipe(
  HttpApiSchema.withEncoding({ kind: "Text", contentType: MEDIA_TYPE })
)
const answer = (status: number) => Text.annotations(HttpApiSchema.annotations({ status }))

const optional = Schema.optionalWith(Schema.String, { exact: true })

/** The parameters that lists and resources take; the order of a list is fixed, so that of sorting has no effect. */
export const ScimParams = Schema.Struct({
  filter: optional,
  startIndex: optional,
  count: optional,
  attributes: optional,
  excludedAttributes: optional,
  sortBy: optional,
  sortOrder: optional,
  /** A flag for Entra itself, in the address that an administrator enters there. */
  aadOptscim062020: optional
})

// WHY keys alone: a session of a browser must not provision people.
const schemes = ["bearer"] as const
const bodiless = rule("scim.write", noBody, { schemes })
const withBody = rule("scim.write", body, { schemes })

/** The users of an org, as its identity provider keeps them. */
export class ScimUserApi extends HttpApiGroup.make("scimUser")
  .add(
    HttpApiEndpoint.get("list")`/${org}/Users`
      .setUrlParams(ScimParams)
      .addSuccess(answer(200))
      .addSuccess(answer(400))
      .annotate(Operation, bodiless)
  )
  .add(
    HttpApiEndpoint.post("create")`/${org}/Users`
      .setUrlParams(ScimParams)
      .setPayload(Schema.Unknown)
      .addSuccess(answer(201))
      .addSuccess(answer(400))
      .addSuccess(answer(409))
      .annotate(Operation, withBody)
  )
  .add(
    HttpApiEndpoint.get("get")`/${org}/Users/${id}`
      .setUrlParams(ScimParams)
      .addSuccess(answer(200))
      .addSuccess(answer(404))
      .annotate(Operation, bodiless)
  )
  .add(
    HttpApiEndpoint.put("replace")`/${org}/Users/${id}`
      .setUrlParams(ScimParams)
      .setPayload(Schema.Unknown)
      .addSuccess(answer(200))
      .addSuccess(answer(400))
      .addSuccess(answer(404))
      .addSuccess(answer(409))
      .annotate(Operation, withBody)
  )
  .add(
    HttpApiEndpoint.patch("patch")`/${org}/Users/${id}`
      .setUrlParams(ScimParams)
      .setPayload(Schema.Unknown)
      .addSuccess(answer(200))
      .addSuccess(answer(400))
      .addSuccess(answer(404))
      .addSuccess(answer(409))
      .annotate(Operation, withBody)
  )
  .add(
    HttpApiEndpoint.del("delete")`/${org}/Users/${id}`
      .setUrlParams(ScimParams)
      .addSuccess(answer(204))
      .addSuccess(answer(404))
      .addSuccess(answer(409))
      .annotate(Operation, bodiless)
  ) {}

/** The groups of an org, as its identity provider keeps them. */
export class ScimGroupApi extends HttpApiGroup.make("scimGroup")
  .add(
    HttpApiEndpoint.get("list")`/${org}/Groups`
      .setUrlParams(ScimParams)
      .addSuccess(answer(200))
      .addSuccess(answer(400))
      .annotate(Operation, bodiless)
  )
  .add(
    HttpApiEndpoint.post("create")`/${org}/Groups`
      .setUrlParams(ScimParams)
      .setPayload(Schema.Unknown)
      .addSuccess(answer(201))
      .addSuccess(answer(400))
      .addSuccess(answer(409))
      .annotate(Operation, withBody)
  )
  .add(
    HttpApiEndpoint.get("get")`/${org}/Groups/${id}`
      .setUrlParams(ScimParams)
      .addSuccess(answer(200))
      .addSuccess(answer(404))
      .annotate(Operation, bodiless)
  )
  .add(
    HttpApiEndpoint.put("replace")`/${org}/Groups/${id}`
      .setUrlParams(ScimParams)
      .setPayload(Schema.Unknown)
      .addSuccess(answer(200))
      .addSuccess(answer(400))
      .addSuccess(answer(404))
      .addSuccess(answer(409))
      .annotate(Operation, withBody)
  )
  .add(
    HttpApiEndpoint.patch("patch")`/${org}/Groups/${id}`
      .setUrlParams(ScimParams)
      .setPayload(Schema.Unknown)
      .addSuccess(answer(204))
      .addSuccess(answer(400))
      .addSuccess(answer(404))
      .addSuccess(answer(409))
      .annotate(Operation, withBody)
  )
  .add(
    HttpApiEndpoint.del("delete")`/${org}/Groups/${id}`
      .setUrlParams(ScimParams)
      .addSuccess(answer(204))
      .addSuccess(answer(404))
      .annotate(Operation, bodiless)
  ) {}

/** The features, resource types and schemas of this service. */
export class ScimMetaApi extends HttpApiGroup.make("scimMeta")
  .add(
    HttpApiEndpoint.get("config")`/${org}/ServiceProviderConfig`
      .setUrlParams(ScimParams)
      .addSuccess(answer(200))
      .annotate(Operation, bodiless)
  )
  .add(
    HttpApiEndpoint.get("resourceTypes")`/${org}/ResourceTypes`
      .setUrlParams(ScimParams)
      .addSuccess(answer(200))
      .annotate(Operation, bodiless)
  )
  .add(
    HttpApiEndpoint.get("schemas")`/${org}/Schemas`
      .setUrlParams(ScimParams)
      .addSuccess(answer(200))
      .annotate(Operation, bodiless)
  ) {}

/** SCIM 2.0. */
export class ScimApi extends HttpApi.make("scim")
  .add(ScimUserApi)
  .add(ScimGroupApi)
  .add(ScimMetaApi)
  .prefix("/api/v2/scim") {}
