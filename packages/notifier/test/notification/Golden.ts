/** Compares output with golden files. */
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert } from "@effect/vitest"

const fileOf = (name: string) => fileURLToPath(new URL(`./golden/${name}`, import.meta.url))

const isWriting = process.env.ATTESTRY_GOLDEN === "write"

/** Compares text with the file; `ATTESTRY_GOLDEN=write` writes the file instead. */
export const matches = (name: string, text: string): void => {
  if (isWriting) writeFileSync(fileOf(name), text)
  assert.strictEqual(text, readFileSync(fileOf(name), "utf8"), name)
}

/** Compares JSON with the file: the order of fields counts, white space does not. */
export const matchesJson = (name: string, value: unknown): void => {
  if (isWriting) writeFileSync(fileOf(name), `${JSON.stringify(value, null, 2)}\n`)
  const kept: unknown = JSON.parse(readFileSync(fileOf(name), "utf8"))
  assert.strictEqual(JSON.stringify(value, null, 2), JSON.stringify(kept, null, 2), name)
}
