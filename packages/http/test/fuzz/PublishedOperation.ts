/** The operations of the published document, without the contract. */
import * as OpenApiDocument from "../../src/meta/OpenApiDocument.js"

/** A JSON Schema. */
export type Schema = { readonly [keyword: string]: unknown }

/** The content of a request or response under one content type. */
export interface Media {
  readonly schema: Schema
  readonly example?: unknown
}

/** A parameter of a path or a query. */
export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly schema: Schema
  readonly example?: unknown
}

/** An operation. */
export interface PublishedOperation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly content: { readonly [type: string]: Media }
  readonly answers: {
    readonly [status: string]: { readonly content?: { readonly [type: string]: Media } }
  }
}

interface Document {
  readonly paths: {
    readonly [path: string]: {
      readonly [method: string]: {
        readonly operationId: string
        readonly parameters: ReadonlyArray<Parameter>
        readonly requestBody?: { readonly content: { readonly [type: string]: Media } }
        readonly responses: PublishedOperation["answers"]
      }
    }
  }
  readonly components: { readonly schemas: { readonly [name: string]: Schema } }
}

/** The document. */
export const document = OpenApiDocument.make() as Document

/** The schema that a schema refers to. */
export const resolve = (schema: Schema): Schema =>
  typeof schema.$ref === "string"
    ? resolve(document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {})
    : schema

/** Every operation of the document. */
export const all: ReadonlyArray<PublishedOperation> = Object.entries(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      parameters: operation.parameters,
      content: operation.requestBody?.content ?? {},
      answers: operation.responses
    }))
)
