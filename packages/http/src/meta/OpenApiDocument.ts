/**
 * The published OpenAPI 3.1 document: the contract, with an example for every request and response.
 *
 * The rule of each operation adds what the types of the contract cannot express: the required access, the forms of its
 * body, its beta feature, and its error responses. Texts about a single operation are in the contract, not here.
 */
import { Api } from "@attestry/api/Api"
import { type FileBody, PARTS_MAX } from "@attestry/api/Operation"
import * as EnvironmentEvents from "@attestry/core/EnvironmentEvents"
import * as OpenApi from "@effect/platform/OpenApi"
import { IDEMPOTENCY_KEY } from "../idempotency/internal/IdempotencyErrors.js"
import * as IdempotentWrites from "../idempotency/internal/IdempotentWrites.js"
import { HEADER as BETA_FEATURES } from "../shared/FeatureFlags.js"
import { SESSION_COOKIE } from "../shared/internal/Authentication.js"
import * as DamagedRecordPlaceholder from "../shared/internal/DamagedRecordPlaceholder.js"
import * as RouteTable from "../shared/internal/RouteTable.js"
import * as ErrorResponses from "./internal/ErrorResponses.js"
import * as Example from "./internal/Example.js"
import { isOurs, isSchema, referenced, type Schema, tidy } from "./internal/JsonSchema.js"
import * as ListSchemas from "./internal/ListSchemas.js"
import * as ParameterWords from "./internal/ParameterWords.js"
import * as SchemaPaths from "./internal/SchemaPaths.js"
import * as WriteWords from "./internal/WriteWords.js"

type SpecOperation = OpenApi.OpenAPISpecOperation
type Schemas = { readonly [name: string]: unknown }

/** The path of a route as OpenAPI writes it: `{org}` for `:org`. */
export const templatePath = (path: string): string => path.replaceAll(/:([a-z_]+)/g, "{$1}")

const mapValues = <A, B>(
  record: { readonly [key: string]: A },
  change: (value: A, key: string) => B
): { readonly [key: string]: B } =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))

/** The description of a response, or that of its schema. */
const describe = (schemas: Schemas, description: string, schema: unknown): string => {
  const named = isSchema(schema) ? referenced(schema) : undefined
  const own = named === undefined ? schema : schemas[named]
  if (isSchema(own) && typeof own.description === "string") return own.description
  return isOurs(description) && / /.test(description) && !/^an? /.test(description)
    ? description
    : "The answer"
}

const objectOf = (schema: unknown): Schema => (isSchema(schema) ? schema : {})

const FILE: Schema = { type: "string", format: "binary" }

/** Types of JSON; the envelopes of DSSE are JSON too. */
const JSON_CONTENT = /^application\/(?:(?:[a-z-]+\+)?json|vnd\.in-toto\.[a-z]+\+dsse)/

/** The example of a content: made from its schema for JSON, and a text otherwise. */
const exampleOf = (schemas: Schemas, type: string, schema: unknown): unknown =>
  JSON_CONTENT.test(type)
    ? Example.make(schemas, schema, { extent: "response" })
    : type.startsWith("text/csv")
      ? EnvironmentEvents.header
      : "…"

/** The parameter of operations that accept an idempotency key. */
const KEY: Schema = {
  name: IDEMPOTENCY_KEY,
  in: "header",
  required: false,
  description:
    "Names this write: the same request under the same key is carried out once and answered " +
    "alike for a day.",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7e]{1,255}$" }
}

/** The parameter of operations with a beta feature. */
const BETA: Schema = {
  name: BETA_FEATURES,
  in: "header",
  required: false,
  description:
    "The beta features that the caller asks for, separated by commas: `controls`. Needed " +
    "where a deployment opens them only to those who ask; a closed feature is 403 with how " +
    "to open it.",
  schema: { type: "string" }
}

