/** Golden files: what is rendered must be what was looked at and kept. */
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert } from "@effect/vitest"

/** Compares with the file; `ATTESTRY_GOLDEN=write` writes it instead, to be looked at and committed. */
export const matches = (name: string, text: string): void => {
  const file = fileURLToPath(new URL(`./golden/${name}`, import.meta.url))
  if (process.env.ATTESTRY_GOLDEN === "write") writeFileSync(file, text)
  assert.strictEqual(text, readFileSync(file, "utf8"), name)
}
