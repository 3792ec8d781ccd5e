import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck, Schema } from "effect"
import type { PhysicalKind } from "../../src/environment/EnvironmentKind.js"
import { schemaOf } from "../../src/report/EnvironmentReport.js"
import * as Dictionary from "../../src/shared/Dictionary.js"
import { optional } from "../../src/shared/OptionalField.js"
import * as SchemaFastPath from "../../src/shared/SchemaFastPath.js"
import * as Reports from "../../testing/EnvironmentReport.js"

const Given = Schema.Struct({
  note: optional(Schema.String.pipe(Schema.minLength(1))),
  count: Schema.Int,
  inner: optional(Schema.Struct({ deep: optional(Schema.Boolean) }))
}).annotations({ parseOptions: { onExcessProperty: "error" } })

/** Bodies with fields that may be absent or null, right and wrong. */
const nearGiven = FastCheck.record(
  {
    note: FastCheck.constantFrom<Array<unknown>>("x", "", 1, null),
    count: FastCheck.constantFrom<Array<unknown>>(1, 1.5, null),
    inner: FastCheck.constantFrom<Array<unknown>>({}, { deep: true }, { deep: null }, [], null),
    extra: FastCheck.constant(1)
  },
  { requiredKeys: ["count"] }
)

const Sample = Schema.Struct({
  name: Schema.String.pipe(Schema.minLength(1)),
  size: Schema.optionalWith(Schema.NullOr(Schema.Int), { exact: true }),
  kind: Schema.Literal("one", "two", null),
  tags: Schema.Array(Schema.Boolean),
  ages: Dictionary.make({ key: Schema.String, value: Schema.Finite, members: {} })
}).annotations({ parseOptions: { onExcessProperty: "error", errors: "all" } })

/** Values of the right shape, with a wrong part here and there. */
const nearSample = FastCheck.record(
  {
    name: FastCheck.constantFrom<Array<unknown>>("x", "", 1, null, undefined),
    size: FastCheck.constantFrom<Array<unknown>>(1, 1.5, null, "1", undefined),
    kind: FastCheck.constantFrom<Array<unknown>>("one", "three", null),
    tags: FastCheck.constantFrom<Array<unknown>>([], [true], [1], {}, null),
    ages: FastCheck.constantFrom<Array<unknown>>({}, { a: 1 }, { a: "1" }, [], null),
    extra: FastCheck.constant(1)
  },
  { requiredKeys: ["name", "kind", "tags", "ages"] }
)

/** Replaces one part of a JSON text, which often spoils it. */
const spoil = (text: string, [from, to]: readonly [string, string]): unknown => {
  try {
    return JSON.parse(text.replace(from, to))
  } catch {
    return text
  }
}
const spoiling = FastCheck.constantFrom<Array<readonly [string, string]>>(
  ['"digests"', '"digest"'],
  ['"creationTimestamp":1', '"creationTimestamp":1.5e-1'],
  ['"aaaa', '"Aaaa'],
  ['"shop"', '""'],
  ['"one"', "1"],
  ['"one"', "null"],
  ["{", '{"more":1,'],
  ["{", '{"__proto__":1,'],
  ["[", "[null,"],
  ["", ""]
)

const agrees = <A, I>(schema: Schema.Schema<A, I>, input: unknown) => {
  const decoded = Schema.decodeUnknownEither(schema)(input)
  assert.strictEqual(SchemaFastPath.make(schema)(input), Either.isRight(decoded))
  if (Either.isRight(decoded)) assert.deepStrictEqual(decoded.right, input)
}

