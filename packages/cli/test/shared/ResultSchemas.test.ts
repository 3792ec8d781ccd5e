/** Every result of the program's own has a published schema, and its golden output is read by it. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Either, Schema } from "effect"
import { assert, describe, it } from "vitest"
import { RESULT_SCHEMAS } from "../../src/shared/ResultSchemas.js"
import { run } from "./Run.js"

const golden = join(import.meta.dirname, "../golden")
const source = join(import.meta.dirname, "../../src")

/** A golden document with values in the place of its marks. */
const documentOf = (file: string): unknown =>
  JSON.parse(readFileSync(join(golden, file), "utf8").replaceAll(/(?<=[:,[])<seconds>/g, "1"))

const schemaOf = (value: unknown): string | undefined =>
  typeof value === "object" && value !== null && "schema" in value
    ? String(value.schema)
    : undefined

const documents = readdirSync(golden)
  .filter((file) => file.endsWith(".json"))
  .map((file) => ({ file, value: documentOf(file) }))

describe("the schemas of results", () => {
  it("read every golden document, exactly", () => {
    const read = documents.flatMap(({ file, value }) => {
      const name = schemaOf(value)
      if (name === undefined) return []
      const schema = RESULT_SCHEMAS.get(name)
      if (schema === undefined) return assert.fail(`${file}: there is no schema ${name}`)
      const decode = Schema.decodeUnknownEither(schema, { onExcessProperty: "error" })
      const decoded = decode(value)
      assert.isTrue(Either.isRight(decoded), `${file}: ${Either.getLeft(decoded)}`)
      return [name]
    })
    assert.isAtLeast(new Set(read).size, 30)
  })

  it("are there for every name in the source, and for no other", () => {
    const texts = readdirSync(source, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !/ResultSchemas|SchemaHelp/.test(file))
      .map((file) => readFileSync(join(source, file), "utf8"))
    const used = texts.flatMap((text) => text.match(/attestry\.cli\/[a-z-]+\/v\d+/g) ?? [])
    assert.sameMembers([...new Set(used)], [...RESULT_SCHEMAS.keys()])
  })

  it("are published as a table, as JSON Schemas, and one by one", async () => {
    const table = await run(["help", "schemas"])
    assert.strictEqual(table.code, 0, table.stderr)
    assert.match(table.stdout, /attestry\.cli\/report\/v1 +One report/)
    const json = await run(["help", "schemas", "-o", "json"])
    const schemas = JSON.parse(json.stdout)
    assert.sameMembers(Object.keys(schemas), [...RESULT_SCHEMAS.keys()])
    for (const name of ["report", "report/v1", "attestry.cli/report/v1"]) {
      const one = await run(["help", "schemas", name])
      assert.deepStrictEqual(JSON.parse(one.stdout), schemas["attestry.cli/report/v1"])
    }
    assert.strictEqual((await run(["help", "schemas", "nothing"])).code, 2)
  })
})
