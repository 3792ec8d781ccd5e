/** Generated SCIM filters, paths and patches: of the forms that clients send, and mutated ones. */
import * as FastCheck from "effect/FastCheck"

const word = FastCheck.constantFrom(
  "userName",
  "displayName",
  "active",
  "externalId",
  "emails",
  "name",
  "title",
  "members",
  "id",
  "__proto__",
  "constructor"
)

const value: FastCheck.Arbitrary<unknown> = FastCheck.oneof(
  FastCheck.string({ maxLength: 8 }),
  FastCheck.boolean(),
  FastCheck.constantFrom("True", "false", "yes", null, 1),
  FastCheck.array(
    FastCheck.record({
      value: FastCheck.string({ maxLength: 4 }),
      type: FastCheck.constantFrom("work", "home")
    }),
    { maxLength: 3 }
  ),
  FastCheck.record({ givenName: FastCheck.string({ maxLength: 4 }) })
)

const condition = FastCheck.tuple(
  FastCheck.constantFrom("value", "type", "display"),
  FastCheck.constantFrom("eq", "EQ", "co"),
  FastCheck.string({ maxLength: 4 })
).map(([name, op, text]) => `[${name} ${op} ${JSON.stringify(text)}]`)

/** A path. */
export const path: FastCheck.Arbitrary<string> = FastCheck.oneof(
  FastCheck.tuple(
    FastCheck.constantFrom(
      "",
      "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:",
      "urn:ietf:params:scim:schemas:core:2.0:User:"
    ),
    word,
    FastCheck.option(condition, { nil: "" }),
    FastCheck.constantFrom("", ".value", ".givenName", ".")
  ).map((parts) => parts.join("")),
  FastCheck.string({ maxLength: 12 })
)

/** An operation of a patch. */
export const operation: FastCheck.Arbitrary<unknown> = FastCheck.record(
  { op: FastCheck.constantFrom("add", "Replace", "REMOVE", "move"), path, value },
  { requiredKeys: ["op"] }
)

/** A patch. */
export const patch: FastCheck.Arbitrary<unknown> = FastCheck.oneof(
  {
    weight: 5,
    arbitrary: FastCheck.record({ Operations: FastCheck.array(operation, { maxLength: 6 }) })
  },
  { weight: 1, arbitrary: FastCheck.jsonValue() }
)

const term = FastCheck.tuple(
  FastCheck.constantFrom(
    "userName",
    "USERNAME",
    "externalId",
    "displayName",
    "active",
    "emails.value",
    'emails[type eq "work"].value',
    "id"
  ),
  FastCheck.constantFrom(" eq ", "  EQ ", " co "),
  FastCheck.oneof(
    FastCheck.string({ maxLength: 3 }).map((text) => JSON.stringify(text)),
    FastCheck.constantFrom("true", "False", "1", '"')
  )
).map((parts) => parts.join(""))

/** A filter. */
export const filter: FastCheck.Arbitrary<string> = FastCheck.oneof(
  FastCheck.array(term, { minLength: 1, maxLength: 4 }).map((terms) => terms.join(" and ")),
  FastCheck.string({ maxLength: 30 })
)
