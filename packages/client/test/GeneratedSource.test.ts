/** The modules that are made from the contract are as the contract is. */
import { readFileSync } from "node:fs"
import { Api } from "@attestry/api/Api"
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { assert, describe, it } from "@effect/vitest"
import { Context, Option } from "effect"
import * as OperationSource from "../../../scripts/operations/OperationSource.mjs"

const operations = OperationSource.operationsOf({
  Api,
  HttpApi,
  HttpApiSchema,
  OpenApi,
  Context,
  Option
})

/** Without what only the formatter decides. */
const unformatted = (text: string): string => text.replace(/[\s"]+/g, "").replace(/,(?=[\]}])/g, "")

describe("the generated modules", () => {
  it("have the operations, sentences and answers of the contract, as `pnpm generate:operations` writes them", () => {
    for (const [file, text] of Object.entries(OperationSource.files(operations))) {
      const stored = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8")
      assert.strictEqual(unformatted(stored), unformatted(text), file)
    }
  })

  it("have a sentence on every operation, and a longer text in the contract", () => {
    assert.isAbove(operations.length, 100)
    assert.deepStrictEqual(
      operations.filter(
        ({ summary, description }) => !/ /.test(summary) || !/\.$/.test(description)
      ),
      []
    )
  })
})
