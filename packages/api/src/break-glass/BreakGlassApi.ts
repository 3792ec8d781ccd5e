/** The operations of break-glass: roles that people take at once, for a while. SPEC §4.34 */
import * as BreakGlass from "@attestry/core/BreakGlass"
import { Role } from "@attestry/core/Role"
import { SpacePath } from "@attestry/core/Space"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { Conflict } from "../shared/HttpError.js"
import { jsonBody, noBody, Operation, rule } from "../shared/Operation.js"
import { counterFields, pageFields } from "../shared/Paging.js"
import { org } from "../shared/PathParam.js"
import * as QueryParam from "../shared/QueryParam.js"

/** The range of the column in the database. */
const NUMBER_MAX = 2_147_483_647

/** What to open. */
export const OpenBreakGlass = Schema.Struct({
  space: SpacePath.annotations({
    description: "The path of the space in which, and below which, it counts; `/` is the whole org."
  }),
  role: Role.annotations({ description: "The role; an eligible grant of it, or of a higher one." }),
  reason: BreakGlass.Reason.annotations({ description: "Why; all admins are told." }),
  minutes: BreakGlass.Minutes.annotations({ description: "How long; it is never extended." })
}).annotations({ identifier: "OpenBreakGlass" })

/** What a reviewer found. */
export const ReviewBreakGlass = Schema.Struct({
  note: BreakGlass.Reason.annotations({ description: "What the reviewer found." })
}).annotations({ identifier: "ReviewBreakGlass" })

/** An opening. */
export const BreakGlassResponse = Schema.Struct({
  number: Schema.Int.annotations({ description: "From 1 in each org." }),
  state: BreakGlass.BreakGlassState.annotations({
    description:
      "`open` while it counts; `closed` or `expired` while it waits for its review; `reviewed`."
  }),
  opened_by: Schema.String.annotations({ description: "The name of the person at that time." }),
  means: BreakGlass.Means.annotations({ description: "What allowed the person to open it." }),
  space: Schema.String.annotations({
    description: "The path of the space; empty where the space was deleted."
  }),
  role: Role,
  reason: Schema.String,
  minutes: Schema.Int,
  opened_at: EpochSeconds,
  ends_at: EpochSeconds,
  closed_at: Schema.NullOr(EpochSeconds).annotations({
    description: "When it was over; null until that is recorded."
  }),
  closed_by: Schema.NullOr(Schema.String).annotations({
    description: "Who closed it before its end; null for an end that time brought."
  }),
  reviewed_at: Schema.NullOr(EpochSeconds),
  reviewed_by: Schema.NullOr(Schema.String),
  note: Schema.NullOr(Schema.String).annotations({ description: "What the reviewer found." })
}).annotations({ identifier: "BreakGlass" })

/** Filters of the list of openings. */
export const ListBreakGlass = Schema.Struct({
  ...pageFields(),
  state: QueryParam.optional(
    QueryParam.words(BreakGlass.BreakGlassState.literals),
    "Only openings in one of these states, separated by commas."
  )
})

const number = HttpApiSchema.param(
  "number",
  QueryParam.integer(1, NUMBER_MAX).annotations({
    description: "The number of the opening in its org, from 1."
  })
)

/** The operations of break-glass. */
export class BreakGlassApi extends HttpApiGroup.make("breakGlass")
  .add(
    HttpApiEndpoint.get("list")`/break-glass/${org}`
      .setUrlParams(ListBreakGlass)
      .addSuccess(
        Schema.Struct({ ...counterFields, openings: Schema.Array(BreakGlassResponse) }).annotations(
          { identifier: "BreakGlasses" }
        )
      )
      .annotate(Operation, rule("member", noBody))
      .annotate(OpenApi.Summary, "List openings of break-glass, newest first")
      .annotate(
        OpenApi.Description,
        "Answers one page of the openings: all of them to admins, and to others their own."
      )
  )
  .add(
    HttpApiEndpoint.post("open")`/break-glass/${org}`
      .setPayload(OpenBreakGlass)
      .addSuccess(BreakGlassResponse, { status: 201 })
      .addError(Conflict.Body)
      .annotate(Operation, rule("member", jsonBody, { isSensitive: true, isForEmergencies: true }))
      .annotate(OpenApi.Summary, "Open break-glass")
      .annotate(
        OpenApi.Description,
        "Gives a role in a space at once, for a while: to a person with an eligible grant of it, or to an admin with " +
          "a key for emergencies. Protections hold no change back there, every entry of the person is marked, and " +
          "all admins are told. 409 while another one of the person is open."
      )
  )
  .add(
    HttpApiEndpoint.post("close")`/break-glass/${org}/${number}/close`
      .addSuccess(BreakGlassResponse)
      .addError(Conflict.Body)
      .annotate(Operation, rule("member", noBody))
      .annotate(OpenApi.Summary, "Close break-glass")
      .annotate(
        OpenApi.Description,
        "Ends it before its time; the person who has opened it and admins may. 409 where it is over."
      )
  )
  .add(
    HttpApiEndpoint.post("review")`/break-glass/${org}/${number}/review`
      .setPayload(ReviewBreakGlass)
      .addSuccess(BreakGlassResponse)
      .addError(Conflict.Body)
      .annotate(Operation, rule("proposal.approve", jsonBody, { isSensitive: true }))
      .annotate(OpenApi.Summary, "Review break-glass")
      .annotate(
        OpenApi.Description,
        "Says what an admin of the whole org, who has not opened it, has found. 409 while it is open, and for a " +
          "second review."
      )
  )
  .annotate(OpenApi.Title, "Break-glass")
  .annotate(
    OpenApi.Description,
    "Break-glass: roles that people take at once, for a while, and that other people review."
  ) {}
