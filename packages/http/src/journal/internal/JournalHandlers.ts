/** Serves the journal. */
import {
  JournalApi,
  type JournalEntryResponse,
  type JournalParams,
  type LoggedActor,
  PER_PAGE,
  type SubjectName
} from "@attestry/api/JournalApi"
import type { JournalEntry } from "@attestry/core/JournalEntry"
import type { JournalFilter } from "@attestry/core/JournalFilter"
import { JournalViews, type PlacedEntry } from "@attestry/core/JournalViews"
import * as Log from "@attestry/core/Log"
import { type NamedSubject, SubjectNames } from "@attestry/core/SubjectNames"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import * as Paging from "../../shared/internal/Paging.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"

/** The actor of an entry on the wire. */
export const actorOf = ({ actor }: JournalEntry): typeof LoggedActor.Type => ({
  ...actor,
  credential: actor.credential ?? null
})

const responseOf = ({ entry, id, index, prev }: PlacedEntry): typeof JournalEntryResponse.Type => ({
  entry: id,
  index,
  prev,
  sequence: entry.sequence,
  at: entry.at,
  kind: entry.kind,
  subject: entry.subject,
  actor: actorOf(entry),
  // INVARIANT: the store returns entries whose content is JSON.
  content: JSON.parse(entry.content),
  digest: entry.digest
})

type Params = typeof JournalParams.Type

const filterOf = (params: Params): JournalFilter => ({
  ...(params.kind === undefined ? {} : { kinds: params.kind }),
  ...(params.actor === undefined ? {} : { actors: params.actor }),
  ...(params.subject_type === undefined ? {} : { subjectTypes: params.subject_type }),
  ...(params.from === undefined ? {} : { from: params.from }),
  ...(params.to === undefined ? {} : { to: params.to })
})

const nameOf = ({
  id,
  flowName,
  ...named
}: NamedSubject): readonly [id: string, name: typeof SubjectName.Type] => [
  id,
  { ...named, ...(flowName === undefined ? {} : { flow_name: flowName }) }
]

/** Serves the journal. */
export const JournalHandlers = group(
  JournalApi,
  Effect.gen(function* () {
    const journal = yield* JournalViews
    const subjects = yield* SubjectNames
    const base = yield* PublicUrl
    return {
      list: ({ path, urlParams, incoming }) =>
        Effect.gen(function* () {
          const { entries, next } = yield* journal.scanBack(path.org, {
            ...(urlParams.before === undefined ? {} : { before: urlParams.before }),
            origin: Log.originOf(base, path.org),
            filter: filterOf(urlParams),
            limit: urlParams.per_page ?? PER_PAGE
          })
          const about = entries.map(({ entry }) => entry.subject)
          return ok({
            _links: Paging.cursorLinks(
              base,
              incoming,
              Option.map(next, (at) => ({ name: "before", value: String(at) }))
            ),
            entries: entries.map(responseOf),
            ...(urlParams.include?.includes("names") === true
              ? { names: Object.fromEntries((yield* subjects.list(path.org, about)).map(nameOf)) }
              : {})
          })
        }).pipe(toWire)
    }
  })
)
