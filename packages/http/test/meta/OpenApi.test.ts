/**
 * The published document: valid by an independent validator, complete for every operation, free of words of the
 * framework, and with examples that match their schemas. A new operation is covered at once.
 */
import { Api } from "@attestry/api/Api"
import * as EnvironmentEvents from "@attestry/core/EnvironmentEvents"
import { Validator } from "@seriousme/openapi-schema-validator"
import { Ajv2020 } from "ajv/dist/2020.js"
import { ParseResult, Schema } from "effect"
import { assert, describe, it } from "vitest"
import * as OpenApiDocument from "../../src/meta/OpenApiDocument.js"
import * as RouteTable from "../../src/shared/internal/RouteTable.js"

interface Media {
  readonly schema: object
  readonly example?: unknown
}

interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly "x-beta"?: string
  readonly tags?: ReadonlyArray<string>
  readonly security?: ReadonlyArray<object>
  readonly parameters: ReadonlyArray<{
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly description?: string
    readonly schema: object
    readonly example?: unknown
  }>
  readonly requestBody?: { readonly content: { readonly [type: string]: Media } }
  readonly responses: {
    readonly [status: string]: {
      readonly $ref?: string
      readonly content?: { readonly [type: string]: Media }
    }
  }
}

interface Document {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  readonly components: {
    readonly schemas: object
    readonly responses: {
      readonly [name: string]: { readonly content: { readonly [type: string]: Media } }
    }
  }
}

// WHY: readers of the document see its JSON value.
const document = JSON.parse(JSON.stringify(OpenApiDocument.make())) as Document
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))

const isJson = (type: string): boolean => type === "application/json"

/** Every example: its operation, its place, its schema and its value. */
const placesOf = (operation: Operation) => [
  ...operation.parameters
    .filter((parameter) => parameter.in === "path")
    .map(({ name, schema, example }) => ({ place: name, schema, example })),
  ...Object.entries(operation.requestBody?.content ?? {}).map(([type, media]) => ({
    place: `request ${type}`,
    ...media
  })),
  ...Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
    Object.entries(content).map(([type, media]) => ({ place: `${status} ${type}`, ...media }))
  )
]

const lacking = (missing: (operation: Operation) => boolean): ReadonlyArray<string> =>
  operations.filter(missing).map(({ operationId }) => operationId)

