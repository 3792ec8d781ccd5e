/** The keywords that compare whole values, by their canonical text: in linear instead of quadratic time. */
import * as CanonicalJson from "@attestry/core/CanonicalJson"
import type { DataValidateFunction, FuncKeywordDefinition } from "ajv/dist/types/index.js"
import type { SchemaMeter } from "./SchemaMeter.js"

const CHARACTERS_PER_STEP = 20

const printer = (meter: SchemaMeter) => (value: unknown) => {
  const text = CanonicalJson.print(value)
  meter.spend(1 + Math.ceil(text.length / CHARACTERS_PER_STEP))
  return text
}

/** A check whose failure has the given message. */
const checked = (
  test: (data: unknown) => { readonly message: string } | undefined,
  keyword: string
): DataValidateFunction => {
  const check: DataValidateFunction = (data) => {
    const problem = test(data)
    check.errors = problem === undefined ? [] : [{ keyword, params: {}, message: problem.message }]
    return problem === undefined
  }
  return check
}

const duplicate = (items: ReadonlyArray<unknown>, print: (value: unknown) => string) => {
  const seen = new Map<string, number>()
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const text = print(items[index])
    const before = seen.get(text)
    if (before !== undefined)
      return {
        message: `must NOT have duplicate items (items ## ${index} and ${before} are identical)`
      }
    seen.set(text, index)
  }
  return undefined
}

/** `uniqueItems`, `enum` and `const`. */
export const definitions = (meter: SchemaMeter): ReadonlyArray<FuncKeywordDefinition> => {
  const print = printer(meter)
  const oneOf = (keyword: string, values: ReadonlyArray<unknown>, message: string) => {
    const texts = new Set(values.map((value) => CanonicalJson.print(value)))
    return checked((data) => (texts.has(print(data)) ? undefined : { message }), keyword)
  }
  return [
    {
      keyword: "uniqueItems",
      type: "array",
      schemaType: "boolean",
      errors: "full",
      compile: (isUnique: boolean) =>
        checked(
          (data) => (isUnique && Array.isArray(data) ? duplicate(data, print) : undefined),
          "uniqueItems"
        )
    },
    {
      keyword: "enum",
      schemaType: "array",
      errors: "full",
      compile: (values: ReadonlyArray<unknown>) =>
        oneOf("enum", values, "must be equal to one of the allowed values")
    },
    {
      keyword: "const",
      errors: "full",
      compile: (value: unknown) => oneOf("const", [value], "must be equal to constant")
    }
  ]
}
