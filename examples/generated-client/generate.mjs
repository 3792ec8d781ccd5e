/** `node generate.mjs ADDRESS FILE`: writes the types of the document at an address to a file. */
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import openapiTS, { astToString } from "openapi-typescript"

const [, , address = "http://127.0.0.1:8080/api/v2/openapi.json", file = "generated/api.ts"] =
  process.argv
mkdirSync(dirname(file), { recursive: true })
writeFileSync(file, astToString(await openapiTS(new URL(address))))