describe("the OpenAPI document", () => {
  it("is valid OpenAPI 3.1 by an independent validator", async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate({ ...structuredClone(document) })
    assert.isTrue(valid, JSON.stringify(errors)?.slice(0, 2_000))
    assert.strictEqual(validator.version, "3.1")
  })

  it("gives every operation a summary, a tag and its security schemes", () => {
    assert.isNotEmpty(operations)
    assert.deepStrictEqual(
      lacking(({ summary }) => summary === undefined || !/^[A-Z].*[^.]$/.test(summary)),
      []
    )
    assert.deepStrictEqual(
      lacking(({ tags }) => tags?.length !== 1),
      []
    )
    assert.deepStrictEqual(
      lacking(({ security }) => security === undefined),
      []
    )
    const open = operations.filter(({ security }) => security?.length === 0)
    assert.deepStrictEqual(
      open.map(({ operationId }) => operationId),
      [
        "invitation.look",
        "invitation.accept",
        "log.keys",
        "session.open",
        "session.claim",
        "signIn.providers",
        "workloadIdentity.exchange",
        "schema.flowTemplate",
        "schema.environmentPolicy",
        "schema.environmentPolicy2",
        "schema.policyTests",
        "schema.trustPolicy"
      ]
    )
  })

  it("describes every operation and every parameter in sentences", () => {
    const isSentences = (text: string | undefined) => /^[A-Z`].{15,}[.]$/s.test(text ?? "")
    assert.deepStrictEqual(
      lacking(({ description }) => !isSentences(description)),
      []
    )
    const undescribed = operations.flatMap(({ operationId, parameters }) =>
      parameters
        .filter(({ description }) => !isSentences(description))
        .map(({ name }) => `${operationId} ${name}`)
    )
    assert.deepStrictEqual(undescribed, [])
  })

  it("repeats no summary of another operation in a description", () => {
    const descriptions = operations.map(({ description }) => description)
    assert.strictEqual(new Set(descriptions).size, descriptions.length)
  })

  it("publishes controls as beta, with the header that enables them and decisions about them", () => {
    const beta = operations.filter((operation) => operation["x-beta"] === "controls")
    assert.deepStrictEqual(
      beta.map(({ operationId }) => operationId).sort(),
      [
        ...["create", "list", "get", "update", "archive", "unarchive", "coverage", "versions"].map(
          (name) => `control.${name}`
        ),
        "control.version",
        "control.decisions",
        "control.decision",
        "control.tags",
        "control.matrix"
      ].sort()
    )
    for (const { operationId, description, parameters } of operations) {
      const isBeta = beta.some((operation) => operation.operationId === operationId)
      const header = parameters.find(({ name }) => name === "X-Beta-Features")
      // WHY also these: tags of controls and decisions about them have the same feature flag, and others do not.
      const isPartly = ["tag.change", "attestation.system"].includes(operationId)
      assert.strictEqual(header !== undefined, isBeta || isPartly, operationId)
      if (header !== undefined) {
        assert.deepInclude(header, { in: "header", required: false })
        assert.include(header.description, "`controls`")
      }
      if (isBeta) assert.match(description ?? "", /^Beta: /)
    }
  })

  it("has an example for every path parameter, request and response", () => {
    const without = operations.flatMap((operation) =>
      placesOf(operation)
        .filter(({ example }) => example === undefined)
        .map(({ place }) => `${operation.operationId} ${place}`)
    )
    assert.deepStrictEqual(without, [])
  })

  it("has no example that violates its schema", () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema({ ...document, $id: "document" }, "document")
    const broken = operations.flatMap((operation) =>
      placesOf(operation).flatMap(({ place, schema, example }) => {
        const absolute = JSON.stringify(schema).replaceAll('"#/', '"document#/')
        const validate = ajv.compile(JSON.parse(absolute))
        return validate(example)
          ? []
          : [`${operation.operationId} ${place}: ${ajv.errorsText(validate.errors)}`]
      })
    )
    assert.deepStrictEqual(broken, [])
  })

  it("has examples of requests that the contract accepts", () => {
    const routes = RouteTable.routesOf(Api)
    const refused = operations.flatMap(({ operationId, requestBody }) => {
      const route = routes.find(({ group, name }) => `${group}.${name}` === operationId)
      const payload = route?.endpoint.payloadSchema
      const example = requestBody?.content["application/json"]?.example
      if (payload?._tag !== "Some" || example === undefined) return []
      const schema = Schema.make<unknown, unknown, never>(payload.value.ast)
      const decoded = Schema.decodeUnknownEither(schema, { onExcessProperty: "error" })(example)
      return decoded._tag === "Right"
        ? []
        : [`${operationId}: ${ParseResult.TreeFormatter.formatErrorSync(decoded.left)}`]
    })
    assert.deepStrictEqual(refused, [])
  })

  it("has examples of responses that the contract can encode", () => {
    const routes = RouteTable.routesOf(Api)
    const refused = operations.flatMap(({ operationId, responses }) => {
      const route = routes.find(({ group, name }) => `${group}.${name}` === operationId)
      return Object.entries(responses).flatMap(([status, { content = {} }]) => {
        const success = route?.successes.get(Number(status))
        const example = content["application/json"]?.example
        if (success?.ast._tag !== "Some" || example === undefined) return []
        const schema = Schema.make<unknown, unknown, never>(success.ast.value)
        const decoded = Schema.decodeUnknownEither(schema, { onExcessProperty: "error" })(example)
        return decoded._tag === "Right"
          ? []
          : [`${operationId}: ${ParseResult.TreeFormatter.formatErrorSync(decoded.left)}`]
      })
    })
    assert.deepStrictEqual(refused, [])
  })

  it("shows the header of the audit log as it is sent", () => {
    const auditLog = operations.find(({ operationId }) => operationId === "event.auditLog")
    const [media] = Object.values(auditLog?.responses["200"]?.content ?? {})
    assert.isTrue(String(media?.example).startsWith(EnvironmentEvents.header))
  })

  it("has the fields of every event", () => {
    const schemas: { readonly [name: string]: unknown } = { ...document.components.schemas }
    const untyped = Object.entries(schemas).filter(([, schema]) => {
      const events = Object(schema).properties?.events
      return events !== undefined && !/"\$ref"|"anyOf"/.test(JSON.stringify(events.items))
    })
    assert.deepStrictEqual(
      untyped.map(([name]) => name),
      []
    )
    const events = Object.entries(schemas).filter(([name]) => /Event$/.test(name))
    assert.isAbove(events.length, 3)
    for (const [name, schema] of events) {
      assert.notInclude(JSON.stringify(schema), '"additionalProperties":{}', name)
    }
  })

  it("shares one component for each error response, and lists all of an operation", () => {
    for (const { operationId, responses, requestBody, security = [] } of operations) {
      const refusals = Object.entries(responses).filter(([status]) => Number(status) >= 400)
      assert.deepStrictEqual(
        refusals.filter(([, { $ref }]) => $ref?.startsWith("#/components/responses/") !== true),
        [],
        operationId
      )
      // WHY: documents that are served as they are refuse nothing.
      if (operationId.startsWith("schema.")) continue
      const statuses = refusals.map(([status]) => status)
      assert.includeMembers(statuses, ["400", "401", "429", "503"], operationId)
      if (security.length > 0) assert.include(statuses, "403", operationId)
      if (requestBody !== undefined) assert.includeMembers(statuses, ["413", "415"], operationId)
    }
    for (const { content } of Object.values(document.components.responses)) {
      assert.deepStrictEqual(Object.keys(content), ["application/json"])
      assert.property(content["application/json"]?.example, "message")
    }
  })

  it("contains no words of the framework", () => {
    const text = JSON.stringify(document)
    for (const noise of ["HttpApi", "a string matching", '"$id"', "maxLength(", '"title":"int"']) {
      assert.notInclude(text, noise)
    }
    const descriptions = operations.flatMap(({ responses }) =>
      Object.values(responses).flatMap((response) =>
        "description" in response ? [String(response.description)] : []
      )
    )
    assert.deepStrictEqual(
      descriptions.filter((words) => !/^[A-Z].* /.test(words)),
      []
    )
  })

  it("describes JSON and forms, and the JSON of a form", () => {
    for (const { requestBody } of operations) {
      const form = requestBody?.content["multipart/form-data"]
      // A file that is the whole body is no JSON.
      const isFile = requestBody?.content["application/octet-stream"] !== undefined
      if (form === undefined || isFile) continue
      assert.isTrue(Object.keys(requestBody?.content ?? {}).some(isJson))
      assert.include(JSON.stringify(form.schema), '"contentMediaType":"application/json"')
    }
  })
})
