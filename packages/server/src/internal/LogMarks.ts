/**
 * The orgs that requests have written to since the log worker last looked.
 *
 * A write is marked after it was answered, so that its entries are committed when the worker looks, and only where the
 * answer names entries: most reports record nothing. Writes that are never marked, such as those of background work and
 * of callers that are no members, are found by the sweep.
 */
import { type Dispatch, ENTRIES_HEADER, type IncomingRequest } from "@attestry/http/HttpMessage"
import * as Effect from "effect/Effect"

const READS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"])

/** The segment of a path that names its org, where the operation has one. */
const ORG = /\/api\/v2\/[^/?]+\/([^/?]+)/

/** The name of the org that a request may have written to. */
export const orgOf = ({
  method,
  url
}: Pick<IncomingRequest, "method" | "url">): string | undefined =>
  READS.has(method) ? undefined : ORG.exec(url)?.[1]

/** The marked orgs. */
export class LogMarks extends Effect.Service<LogMarks>()("@attestry/server/LogMarks", {
  sync: () => {
    const marked = new Set<string>()

    /** The same function, which also marks the org of each write that recorded something. */
    const watch =
      (dispatch: Dispatch): Dispatch =>
      (request) =>
        Effect.tap(dispatch(request), ({ headers }) => {
          const org = headers[ENTRIES_HEADER] === undefined ? undefined : orgOf(request)
          if (org !== undefined) marked.add(org)
        })

    /** The marked names, each once; they are marked no longer. */
    const take = (): ReadonlyArray<string> => {
      const names = [...marked]
      marked.clear()
      return names
    }

    return { watch, take } as const
  }
}) {}
