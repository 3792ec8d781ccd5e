/**
 * The API for a command whose writes are proposed: it reads as usual, and records writes instead of sending them.
 *
 * WHY recorded: a command may write several times, and either all of its writes are proposed or none.
 */

import * as PlainCalls from "@attestry/client/PlainCalls"
import { isProposable } from "@attestry/core/ProposableOperation"
import { usage } from "../shared/CommandFailure.js"
import type * as Json from "../shared/Json.js"
import type { Api, Call } from "../transport/Api.js"

/** A request as a proposal has it. */
export interface RecordedWrite {
  readonly operation: string
  readonly params: { readonly [name: string]: string }
  /** Undefined for an operation without a body. */
  readonly body: unknown
}

const paramsOf = ({ path = {} }: Call): RecordedWrite["params"] =>
  Object.fromEntries(Object.entries(path).map(([name, value]) => [name, String(value)]))

/** The request of a write; throws for one that no proposal can have. */
const recordOf = (operation: string, call: Call): RecordedWrite => {
  if (!isProposable(operation))
    throw usage(`${operation} cannot be proposed: run the command itself`)
  if ((call.attachments ?? []).length > 0)
    throw usage(
      "a proposal has no files",
      `run the command itself: ${operation} with files needs it`
    )
  if (Object.values(call.urlParams ?? {}).some((value) => value !== undefined))
    throw usage(`${operation} with a query cannot be proposed`)
  return { operation, params: paramsOf(call), body: call.payload }
}

/** An answer for a write that was not sent. */
const NOTHING: Json.Fields = {}

/** The API that records writes. */
export const make = (
  api: Api
): { readonly api: Api; readonly writes: ReadonlyArray<RecordedWrite> } => {
  const writes: Array<RecordedWrite> = []
  const isRead = (operation: string) => PlainCalls.operationOf(operation).method === "GET"
  const record = (operation: string, call: Call = {}): unknown => {
    writes.push(recordOf(operation, call))
    return NOTHING
  }
  return {
    writes,
    api: {
      ...api,
      call: async (operation, call) =>
        isRead(operation) ? api.call(operation, call) : record(operation, call),
      find: async (operation, call) =>
        isRead(operation) ? api.find(operation, call) : record(operation, call),
      write: async (operation, call) => record(operation, call),
      answer: async (operation, call) =>
        isRead(operation)
          ? api.answer(operation, call)
          : {
              status: 200,
              body: record(operation, call),
              bytes: new Uint8Array(),
              isPartial: false
            }
    }
  }
}
