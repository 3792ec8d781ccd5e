/** Serves the operations of snapshots. */
import { BadRequest } from "@attestry/api/HttpError"
import { SnapshotApi } from "@attestry/api/SnapshotApi"
import * as QualifiedExpression from "@attestry/core/QualifiedExpression"
import { SnapshotNotFound } from "@attestry/core/Snapshot"
import * as SnapshotRange from "@attestry/core/SnapshotRange"
import { Snapshots } from "@attestry/core/Snapshots"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type IncomingRequest, ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import * as Paging from "../../shared/internal/Paging.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"
import * as SnapshotView from "./SnapshotView.js"

const readSnappish = (text: string) =>
  Either.mapBoth(QualifiedExpression.parse(text), {
    onRight: (named) => ({ ...named, text }),
    onLeft: () => new BadRequest({ message: `Bad snappish ${text}` })
  })

/** The expression at the end of a path, without the optional `#` before a number. */
const typedIn = ({ url }: IncomingRequest): string => {
  const [path = ""] = url.split("?")
  return decodeURIComponent(path.slice(path.lastIndexOf("/") + 1)).replace(/^#/, "")
}

/** A range, or the error message that clients expect. */
export const readRange = (text: string) =>
  Either.mapLeft(
    SnapshotRange.parse(text),
    ({ bound }) => new BadRequest({ message: `'${bound}' is not a valid snapshot index` })
  )

/** Serves the operations of snapshots. */
export const SnapshotHandlers = group(
  SnapshotApi,
  Effect.gen(function* () {
    const snapshots = yield* Snapshots
    const base = yield* PublicUrl
    return {
      list: ({ path, urlParams }) =>
        Effect.gen(function* () {
          const range = yield* readRange(urlParams.interval ?? "")
          const window = { ...Paging.pageOf(urlParams), reverse: urlParams.reverse ?? false }
          return ok(yield* snapshots.list(path.org, path.env_name, { range, window }))
        }).pipe(toWire),
      timeline: ({ path, urlParams: { buckets, ...window } }) =>
        snapshots
          .timeline(path.org, path.env_name, {
            ...window,
            ...(buckets === undefined ? {} : { columns: buckets })
          })
          .pipe(toWire, Effect.map(ok)),
      get: ({ path, incoming }) =>
        snapshots.get(path.org, path.env_name, path.snapshot_expression).pipe(
          Effect.catchTag("SnapshotNotFound", (missing) =>
            Effect.fail(
              new SnapshotNotFound({ ...missing, asked: `${path.env_name}#${typedIn(incoming)}` })
            )
          ),
          toWire,
          Effect.flatMap((found) => SnapshotView.responseOf(base, path.org, found)),
          Effect.map(ok)
        ),
      compare: ({ path, urlParams }) =>
        Effect.gen(function* () {
          const first = yield* readSnappish(urlParams.snappish1)
          const second = yield* readSnappish(urlParams.snappish2)
          return ok(yield* snapshots.compare(path.org, first, second))
        }).pipe(toWire)
    }
  })
)
