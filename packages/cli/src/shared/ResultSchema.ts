/** The parts that schemas of results share. */
import * as Schema from "effect/Schema"

/** A list of texts. */
export const Texts = Schema.Array(Schema.String)
/** Members of any names. */
export const Fields = Schema.Record({ key: Schema.String, value: Schema.Unknown })
/** A text, or null. */
export const NullableText = Schema.NullOr(Schema.String)
/** A member that may be absent. */
export const optional = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.optionalWith(schema, { exact: true })

/** The schema of a result, by its name such as `report`. */
export const result = <Members extends Schema.Struct.Fields>(
  name: string,
  description: string,
  members: Members
) =>
  Schema.Struct({ schema: Schema.Literal(`attestry.cli/${name}/v1`), ...members }).annotations({
    description
  })
