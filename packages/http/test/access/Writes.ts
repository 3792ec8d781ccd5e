/** Every write of the access table with a valid request, and every read of it with what it answers. */
import type { Answer, CallOptions, TestServer } from "../shared/TestServer.js"
import { makeFixture } from "./AccessFixture.js"
import { rows } from "./AccessTable.js"

/** An operation with a valid request. */
export interface Call {
  readonly operation: string
  readonly options: CallOptions
}

/** The status of an operation whose body carries a credential that these requests do not have. */
const UNAUTHORIZED = 401
/** The statuses of writes that need records which these requests do not have: 400 where nothing is protected. */
const REFUSED: ReadonlyArray<number> = [400, 404]

const isWrite = (operation: string): boolean => !operation.startsWith("GET ")

/** Every operation that a key may call, with a valid request; each request has records of its own. */
const callsOf = async (server: TestServer): Promise<ReadonlyArray<Call>> => {
  const fixtureOf = await makeFixture(server)
  const calls: Array<Call> = []
  for (const [place, [operation, row]] of rows.entries()) {
    if (row.least === "cookie" || row.status === UNAUTHORIZED) continue
    if (isWrite(operation) && REFUSED.includes(row.status)) continue
    calls.push({ operation, options: (await row.request?.(fixtureOf(`w-${place}`))) ?? {} })
  }
  return calls
}

/** Every write and every read, each with a valid request. */
export const make = async (
  server: TestServer
): Promise<{ readonly writes: ReadonlyArray<Call>; readonly reads: ReadonlyArray<Call> }> => {
  const calls = await callsOf(server)
  return {
    writes: calls.filter(({ operation }) => isWrite(operation)),
    reads: calls.filter(({ operation }) => !isWrite(operation))
  }
}

/** Members that move with time, or with every request of a key. */
const MOVING: ReadonlyArray<string> = ["last_used_at", "start_ts", "end_ts", "duration"]

/** A receipt of an assertion is made when it is asked for, and a period that names no end lasts until now. */
const MADE_NOW: ReadonlyArray<string> = [
  "GET /receipts/{org}/asserts/{fingerprint}",
  "GET /release-evidence/{org}"
]

const printed = ({ status, body }: Answer): string =>
  body instanceof Uint8Array
    ? `${status}`
    : `${status} ${JSON.stringify(body, (name, value) => (MOVING.includes(name) ? 0 : value))}`

/** What all reads answer, by operation. */
export const readAll = async (
  { call }: TestServer,
  reads: ReadonlyArray<Call>
): Promise<{ readonly [operation: string]: string }> => {
  const answers: { [operation: string]: string } = {}
  for (const { operation, options } of reads) {
    const answer = await call(operation, options)
    answers[operation] = MADE_NOW.includes(operation) ? `${answer.status}` : printed(answer)
  }
  return answers
}
