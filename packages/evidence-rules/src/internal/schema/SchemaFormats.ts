/** The metered formats of strings. All but `url` take linear time; `url` takes quadratic time. */
import type { Ajv } from "ajv"
import type { Ajv2020 } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import type { SchemaMeter } from "./SchemaMeter.js"

const CHARACTERS_PER_STEP = 20

const priceOf = (name: string, { length }: string): number =>
  1 + Math.ceil((name === "url" ? length * length : length) / CHARACTERS_PER_STEP)

/** Adds every format to an engine. */
export const add = (engine: Ajv | Ajv2020, meter: SchemaMeter): void => {
  formats.default(engine, { mode: "fast" })
  for (const [name, format] of Object.entries(engine.formats)) {
    const definition = typeof format === "object" && "validate" in format ? format : undefined
    const validate = definition?.validate ?? format
    if (definition?.type === "number" || typeof validate === "boolean") continue
    if (!(validate instanceof RegExp || typeof validate === "function")) continue
    engine.addFormat(name, (text: string) => {
      meter.spend(priceOf(name, text))
      // WHY: formats of strings are synchronous tests of a text; the numeric ones are skipped above.
      return validate instanceof RegExp
        ? validate.test(text)
        : Boolean((validate as (text: string) => unknown)(text))
    })
  }
}