/** Whether an operation belongs to a beta feature, always or for some values of its path or its body. */
const mayBeGated = ({ rule }: RouteTable.Route): boolean =>
  rule.gate !== null ||
  rule.bodyGate !== null ||
  Boolean(rule.narrow({ resource_type: "control" }).gate)

const betaNotice = (feature: string): string =>
  `Beta: part of the feature \`${feature}\`, which a deployment can close (\`${BETA_FEATURES}\`). `

const describedAs = ({ rule }: RouteTable.Route, description: string | undefined): object => {
  if (description === undefined) return {}
  return rule.gate === null
    ? { description }
    : { description: betaNotice(rule.gate) + description, "x-beta": rule.gate }
}

const REPLAYED_HEADER: Schema = {
  [IdempotentWrites.REPLAYED]: {
    description: "The answer is that of an earlier request under the same key",
    schema: { type: "string", const: "true" }
  }
}

const successes = (operation: SpecOperation, route: RouteTable.Route, schemas: Schemas): Schemas =>
  Object.fromEntries(
    Object.entries(operation.responses)
      .filter(([status]) => Number(status) < 400)
      .map(([status, { description, content = {} }]) => {
        const media = mapValues(content, ({ schema: raw }, type) => {
          const schema = DamagedRecordPlaceholder.isList(route)
            ? ListSchemas.withPlaceholders(tidy(raw))
            : tidy(raw)
          return {
            schema: WriteWords.withResult(route, schema),
            example: exampleOf(schemas, type, schema)
          }
        })
        const [first] = Object.values(media)
        return [
          status,
          {
            description: describe(schemas, description, first?.schema),
            headers: {
              ...ErrorResponses.REQUEST_ID,
              ...(IdempotentWrites.covers(route) ? REPLAYED_HEADER : {}),
              ...WriteWords.headersOf(route)
            },
            content: media
          }
        ]
      })
  )

interface Form {
  readonly jsonPart: string
  readonly files: { readonly [part: string]: Schema }
}

const formOf = (body: RouteTable.Route["rule"]["body"]): Form | undefined => {
  switch (body._tag) {
    case "FormBody":
      return {
        jsonPart: body.jsonPart,
        files: Object.fromEntries(body.fileParts.map((name) => [name, { type: "string" }]))
      }
    case "UploadBody":
      return {
        jsonPart: body.jsonPart,
        files: { [body.filePart]: { type: "array", items: FILE, maxItems: PARTS_MAX - 1 } }
      }
    default:
      return undefined
  }
}

/** A form with the same fields as the JSON body: one part for the JSON, one for each file. */
const formContent = (form: Form | undefined, json: Schema): Schemas => {
  if (form === undefined) return {}
  const { jsonPart, files } = form
  const text = { type: "string", contentMediaType: "application/json", contentSchema: json.schema }
  return {
    "multipart/form-data": {
      schema: {
        type: "object",
        required: [jsonPart],
        properties: { [jsonPart]: text, ...files },
        additionalProperties: false
      },
      example: { [jsonPart]: JSON.stringify(json.example) }
    }
  }
}

const FILE_EXAMPLE = JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", components: [] })

/** A file as the whole body, or in one part of a form; the other parts are the parameters of the query. */
const fileContent = ({ filePart }: FileBody): object => ({
  required: true,
  content: {
    "application/octet-stream": { schema: FILE, example: FILE_EXAMPLE },
    "multipart/form-data": {
      schema: {
        type: "object",
        required: [filePart],
        properties: { [filePart]: FILE },
        additionalProperties: { type: "string" }
      },
      example: { [filePart]: FILE_EXAMPLE }
    }
  }
})

const requestBody = (
  { requestBody: body }: SpecOperation,
  route: RouteTable.Route,
  schemas: Schemas
): object => {
  const { body: rule } = route.rule
  if (rule._tag === "FileBody") return { requestBody: fileContent(rule) }
  if (body === undefined) return {}
  const content = mapValues(body.content, ({ schema: raw }) => {
    const schema = tidy(raw)
    return { schema, example: Example.make(schemas, schema, { extent: "request" }) }
  })
  const json: Schema = content["application/json"] ?? {}
  return {
    requestBody: {
      required: !(rule._tag === "JsonBody" && rule.optional),
      content: { ...content, ...formContent(formOf(rule), json) }
    }
  }
}

