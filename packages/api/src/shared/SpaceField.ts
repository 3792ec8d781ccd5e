/** The space of a thing, as requests ask for it and answers say it. */
import { optional } from "@attestry/core/OptionalField"
import { SpacePath } from "@attestry/core/Space"
import * as Schema from "effect/Schema"

/** The space of a new thing; one that is there stays where it is. */
export const newSpace = optional(
  SpacePath.annotations({
    description:
      "The path of the space of a new one, as `retail/payments`, or `/`; by default the only " +
      "space in which the caller may make it. One that is there already stays in its space."
  })
)

/** The path of the space that a thing is in; absent in an org without spaces. */
export const answeredSpace = Schema.optionalWith(Schema.String, { exact: true })