describe("SchemaFastPath", () => {
  it.prop(
    "takes a struct with fields that may be null when none is",
    { input: nearGiven },
    (given) => {
      const input: unknown = given.input
      const decoded = Schema.decodeUnknownEither(Given)(input)
      const isItself =
        Either.isRight(decoded) && JSON.stringify(decoded.right) === JSON.stringify(input)
      assert.strictEqual(SchemaFastPath.make(Given)(input), isItself)
    }
  )

  it("takes no struct with a default for what is absent, and no renamed field", () => {
    const byDefault = Schema.Struct({ a: Schema.optionalWith(Schema.Int, { default: () => 1 }) })
    assert.isFalse(SchemaFastPath.make(byDefault)({}))
    assert.isTrue(SchemaFastPath.make(byDefault)({ a: 2 }))
    const renamed = Schema.Struct({
      a: Schema.propertySignature(Schema.Int).pipe(Schema.fromKey("b"))
    })
    assert.isFalse(SchemaFastPath.make(renamed)({ b: 1 }))
    assert.isFalse(SchemaFastPath.make(Schema.Struct({ a: Schema.NumberFromString }))({ a: "1" }))
  })

  it.prop(
    "lets pass exactly what the schema decodes to itself",
    { input: FastCheck.oneof(nearSample, FastCheck.jsonValue()) },
    ({ input }) => agrees(Sample, input),
    { fastCheck: { numRuns: 2_000 } }
  )

  it.prop(
    "lets pass exactly the records that the schema decodes to themselves",
    { names: FastCheck.array(FastCheck.constantFrom("a", "bc", "", "__proto__", "toString")) },
    ({ names }) => {
      const input: unknown = JSON.parse(`{${names.map((name) => `"${name}":"warn"`).join()}}`)
      const modes = Schema.Record({
        key: Schema.String.pipe(Schema.minLength(1)),
        value: Schema.Literal("warn")
      })
      const decoded = Schema.decodeUnknownEither(modes)(input)
      const isItself =
        Either.isRight(decoded) && JSON.stringify(decoded.right) === JSON.stringify(input)
      assert.strictEqual(SchemaFastPath.make(modes)(input), isItself)
      assert.isFalse(SchemaFastPath.make(modes)({ a: "enforce" }))
    }
  )

  it.prop(
    "agrees about lists in which each member has its place, and about what may be anything",
    { input: FastCheck.array(FastCheck.constantFrom<Array<unknown>>(1, "x", null, true, [1])) },
    ({ input }) => {
      agrees(
        Schema.Tuple(
          Schema.Number,
          Schema.Unknown,
          Schema.optionalElement(Schema.NullOr(Schema.String))
        ),
        input
      )
      agrees(Schema.Tuple(), input)
    },
    { fastCheck: { numRuns: 1_000 } }
  )

  it.prop(
    "agrees with the schemas of reports on sound and on spoilt bodies",
    { given: Reports.kindAndReport, spoiling },
    ({ given, spoiling: change }) => {
      const schema = Schema.make<{ readonly artifacts: ReadonlyArray<unknown> }, unknown, never>(
        schemaOf(given.kind).ast
      )
      agrees(schema, spoil(JSON.stringify(given.report), change))
    },
    { fastCheck: { numRuns: 2_000 } }
  )

  it.each(["K8S", "container-tasks", "docker", "cloudx-apps", "serverless-run"] as const)(
    "lets an empty %s report pass",
    (kind: PhysicalKind) =>
      assert.strictEqual(
        SchemaFastPath.make(Schema.make<unknown, unknown, never>(schemaOf(kind).ast))({
          artifacts: []
        }),
        true
      )
  )

  it("passes nothing that would be transformed or that it cannot check", () => {
    assert.strictEqual(SchemaFastPath.make(Schema.NumberFromString)("1"), false)
    assert.strictEqual(
      SchemaFastPath.make(Schema.Struct({ a: Schema.NumberFromString }))({ a: "1" }),
      false
    )
    assert.strictEqual(
      SchemaFastPath.make(
        Schema.Struct({ a: Schema.Int }, { key: Schema.String, value: Schema.Int })
      )({ a: 1 }),
      false
    )
    assert.strictEqual(
      SchemaFastPath.make(Schema.Tuple([Schema.String], Schema.Number))(["x", 1]),
      false
    )
    assert.strictEqual(SchemaFastPath.make(Schema.DateFromSelf)(new Date(0)), false)
  })
})
