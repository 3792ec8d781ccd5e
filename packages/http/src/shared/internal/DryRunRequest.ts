/** Reads the parameter `dry_run` of writes. */

import { type BadRequest, invalid } from "@attestry/api/HttpError"
import * as QueryParam from "@attestry/api/QueryParam"
import * as FieldErrors from "@attestry/core/FieldErrors"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import type { IncomingRequest } from "../HttpMessage.js"
import type { Route } from "./RouteTable.js"

/** The parameter. */
export const PARAMETER = "dry_run"

/** The header of the response to a dry run. */
export const HEADER = "X-Dry-Run"

/** Whether an operation accepts the parameter: every write in an org does, for callers with a credential. */
export const covers = ({ method, path, rule }: Pick<Route, "method" | "path" | "rule">): boolean =>
  method !== "GET" && path.includes("/:org") && rule.access !== "open"

const decode = ParseResult.decodeUnknownEither(QueryParam.boolean)

const ABSENT: Either.Either<boolean, BadRequest> = Either.right(false)

/** Whether a request is a dry run; 400 where the parameter is no boolean or is given twice. */
export const read = (
  { url }: Pick<IncomingRequest, "url">,
  route: Pick<Route, "method" | "path" | "rule">
): Either.Either<boolean, BadRequest> => {
  const mark = url.indexOf("?")
  if (mark < 0 || !covers(route)) return ABSENT
  // WHY parsed: a name in percent-encoding is the same name, and must not lead to a real write.
  const given = new URLSearchParams(url.slice(mark + 1)).getAll(PARAMETER)
  if (given.length === 0) return ABSENT
  return Either.mapLeft(decode(given.length === 1 ? given[0] : given), (issue) =>
    invalid({
      [`query.${PARAMETER}`]: Object.values(FieldErrors.fromParseIssue(issue))[0] ?? ""
    })
  )
}
