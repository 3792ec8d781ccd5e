/**
 * The published OpenAPI 3.1 document: the contract without the framework's noise.
 *
 * What the contract's types cannot say is added here from each operation's rule: who may call it, and
 * the form in which its body may come.
 */
import * as OpenApi from "@effect/platform/OpenApi"
import { Api } from "../Api.js"
import { SESSION_COOKIE } from "../shared/Authentication.js"
import { PARTS_MAX } from "../shared/Operation.js"
import * as RouteTable from "../shared/RouteTable.js"

type Spec = OpenApi.OpenAPISpec
type SpecOperation = OpenApi.OpenAPISpecOperation
type Schema = { readonly [keyword: string]: unknown }

/** The path of a route as OpenAPI writes it: `{org}` for `:org`. */
export const templatePath = (path: string): string => path.replaceAll(/:([a-z_]+)/g, "{$1}")

const isNoise = (schema: unknown): boolean =>
  typeof schema === "object" &&
  schema !== null &&
  "$ref" in schema &&
  schema.$ref === "#/components/schemas/HttpApiDecodeError"

/** The framework declares its own decoding failure next to ours; it never leaves this server. */
const withoutNoise = (responses: SpecOperation["responses"]): SpecOperation["responses"] =>
  Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      {
        ...response,
        content: Object.fromEntries(
          Object.entries(response.content ?? {}).map(([type, media]) => {
            const schema: Schema = { ...media.schema }
            const anyOf = Array.isArray(schema.anyOf)
              ? schema.anyOf.filter((member) => !isNoise(member))
              : undefined
            const only = anyOf?.length === 1 ? anyOf[0] : undefined
            return [type, { ...media, schema: only ?? (anyOf === undefined ? schema : { anyOf }) }]
          })
        )
      }
    ])
  ) as SpecOperation["responses"] // WHY: the entries are those of the original, with narrower schemas.

const partsOf = (
  rule: RouteTable.Route["rule"]["body"]
): ReadonlyArray<readonly [string, object]> => {
  const text = { type: "string" }
  if (rule._tag === "FormBody")
    return [rule.jsonPart, ...rule.fileParts].map((name) => [name, text])
  if (rule._tag !== "UploadBody") return []
  const file = { type: "string", format: "binary" }
  return [
    [rule.jsonPart, text],
    [rule.filePart, { type: "array", items: file, maxItems: PARTS_MAX - 1 }]
  ]
}

/** A form with the same fields as the JSON body: one part for the JSON, one for each file. */
const formContent = (
  rule: RouteTable.Route["rule"]["body"]
): { readonly [type: string]: unknown } => {
  const parts = partsOf(rule)
  if (rule._tag !== "FormBody" && rule._tag !== "UploadBody") return {}
  return {
    "multipart/form-data": {
      schema: {
        type: "object",
        required: [rule.jsonPart],
        properties: Object.fromEntries(parts),
        additionalProperties: false
      }
    }
  }
}

/** Any of the ways that the operation accepts; an open one needs none. */
const securityOf = ({ access, schemes }: RouteTable.Route["rule"]): ReadonlyArray<object> =>
  access === "open" ? [] : schemes.map((scheme) => ({ [scheme]: [] }))

const publish = (operation: SpecOperation, route: RouteTable.Route): object => {
  const body = operation.requestBody
  return {
    ...operation,
    operationId: `${route.group}.${route.name}`,
    security: securityOf(route.rule),
    responses: withoutNoise(operation.responses),
    ...(body === undefined
      ? {}
      : { requestBody: { ...body, content: { ...body.content, ...formContent(route.rule.body) } } })
  }
}

const publishPath = (
  path: string,
  operations: object,
  routes: ReadonlyArray<RouteTable.Route>
): object =>
  Object.fromEntries(
    Object.entries(operations).map(([method, operation]) => {
      const route = routes.find(
        (candidate) =>
          templatePath(candidate.path) === path && candidate.method.toLowerCase() === method
      )
      return [method, route === undefined ? operation : publish(operation, route)]
    })
  )

/** The document as a JSON value. */
export const make = (): object => {
  const spec: Spec = OpenApi.fromApi(Api)
  const routes = RouteTable.routesOf(Api)
  const schemas = Object.entries(spec.components.schemas).filter(
    ([name]) => name !== "HttpApiDecodeError" && name !== "Issue" && name !== "PropertyKey"
  )
  return {
    ...spec,
    paths: Object.fromEntries(
      Object.entries(spec.paths).map(([path, operations]) => [
        path,
        publishPath(path, operations, routes)
      ])
    ),
    components: {
      schemas: Object.fromEntries(schemas),
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "A personal or service-account API key"
        },
        basic: {
          type: "http",
          scheme: "basic",
          description: "The API key as user name; the password is ignored"
        },
        session: {
          type: "apiKey",
          in: "cookie",
          name: SESSION_COOKIE,
          description: "A browser session; writes also need the header X-CSRF-Token"
        }
      }
    }
  }
}