const parameter = (
  given: SpecOperation["parameters"][number],
  route: RouteTable.Route,
  schemas: Schemas
): object => {
  const { description: _, ...schema } = objectOf(tidy(given.schema))
  const { name, in: place, required } = given
  const description = ParameterWords.of(route, place, name)
  return {
    name,
    in: place,
    required,
    ...(description === undefined ? {} : { description }),
    schema,
    // WHY path alone: the documentation page sends every example, and a filter would match nothing.
    ...(place === "path"
      ? { example: Example.make(schemas, schema, { extent: "request", name }) }
      : {})
  }
}

/** The authentication schemes of the operation; an open one has none. */
const securityOf = ({ access, schemes }: RouteTable.Route["rule"]): ReadonlyArray<object> =>
  access === "open" ? [] : schemes.map((scheme) => ({ [scheme]: [] }))

const publish = (operation: SpecOperation, route: RouteTable.Route, schemas: Schemas): object => ({
  tags: operation.tags,
  operationId: `${route.group}.${route.name}`,
  summary: operation.summary,
  ...describedAs(route, operation.description),
  ...(operation.deprecated === true ? { deprecated: true } : {}),
  security: securityOf(route.rule),
  parameters: [
    ...operation.parameters.map((given) => parameter(given, route, schemas)),
    ...(mayBeGated(route) ? [BETA] : []),
    ...(IdempotentWrites.covers(route) ? [KEY] : []),
    ...WriteWords.parametersOf(route)
  ],
  ...requestBody(operation, route, schemas),
  responses: { ...successes(operation, route, schemas), ...ErrorResponses.of(route) }
})

const securitySchemes = {
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

/** Where questions and problems go. */
const CONTACT = { name: "Attestry", url: "https://github.com/attestry/attestry" }

type Operations = { readonly [method: string]: SpecOperation }

const byName = (left: { readonly name: string }, right: { readonly name: string }): number =>
  left.name.localeCompare(right.name, "en")

/** Finds the route of an operation of the document. */
const routeFinder = () => {
  const routes = new Map(
    RouteTable.routesOf(Api).map((route) => [
      `${route.method.toLowerCase()} ${templatePath(route.path)}`,
      route
    ])
  )
  return (method: string, path: string): RouteTable.Route => {
    const route = routes.get(`${method} ${path}`)
    if (route === undefined) throw new Error(`${method} ${path} is not in the contract`)
    return route
  }
}

/** The document as a JSON value. */
export const make = (): object => {
  const { openapi, info, paths, components, tags } = OpenApi.fromApi(Api)
  const routeOf = routeFinder()
  const lists = Object.entries(paths).flatMap(([path, operations]: [string, Operations]) =>
    Object.entries(operations).flatMap(([method, { responses }]) =>
      ListSchemas.namesOf(routeOf(method, path), responses)
    )
  )
  const ours = Object.entries(components.schemas)
    .filter(([name]) => isOurs(name))
    .map(([name, schema]) => [name, tidy(schema)])
    .concat([[...WriteWords.component()]])
  const schemas = ListSchemas.components(Object.fromEntries(ours), lists)
  return {
    openapi,
    info: { ...info, contact: CONTACT },
    servers: [{ url: "/", description: "This deployment" }],
    paths: {
      ...mapValues(paths, (operations: Operations, path) =>
        mapValues(operations, (operation, method) =>
          publish(operation, routeOf(method, path), schemas)
        )
      ),
      ...SchemaPaths.paths()
    },
    components: {
      schemas,
      responses: ErrorResponses.components(),
      headers: ErrorResponses.headers,
      securitySchemes
    },
    tags: [...tags, SchemaPaths.TAG].sort(byName)
  }
}
