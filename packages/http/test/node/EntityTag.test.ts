/** Which answers are tagged, and which clients get 304. */
import { assert, describe, it } from "@effect/vitest"
import { Stream } from "effect"
import * as EntityTag from "../../src/node/internal/EntityTag.js"
import type { OutgoingResponse } from "../../src/shared/HttpMessage.js"

const answer: OutgoingResponse = {
  status: 200,
  headers: { "content-type": "application/json", "x-request-id": "r" },
  body: '{"a":1}'
}
const TAG = EntityTag.tagOf('{"a":1}')

const asked = (
  response: OutgoingResponse,
  known: ReadonlyArray<string> = [],
  method: string = "GET"
) => EntityTag.apply(response, { method, known: () => known })

describe("an answer to GET", () => {
  it("has a weak tag of its body, and must be asked for again", () => {
    assert.deepStrictEqual(asked(answer), {
      ...answer,
      headers: { ...answer.headers, "cache-control": "no-cache, private", etag: TAG }
    })
    assert.match(TAG, /^W\/"[A-Za-z0-9_-]{22}"$/)
    assert.notStrictEqual(TAG, EntityTag.tagOf('{"a":2}'))
  })

  it("is 304 without a body where the client has it", () => {
    for (const known of [[TAG], [TAG.slice(2)], [`"x", ${TAG}`], ["*"], ['"x"', TAG]])
      assert.deepStrictEqual(asked(answer, known), {
        status: 304,
        headers: { "x-request-id": "r", "cache-control": "no-cache, private", etag: TAG },
        body: ""
      })
  })

  it("is whole where the client has another, or names none", () => {
    for (const known of [['"x"'], ["nonsense"], [""], [TAG.toLowerCase().replace("w/", "")]])
      assert.strictEqual(asked(answer, known).status, 200)
  })
})

describe("no tag", () => {
  const untagged: ReadonlyArray<readonly [string, OutgoingResponse, string?]> = [
    ["a write", answer, "POST"],
    ["an error", { ...answer, status: 404 }],
    ["a stream", { ...answer, body: Stream.empty }],
    ["a secret", { ...answer, headers: { ...answer.headers, "cache-control": "no-store" } }],
    ["a file", { ...answer, headers: { "content-type": "application/octet-stream" } }]
  ]
  for (const [name, response, method] of untagged)
    it(`has ${name}`, () => {
      const { status, headers } = asked(response, ["*"], method)
      assert.strictEqual(status, response.status)
      assert.strictEqual(headers.etag, undefined)
    })
})
