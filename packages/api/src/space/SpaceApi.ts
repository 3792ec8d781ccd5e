/** The operations of spaces, and of moves of things between them. SPEC §4.30 */
import { SpaceId, SpaceName } from "@attestry/core/Identifier"
import { THINGS_MAX } from "@attestry/core/Move"
import { optional } from "@attestry/core/OptionalField"
import { NamePattern } from "@attestry/core/PlacementRule"
import { Role } from "@attestry/core/Role"
import { DEPTH_MAX, Description, SPACES_MAX, SpacePath } from "@attestry/core/Space"
import { ThingKind } from "@attestry/core/ThingPlace"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { GrantSubjectName } from "../grant/GrantSubjectName.js"
import { Conflict } from "../shared/HttpError.js"
import { OkBody } from "../shared/OkBody.js"
import { jsonBody, noBody, Operation, rule } from "../shared/Operation.js"
import { org } from "../shared/PathParam.js"

/** The most characters of the name of a thing in a move. */
const NAME_LENGTH_MAX = 256
/** The most tags of a match. */
const TAGS_MAX = 50

/** A space to make. */
export const CreateSpace = Schema.Struct({
  path: SpacePath.annotations({
    description:
      `Its path, as \`retail/payments\`: at most ${DEPTH_MAX} names. The space above it exists ` +
      "already."
  }),
  description: optional(Description)
}).annotations({ identifier: "CreateSpace" })

/** The new content of a space; an absent field stays. */
export const ChangeSpace = Schema.Struct({
  name: optional(SpaceName),
  parent: optional(SpacePath).annotations({
    description: "The path of the space that it moves into, with everything in it."
  }),
  description: optional(Description)
}).annotations({ identifier: "ChangeSpace" })

/** How many things are in a space, without those in spaces below it. */
const Things = Schema.Struct({
  flows: Schema.Int,
  environments: Schema.Int,
  policies: Schema.Int,
  controls: Schema.Int,
  service_accounts: Schema.Int
}).annotations({ identifier: "SpaceThings" })

/** A space. */
export const SpaceResponse = Schema.Struct({
  id: Schema.String,
  path: Schema.String,
  name: Schema.String,
  description: Schema.String,
  things: Things.annotations({
    description: "How many things are in it, without those in spaces below it."
  }),
  changed_at: EpochSeconds.annotations({
    description: "Since when it has its name, its description and its place."
  })
}).annotations({ identifier: "Space" })

/** The spaces that the caller reads. */
export const SpacesResponse = Schema.Struct({
  spaces: Schema.Array(SpaceResponse)
}).annotations({ identifier: "Spaces" })

const ThingName = Schema.Struct({
  type: ThingKind,
  name: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(NAME_LENGTH_MAX)).annotations({
    description: "Its name, or the identifier of a control."
  })
}).annotations({ identifier: "ThingName" })

const ThingMatch = Schema.Struct({
  type: ThingKind,
  name: optional(NamePattern).annotations({
    description: "A pattern of names: `*` is any run of characters without `/`, `**` any run."
  }),
  tags: optional(Schema.Array(Schema.String).pipe(Schema.maxItems(TAGS_MAX))).annotations({
    description: "Tags that it must have, all of them: `key`, or `key:value`."
  })
}).annotations({ identifier: "ThingMatch" })

/** Things to move to another space. */
export const MoveThings = Schema.Struct({
  things: optional(
    Schema.Array(ThingName).pipe(Schema.minItems(1), Schema.maxItems(THINGS_MAX))
  ).annotations({ description: "The things by their names." }),
  match: optional(ThingMatch).annotations({
    description: "Or every thing of a type that fits, of those that the caller may move."
  }),
  to: SpacePath.annotations({
    description: "The path of the space that they go to."
  }),
  preview: optional(Schema.Boolean).annotations({
    description: "Only answers what the move would do; false by default."
  })
})
  .annotations({
    // Before the filter, after which the document has no annotations.
    examples: [{ things: [{ type: "flow", name: "shop" }], to: "retail/payments" }]
  })
  .pipe(
    Schema.filter(({ match, things }) => {
      if ((match === undefined) === (things === undefined))
        return { path: ["things"], message: "Exactly one of `things` and `match` is required" }
      return match !== undefined && match.name === undefined && match.tags === undefined
        ? { path: ["match"], message: "A `name` or `tags` is required" }
        : undefined
    })
  )
  .annotations({ identifier: "MoveThings" })

