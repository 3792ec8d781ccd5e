/** The journal of an org, for its admins. SPEC §4.9 */
import { JournalActor, JournalSubject } from "@attestry/core/JournalEntry"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { noBody, Operation, rule } from "../shared/Operation.js"
import * as Paging from "../shared/Paging.js"
import { org } from "../shared/PathParam.js"
import { integer, optional, repeatable, timestamp, words } from "../shared/QueryParam.js"

/** The number of entries on a page by default. */
export const PER_PAGE = 50

/** Optional parts of a page of the journal. */
const INCLUDES = ["names"] as const

/** Filters of the journal, and where its page begins. */
export const JournalParams = Schema.Struct({
  before: optional(
    integer(1, Number.MAX_SAFE_INTEGER),
    "Only entries below this sequence number; the newest by default."
  ),
  kind: optional(repeatable(Schema.String), "Only entries of this kind. May be repeated."),
  actor: optional(
    repeatable(Schema.String),
    "Only entries by the actor of this name or id. May be repeated."
  ),
  subject_type: optional(
    repeatable(Schema.String),
    "Only entries about this type of subject. May be repeated."
  ),
  from: optional(timestamp, "Only entries of this time or later, in epoch seconds."),
  to: optional(timestamp, "Only entries of this time or earlier, in epoch seconds."),
  per_page: optional(
    integer(1, Paging.PER_PAGE_MAX),
    `How many entries a page has, at most ${Paging.PER_PAGE_MAX}; ${PER_PAGE} by default.`
  ),
  include: optional(
    words(INCLUDES),
    "`names`: the page has the names that environments, flows and trails, which entries are about, have now."
  )
})

/** The actor of an entry; `credential` is the id of the key that it used, `break_glass` the number of its opening. */
export const LoggedActor = Schema.Struct({
  kind: JournalActor.fields.kind,
  id: Schema.String,
  name: Schema.String,
  credential: Schema.NullOr(Schema.String),
  break_glass: Schema.optionalWith(Schema.Int, { exact: true })
}).annotations({ identifier: "JournalActor" })

/**
 * One accepted write: an entry of the log, newest first, with its number in the journal and its digest. `index` and
 * `prev` are null until it has its place in the log. `digest` is the SHA-256, in hexadecimal, of the RFC 8785 text
 * of `content` in UTF-8, so that a
 * reader can verify it.
 */
export const JournalEntryResponse = Schema.Struct({
  entry: Schema.String,
  index: Schema.NullOr(Schema.Int),
  prev: Schema.NullOr(Schema.Int),
  sequence: Schema.Int,
  at: EpochSeconds,
  kind: Schema.String,
  subject: JournalSubject.annotations({ identifier: "JournalSubject" }),
  actor: LoggedActor,
  content: Schema.Unknown,
  digest: Schema.String
}).annotations({ identifier: "JournalEntry" })

/** The name that a subject of entries has now; a trail also has that of its flow. */
export const SubjectName = Schema.Struct({
  type: JournalSubject.fields.type,
  name: Schema.String,
  flow_name: Schema.optionalWith(Schema.String, { exact: true })
}).annotations({ identifier: "JournalSubjectName" })

/** A page of the journal. */
export const JournalPage = Schema.Struct({
  _links: Paging.CursorLinks,
  entries: Schema.Array(JournalEntryResponse),
  /** By the ids of subjects, with `include=names`. */
  names: Schema.optionalWith(Schema.Record({ key: Schema.String, value: SubjectName }), {
    exact: true
  })
}).annotations({ identifier: "Journal" })

/** The operations of the journal. */
export class JournalApi extends HttpApiGroup.make("journal")
  .add(
    HttpApiEndpoint.get("list")`/journal/${org}`
      .setUrlParams(JournalParams)
      .addSuccess(JournalPage)
      // WHY confidential: entries about notifications contain webhook URLs, which are secrets.
      .annotate(Operation, rule("journal.read", noBody, { isConfidential: true }))
      .annotate(OpenApi.Summary, "List accepted writes, newest first")
      .annotate(
        OpenApi.Description,
        "Answers one page of the journal: the actor, the subject and the time of each " +
          "change, with the content and its digest. A page with filters can have few entries " +
          "or none while `_links.next` leads to older ones. Do not follow the journal with it: " +
          "an entry can appear below one that was read."
      )
  )
  .annotate(OpenApi.Title, "Journal")
  .annotate(OpenApi.Description, "Every accepted write of an org, for its admins.") {}
