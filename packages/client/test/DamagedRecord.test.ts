/** Lists in which the server could not show a record. */
import { assert, describe, it } from "@effect/vitest"
import { attestry } from "../src/PromiseClient.js"
import * as StubFetch from "./shared/StubFetch.js"
import { BASE_URL } from "./shared/TestDeployment.js"

const PLACEHOLDER = { damaged_record: true, message: "This record is damaged" }
const entry = (letter: string) => ({
  artifact_fingerprint: letter.repeat(64),
  artifact_name: "shop",
  description: "d",
  created_by: "ada",
  created_at: 1
})

const answering = (body: unknown) =>
  attestry({
    baseUrl: BASE_URL,
    apiKey: "key",
    fetch: StubFetch.make([StubFetch.json(200, body)]).fetch
  })

describe("a damaged record", () => {
  it("is left out of a bare list", async () => {
    const client = answering([entry("a"), PLACEHOLDER, entry("b")])
    const listed = await client.allowList.list({ path: { org: "acme", env_name: "prod" } })
    assert.strictEqual(listed.length, 2)
  })

  it("is left out of a list with counters, which stay as they are", async () => {
    const pagination = { total: 2, page: 1, per_page: 15, page_count: 1 }
    const client = answering({ data: [PLACEHOLDER], pagination })
    const listed = await client.trail.list({ path: { org: "acme" }, urlParams: {} })
    assert.deepStrictEqual(listed, { data: [], pagination })
  })
})
