/** The ids of what a write recorded, in its answer. */
import { assert, it } from "vitest"
import { onBothStores } from "../shared/TestServer.js"

interface Event {
  readonly entry: string
  readonly kind: string
  readonly actor: { readonly credential: string | null }
}

const HEADER = "attestry-entries"

const idsOf = (headers: Headers): ReadonlyArray<string> => headers.get(HEADER)?.split(", ") ?? []

const FINGERPRINT = "a".repeat(64)

const REPORT = {
  type: "docker",
  artifacts: [{ digests: { "shop:1.0": FINGERPRINT }, creationTimestamp: 1_700_000_000 }]
}

onBothStores("the ids of what a write recorded", ({ call }) => {
  const events = async (): Promise<ReadonlyArray<Event>> => {
    const { body } = await call("GET /events/{org}", { query: "?limit=1000" })
    return (body as { readonly events: ReadonlyArray<Event> }).events
  }
  const kindsOf = async (headers: Headers) => {
    const known = new Map((await events()).map(({ entry, kind }) => [entry, kind]))
    return idsOf(headers).map((id) => known.get(id))
  }

  it("are in the header of the answer, and of entries of the log", async () => {
    const { headers } = await call("PUT /flows/{org}", { body: { name: "shop", description: "" } })
    assert.match(headers.get(HEADER) ?? "", /^[0-9a-f]{16}$/)
    assert.deepStrictEqual(await kindsOf(headers), ["flow_created"])
  })

  it("are all those of a write that recorded several, in their order", async () => {
    await call("PUT /environments/{org}", {
      body: { name: "prod", type: "docker", description: "" }
    })
    const path = { env_name: "prod" }
    const { status, headers } = await call("PUT /environments/{org}/{env_name}/report/docker", {
      path,
      body: REPORT
    })
    assert.strictEqual(status, 200)
    assert.deepStrictEqual(await kindsOf(headers), ["snapshot_created"])
    const again = await call("PUT /environments/{org}/{env_name}/report/docker", {
      path,
      body: REPORT
    })
    assert.isNull(again.headers.get(HEADER))
  })

  it("are absent where a write changed nothing, was refused, or was a dry run", async () => {
    const body = { name: "shop", description: "" }
    assert.isNull((await call("PUT /flows/{org}", { body })).headers.get(HEADER))
    const refused = await call("PUT /flows/{org}", { body: { name: "a b", description: "" } })
    assert.strictEqual(refused.status, 400)
    assert.isNull(refused.headers.get(HEADER))
    const rehearsed = await call("PUT /flows/{org}", {
      body: { name: "other", description: "" },
      query: "?dry_run=true"
    })
    assert.strictEqual(rehearsed.status, 201)
    assert.isNull(rehearsed.headers.get(HEADER))
    assert.isNull((await call("GET /flows/{org}")).headers.get(HEADER))
  })

  it("are those of the first time where an answer is repeated under a key", async () => {
    const send = () =>
      call("PUT /flows/{org}", {
        body: { name: "keyed", description: "" },
        headers: { "Idempotency-Key": "k1" }
      })
    const [first, second] = [await send(), await send()]
    assert.strictEqual(second.headers.get("idempotency-replayed"), "true")
    assert.match(first.headers.get(HEADER) ?? "", /^[0-9a-f]{16}$/)
    assert.strictEqual(second.headers.get(HEADER), first.headers.get(HEADER))
  })

  it("belong to entries that name the key of their actor", async () => {
    const { headers } = await call("PUT /flows/{org}", {
      body: { name: "by-key", description: "" }
    })
    const event = (await events()).find(({ entry }) => entry === idsOf(headers)[0])
    assert.isString(event?.actor.credential)
  })
})
