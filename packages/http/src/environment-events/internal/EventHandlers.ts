/** Serves the event log, and streams the audit log. */
import { CSV, EventApi } from "@attestry/api/EventApi"
import { BadRequest, invalid } from "@attestry/api/HttpError"
import { type EnvironmentEvent, type EventLinks, toView } from "@attestry/core/EnvironmentEvent"
import * as EnvironmentEvents from "@attestry/core/EnvironmentEvents"
import * as EventBound from "@attestry/core/EventBound"
import { withInput } from "@attestry/core/FieldErrors"
import type { OrgName } from "@attestry/core/Identifier"
import { SnapshotEvents } from "@attestry/core/SnapshotEvents"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { ok, streamed } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import * as Links from "../../shared/internal/Links.js"
import * as Paging from "../../shared/internal/Paging.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"
import { readRange } from "../../snapshot/internal/SnapshotHandlers.js"

const readBound = (text: string) =>
  Either.mapLeft(
    EventBound.parse(text),
    () => new BadRequest({ message: `Invalid interval value: ${text}` })
  )

const linksOf = (base: string, org: OrgName, event: EnvironmentEvent): EventLinks => {
  const { environment, snapshotIndex: index, fingerprint } = event
  const flow = event.hidden === "primary" ? undefined : event.flowNames[0]
  return {
    artifact:
      flow === undefined
        ? { self: "", html: "" }
        : {
            self: Links.api(base, "artifacts", org, flow, "fingerprint", fingerprint),
            html: `${Links.flowPage(base, { org, flow })}/artifacts/${fingerprint}`
          },
    snapshot: {
      self: Links.api(base, "snapshots", org, environment, index),
      html: Links.snapshotPage(base, { org, environment, index })
    }
  }
}

/** A member that is absent where it has no value. */
const given = <const Name extends string, A>(
  name: Name,
  value: A | undefined
): { readonly [key in Name]?: A } =>
  // WHY: a computed key of a literal type is widened to `string`.
  (value === undefined ? {} : { [name]: value }) as { readonly [key in Name]?: A }

const readClasses = (text: string | undefined) =>
  Either.mapLeft(EnvironmentEvents.parseEventClasses(text ?? ""), ({ word }) =>
    invalid({
      "query.event_types": withInput("Input should be 'started', 'exited' or 'changed'", word)
    })
  )

/** Serves the event log and the audit log. */
export const EventHandlers = group(
  EventApi,
  Effect.gen(function* () {
    const events = yield* SnapshotEvents
    const base = yield* PublicUrl
    return {
      list: ({ path, urlParams: query, incoming }) =>
        Effect.gen(function* () {
          const from = query.from ?? query.start_ts
          const to = query.to ?? query.end_ts
          // INVARIANT: an instant takes precedence over a bound in words.
          const start =
            query.start === undefined || from !== undefined
              ? undefined
              : yield* readBound(query.start)
          const end =
            query.end === undefined || to !== undefined ? undefined : yield* readBound(query.end)
          const page = Paging.pageOf(query)
          const found = yield* events.list(path.org, path.env_name, {
            ...page,
            ...given("from", from),
            ...given("to", to),
            ...given("start", start),
            ...given("end", end),
            range: yield* readRange(query.interval ?? ""),
            ...given("repoNames", query.repo_name),
            ...given("eventClasses", yield* readClasses(query.event_types)),
            ...given("flowNames", EnvironmentEvents.parseList(query.flow_names ?? "")),
            reverse: query.reverse ?? false
          })
          return {
            ...ok(found.events.map((event) => toView(event, linksOf(base, path.org, event)))),
            headers: Paging.pageHeaders(base, incoming, { ...found, page })
          }
        }).pipe(toWire),
      auditLog: ({ path, urlParams: query }) =>
        Effect.gen(function* () {
          const lines = yield* events.auditLog(path.org, path.env_name, {
            ...given("from", query.from_timestamp),
            ...given("to", query.to_timestamp),
            ...given("eventClasses", yield* readClasses(query.event_types)),
            ...given("flowNames", EnvironmentEvents.parseList(query.flow_names ?? "")),
            ...given("repoNames", EnvironmentEvents.parseList(query.repo_names ?? ""))
          })
          return streamed(lines, {
            "content-type": CSV,
            "content-disposition": `attachment; filename="${path.env_name}-auditlog.csv"`,
            "x-content-type-options": "nosniff"
          })
        }).pipe(toWire)
    }
  })
)
