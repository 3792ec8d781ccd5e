/**
 * The part of the OpenAPI document about the JSON Schemas, which are served as documents and are not part of the
 * contract.
 */
import type { Json } from "@attestry/core/CanonicalJson"
import * as FlowTemplateJsonSchema from "@attestry/core/FlowTemplateJsonSchema"
import * as PolicyJsonSchema from "@attestry/core/PolicyJsonSchema"
import * as TrustPolicyJsonSchema from "@attestry/core/TrustPolicyJsonSchema"
import * as PolicyTestsJsonSchema from "@attestry/policy-lab/PolicyTestsJsonSchema"
import * as ErrorResponses from "./ErrorResponses.js"

/** The tag of the operations. */
export const TAG = {
  name: "Schemas",
  description:
    "JSON Schemas of the documents that are written by hand: flow templates, policies and their tests, trust policies."
}

/** A document with its path and its words. */
interface SchemaDocument {
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly document: Json
}

/** The documents, by their paths. */
export const DOCUMENTS: ReadonlyArray<SchemaDocument> = [
  {
    path: "/api/v2/schemas/flow-template/v1",
    operationId: "schema.flowTemplate",
    summary: "Get the JSON Schema of flow templates",
    description: "Answers the JSON Schema of a flow's template, for editors that check YAML.",
    document: FlowTemplateJsonSchema.document
  },
  {
    path: "/api/v2/schemas/environment-policy/v1",
    operationId: "schema.environmentPolicy",
    summary: "Get the JSON Schema of policies",
    description: "Answers the JSON Schema of a policy, for editors that check YAML.",
    document: PolicyJsonSchema.documents[1]
  },
  {
    path: "/api/v2/schemas/environment-policy/v2",
    operationId: "schema.environmentPolicy2",
    summary: "Get the JSON Schema of policies, version 2",
    description: "Answers the JSON Schema of a policy whose rules may have a `max_age`.",
    document: PolicyJsonSchema.documents[2]
  },
  {
    path: "/api/v2/schemas/policy-tests/v1",
    operationId: "schema.policyTests",
    summary: "Get the JSON Schema of tests of policies",
    description: "Answers the JSON Schema of a file of policy tests, for editors that check YAML.",
    document: PolicyTestsJsonSchema.document
  },
  {
    path: "/api/v2/schemas/trust-policy/v1",
    operationId: "schema.trustPolicy",
    summary: "Get the JSON Schema of trust policies",
    description: "Answers the JSON Schema of a trust policy, for editors that check YAML.",
    document: TrustPolicyJsonSchema.document
  }
]

/** WHY not a whole document: its references would be looked up in the OpenAPI document. */
const EXAMPLE = { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object" }

const publish = ({ operationId, summary, description }: SchemaDocument): object => ({
  get: {
    tags: [TAG.name],
    operationId,
    summary,
    description,
    security: [],
    parameters: [],
    responses: {
      200: {
        description: "The JSON Schema",
        headers: ErrorResponses.REQUEST_ID,
        content: { "application/json": { schema: { type: "object" }, example: EXAMPLE } }
      }
    }
  }
})

/** The paths of the documents. */
export const paths = (): { readonly [path: string]: object } =>
  Object.fromEntries(DOCUMENTS.map((document) => [document.path, publish(document)]))
