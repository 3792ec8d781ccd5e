/** Parses periods in settings: `500ms`, `15s`, `10m`, `1h`, `2d`. */
import * as Schema from "effect/Schema"

const MILLIS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

const FORM = /^(0|[1-9]\d{0,9})(ms|s|m|h|d)$/

const isUnit = (text: string): text is keyof typeof MILLIS => Object.hasOwn(MILLIS, text)

/** The milliseconds of a period; `undefined` for an invalid text. */
export const parse = (text: string): number | undefined => {
  const [, count = "", unit = ""] = FORM.exec(text) ?? []
  return isUnit(unit) ? Number(count) * MILLIS[unit] : undefined
}

/**
 * The form for JSON Schema. WHY not on the filter: an error would name the pattern instead of the bounds.
 */
const Text = Schema.String.annotations({ jsonSchema: { type: "string", pattern: FORM.source } })

/** A period between two others, in milliseconds. */
export const between = (least: string, most: string): Schema.Schema<number, string> =>
  Schema.transform(
    Text.pipe(
      Schema.filter((text) => {
        const millis = parse(text)
        const isInside =
          millis !== undefined && millis >= (parse(least) ?? 0) && millis <= (parse(most) ?? 0)
        return isInside || `Input should be a period from ${least} to ${most}, such as 90s or 1h`
      })
    ),
    Schema.Number,
    { strict: true, decode: (text) => parse(text) ?? 0, encode: (millis) => `${millis}ms` }
  )
