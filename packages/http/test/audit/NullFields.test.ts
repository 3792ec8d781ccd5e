/**
 * An optional field that is null counts as not sent, in every body of the listed features. The operations come from
 * the published document. SPEC §1.2
 */
import { assert, describe, it } from "vitest"
import * as Example from "../../src/meta/internal/Example.js"
import {
  all,
  document,
  type PublishedOperation,
  resolve,
  type Schema
} from "../fuzz/PublishedOperation.js"
import { onEveryStore } from "../shared/TestServer.js"

const FEATURES = [
  "flows",
  "trails",
  "artifacts",
  "attestations",
  "environments",
  "controls",
  "custom-attestation-types",
  "service-accounts"
]

const isListed = ({ path }: PublishedOperation): boolean =>
  FEATURES.includes(path.replace("/api/v2", "").split("/")[1] ?? "")

const bodyOf = ({ content }: PublishedOperation) => content["application/json"]

const isReport = ({ path }: PublishedOperation) => path.includes("/report/")

const writes = all.filter(
  (operation) =>
    operation.method !== "GET" && bodyOf(operation) !== undefined && isListed(operation)
)

const fieldsOf = (schema: Schema) =>
  Object.entries((schema.properties ?? {}) as Record<string, Schema>)

const requiredOf = (schema: Schema) => (schema.required ?? []) as ReadonlyArray<string>

const admitsNull = (given: Schema): boolean => {
  const schema = resolve(given)
  const members = [schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list : []))
  return (
    schema.type === "null" ||
    Object.keys(schema).every((keyword) => keyword === "description" || keyword === "$id") ||
    members.some(admitsNull)
  )
}

const optionalFields = (
  operation: PublishedOperation
): ReadonlyArray<readonly [string, Schema]> => {
  const schema = resolve(bodyOf(operation)?.schema ?? {})
  const objects = [schema, ...(Array.isArray(schema.anyOf) ? schema.anyOf.map(resolve) : [])]
  return objects.flatMap((object) =>
    fieldsOf(object).filter(([name]) => !requiredOf(object).includes(name))
  )
}

describe("the document", () => {
  it("says that every optional field of these bodies may be null", () => {
    assert.isAtLeast(writes.length, 20)
    const refusing = writes.flatMap((operation) =>
      optionalFields(operation)
        .filter(([, schema]) => !admitsNull(schema))
        .map(([name]) => `${operation.id} ${name}`)
    )
    assert.deepStrictEqual(refusing, [])
  })
})

onEveryStore("null for absent", ({ call }) => {
  const examplePath = ({ parameters }: PublishedOperation) =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === "path")
        .map(({ name, example }) => [name, name === "org" ? "acme" : String(example)])
    )

  for (const operation of writes.filter((each) => !isReport(each))) {
    it(`${operation.id} answers alike with nulls and without`, async () => {
      const example = Example.make(document.components.schemas, bodyOf(operation)?.schema, {
        extent: "request"
      }) as Record<string, unknown>
      const schema = resolve(bodyOf(operation)?.schema ?? {})
      const required = Object.entries(example).filter(([name]) => requiredOf(schema).includes(name))
      const nulls = optionalFields(operation).map(([name]) => [name, null])
      const send = (entries: ReadonlyArray<ReadonlyArray<unknown>>) =>
        call(`${operation.method} ${operation.path.replace("/api/v2", "")}`, {
          path: examplePath(operation),
          body: Object.fromEntries(entries)
        })
      // WHY twice: what creates something answers otherwise the second time.
      await send(required)
      const [bare, nulled] = [await send(required), await send([...required, ...nulls])]
      const said = JSON.stringify([bare.body, nulled.body])
      assert.strictEqual(nulled.status, bare.status, said)
      if (nulled.status === 400) assert.deepStrictEqual(nulled.body, bare.body)
    })
  }
})
