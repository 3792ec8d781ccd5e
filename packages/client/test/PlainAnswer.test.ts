/** Answers without schemas are those of the schemas: the example of every operation, read both ways. */
import * as OpenApiDocument from "@attestry/http/OpenApiDocument"
import * as HttpApi from "@effect/platform/HttpApi"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import * as PlainAnswer from "../src/internal/PlainAnswer.js"
import * as PlainOperation from "../src/internal/PlainOperation.js"
import * as SendableApi from "../src/internal/SendableApi.js"

interface Documented {
  readonly responses: {
    readonly [status: string]: {
      readonly content?: { readonly [type: string]: { readonly example?: unknown } }
    }
  }
}

const { paths } = OpenApiDocument.make() as {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Documented } }
}

/** The JSON examples of the answers of an operation. */
const examplesOf = (method: string, path: string): ReadonlyArray<unknown> =>
  Object.entries(paths[OpenApiDocument.templatePath(path)]?.[method.toLowerCase()]?.responses ?? {})
    .filter(([status]) => status.startsWith("2"))
    .flatMap(([, { content }]) => {
      const example = content?.["application/json"]?.example
      return example === undefined ? [] : [example]
    })

/** The instants of the Effect face as those of the Promise face. */
const asDates = (value: unknown): unknown => {
  if (DateTime.isDateTime(value)) return DateTime.toDateUtc(value)
  if (Array.isArray(value)) return value.map(asDates)
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, asDates(each)]))
    : value
}

const cases: Array<readonly [string, PlainOperation.PlainOperation, Schema.Schema<unknown>]> = []
for (const name of PlainOperation.NAMES) {
  const [group = "", each = ""] = name.split(".")
  HttpApi.reflect(SendableApi.only(group, each), {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      cases.push([
        endpoint.path,
        PlainOperation.named(name),
        Schema.make(endpoint.successSchema.ast)
      ])
    }
  })
}

describe("an answer of the Promise client", () => {
  it("has the instants of the contract, in every operation", () => {
    const compared = cases.flatMap(([path, operation, schema]) =>
      operation.answer === "Json"
        ? examplesOf(operation.method, path).map((example) => {
            const decoded = asDates(Schema.decodeUnknownSync(schema)(example))
            assert.deepStrictEqual(PlainAnswer.shown(operation, example), decoded, operation.name)
            return operation.instants.length
          })
        : []
    )
    assert.isAbove(compared.length, 100)
    assert.isAbove(compared.filter((instants) => instants > 0).length, 40)
  })
})
