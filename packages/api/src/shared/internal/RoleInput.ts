/** The name of a base role in a request, with the error message that clients expect. */
import { BaseRole, Role } from "@attestry/core/Role"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"

const isRole = Schema.is(BaseRole)

// WHY without `none`: the specification fixes the text, which names the four roles.
const words = Role.literals.map((role) => `<Role.${role.toUpperCase()}: '${role}'>`)

const message = `Input should be ${words.slice(0, -1).join(", ")} or ${words.at(-1)}`

/** The name of a base role. */
export const RoleInput = Schema.transformOrFail(
  Schema.String.annotations({ jsonSchema: { type: "string", enum: [...BaseRole.literals] } }),
  Schema.typeSchema(BaseRole),
  {
    strict: true,
    decode: (text, _, ast) =>
      isRole(text)
        ? ParseResult.succeed(text)
        : ParseResult.fail(new ParseResult.Type(ast, text, message)),
    encode: (role) => ParseResult.succeed(role)
  }
)
