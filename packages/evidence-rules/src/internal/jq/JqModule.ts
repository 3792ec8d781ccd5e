/**
 * The metered binary of jq 1.7.1: taken from `jq-wasm`, checked against its digest, metered, compiled.
 *
 * Only the binary of `jq-wasm` is used. Its own host copies its buffer for each byte that it reads, and reuses one
 * instance, which leaks memory until it aborts.
 */
import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { meter } from "../wasm/Metering.js"
import { DEPTH_MAX, PAGES_MAX, STACK_FLOOR } from "./JqBudget.js"

const DIGEST = "afe41384b63559bdec6d13444bb2d0c2a49ed301fe686082c0cc8fa240d3af67"
const BINARY = /data:application\/octet-stream;base64,([A-Za-z0-9+/=]+)/

/** The published binary. Throws when its digest differs, because metering and imports depend on it. */
export const read = async (): Promise<Uint8Array> => {
  const path = createRequire(import.meta.url).resolve("jq-wasm/dist/build/jq.js")
  const bytes = Buffer.from(BINARY.exec(await readFile(path, "utf8"))?.[1] ?? "", "base64")
  const digest = createHash("sha256").update(bytes).digest("hex")
  if (digest !== DIGEST) throw new Error(`the binary of jq has the digest ${digest}`)
  return bytes
}

/** The module that every evaluation instantiates. */
export const compile = async (): Promise<WebAssembly.Module> =>
  WebAssembly.compile(
    meter(await read(), { pagesMax: PAGES_MAX, depthMax: DEPTH_MAX, stackFloor: STACK_FLOOR })
  )
