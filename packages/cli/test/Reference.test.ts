/** `docs/CLI.md` says what the tree of commands says; `ATTESTRY_GOLDEN=write` writes it. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { GRAMMAR } from "../src/Program.js"
import { nameOf } from "../src/shared/CommandSpec.js"
import * as Reference from "./shared/Reference.js"

const file = join(import.meta.dirname, "../../../docs/CLI.md")

describe("docs/CLI.md", () => {
  it("is made from the tree of commands", () => {
    const document = readFileSync(file, "utf8")
    const renewed = Reference.renew(document, GRAMMAR)
    if (process.env.ATTESTRY_GOLDEN === "write") writeFileSync(file, renewed)
    else assert.strictEqual(document, renewed, "run: ATTESTRY_GOLDEN=write pnpm test Reference")
  })

  it("has every part, and every command but those for completion scripts", () => {
    const document = readFileSync(file, "utf8")
    for (const name of Reference.parts(GRAMMAR).keys())
      assert.include(document, `<!-- made: ${name} -->`)
    for (const command of GRAMMAR.commands)
      assert.strictEqual(
        document.includes(`\`attestry ${nameOf(command)}`),
        !nameOf(command).startsWith("__"),
        nameOf(command)
      )
  })
})
