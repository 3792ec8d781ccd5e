/** Whom a grant is for, as callers name it. SPEC §4.31 */
import { SubjectKind } from "@attestry/core/Grant"
import * as Schema from "effect/Schema"

/** Whom a grant is for, in an answer. */
export const GrantSubjectName = Schema.Struct({
  kind: SubjectKind,
  name: Schema.String.annotations({
    description: "The login of a user, or the name of a team or an account; empty for everyone."
  })
}).annotations({ identifier: "GrantSubject" })