/** The things that a move takes, and the subjects that lose access by it. */
export const MovedThings = Schema.Struct({
  moved: Schema.Array(ThingName).annotations({
    description: "What was moved, without what was in the space already."
  }),
  losing: Schema.Array(
    Schema.Struct({ subject: GrantSubjectName, role: Role }).annotations({
      identifier: "LosingSubject"
    })
  ).annotations({
    description: "Whose grants reach where the things were, and not where they go."
  })
}).annotations({ identifier: "MovedThings" })

const spaceId = HttpApiSchema.param(
  "space_id",
  SpaceId.annotations({ description: "The id of the space, as the list of spaces shows it." })
)

/** The operations of spaces. */
export class SpaceApi extends HttpApiGroup.make("space")
  .add(
    HttpApiEndpoint.get("list")`/spaces/${org}`
      .addSuccess(SpacesResponse)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List the spaces of an org")
      .annotate(
        OpenApi.Description,
        "Answers the spaces that the caller reads, in the order of their paths, without the root."
      )
  )
  .add(
    HttpApiEndpoint.post("create")`/spaces/${org}`
      .setPayload(CreateSpace)
      .addSuccess(SpaceResponse, { status: 201 })
      .addError(Conflict.Body)
      .annotate(Operation, rule("space.write", jsonBody))
      .annotate(OpenApi.Summary, "Create a space")
      .annotate(
        OpenApi.Description,
        "Creates a space, as an admin of the space that it is in. An org has at most " +
          `${SPACES_MAX} spaces. 409 for a path that is taken.`
      )
  )
  .add(
    HttpApiEndpoint.patch("change")`/spaces/${org}/${spaceId}`
      .setPayload(ChangeSpace)
      .addSuccess(SpaceResponse)
      .addError(Conflict.Body)
      .annotate(Operation, rule("space.write", jsonBody, { isSensitive: true }))
      .annotate(OpenApi.Summary, "Rename, move or describe a space")
      .annotate(
        OpenApi.Description,
        "Changes the fields that are given, as an admin of the space that it is in, and of the one that it moves " +
          "into. What is in it stays in it. 409 for a path that is taken."
      )
  )
  .add(
    HttpApiEndpoint.del("delete")`/spaces/${org}/${spaceId}`
      .addSuccess(OkBody)
      .addError(Conflict.Body)
      .annotate(Operation, rule("space.write", noBody))
      .annotate(OpenApi.Summary, "Delete a space")
      .annotate(
        OpenApi.Description,
        "Deletes a space that is empty. 409 while it has spaces, things, grants or placement rules."
      )
  )
  .add(
    HttpApiEndpoint.post("move")`/spaces/${org}/move`
      .setPayload(MoveThings)
      .addSuccess(MovedThings)
      .annotate(Operation, rule("placement.write", jsonBody, { isSensitive: true }))
      .annotate(OpenApi.Summary, "Move things to another space")
      .annotate(
        OpenApi.Description,
        `Moves at most ${THINGS_MAX} things, all or none, as an admin at both ends, and answers who loses access ` +
          "to them by it. Nothing that was evaluated changes. With `preview` it only answers."
      )
  )
  .annotate(OpenApi.Title, "Spaces")
  .annotate(
    OpenApi.Description,
    "Spaces: the tree in which flows, environments, policies, controls and service accounts are placed."
  ) {}
