/**
 * AC-21: generated SCIM requests, made of those that providers send and of parts that none should, are answered below
 * 500 in the form of the protocol, and one that is sent twice has the state of once.
 *
 * The client asserts form and status of each answer.
 */
import { CredentialStore } from "@attestry/core/CredentialStore"
import { Effect, FastCheck, Layer } from "effect"
import { assert, it } from "vitest"
import { onEveryStore } from "../shared/TestServer.js"
import { client, patchOf, type Resource, resourcesOf } from "./Scim.js"

const USER = "urn:ietf:params:scim:schemas:core:2.0:User"
const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group"

interface Sent {
  readonly request: string
  readonly body?: unknown
}

const name = FastCheck.constantFrom("ann", "Bob", "çelik", "o'neil", '"', "\\", "", "x".repeat(300))
const value = FastCheck.oneof(
  name,
  FastCheck.boolean(),
  FastCheck.constantFrom("True", "False", "yes", null, 0, [], {}, [{ value: "nobody" }]),
  FastCheck.jsonValue({ maxDepth: 3 })
)
const path = FastCheck.oneof(
  FastCheck.constantFrom(
    "active",
    "Active",
    "userName",
    "displayName",
    "externalId",
    "members",
    'members[value eq "{user}"]',
    'emails[type eq "work"].value',
    "name.familyName",
    `${USER}:displayName`,
    "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department",
    "id",
    "meta",
    "__proto__.x",
    "constructor",
    "emails[[[",
    'members[value eq "a" or value eq "b"]'
  ),
  FastCheck.string({ maxLength: 30 })
)
const operation: FastCheck.Arbitrary<Resource> = FastCheck.record(
  {
    op: FastCheck.constantFrom("add", "Add", "replace", "Replace", "remove", "Remove", "move"),
    path,
    value: FastCheck.oneof(
      value,
      FastCheck.dictionary(FastCheck.constantFrom("active", "displayName", "id"), value)
    )
  },
  { requiredKeys: ["op"] }
)
/** Operations as providers send them. */
const usual = FastCheck.constantFrom<Resource>(
  { op: "replace", value: { active: false } },
  { op: "Replace", path: "active", value: "True" },
  { op: "Add", path: 'emails[type eq "work"].value', value: "ann@corp.example" },
  { op: "Replace", path: "displayName", value: "Kept" },
  { op: "replace", value: { "name.familyName": "Muster" } },
  { op: "add", path: "members", value: [{ value: "{user}" }] },
  { op: "Remove", path: "members", value: [{ value: "{user}", $ref: null }] },
  { op: "remove", path: 'members[value eq "{user}"]' }
)
const patch = FastCheck.array(FastCheck.oneof({ weight: 3, arbitrary: usual }, operation), {
  maxLength: 3
}).map((all) => patchOf(...all))
const body = FastCheck.oneof(
  name.map((userName) => ({ schemas: [USER], userName: `${userName}1`, active: true })),
  name.map((displayName) => ({ schemas: [GROUP], displayName: `${displayName}1` })),
  FastCheck.record(
    {
      schemas: FastCheck.constantFrom([USER], [GROUP], []),
      userName: value,
      displayName: value,
      externalId: value,
      active: value,
      members: FastCheck.array(FastCheck.record({ value: FastCheck.constantFrom("{user}", "no") })),
      emails: value,
      password: value,
      groups: value
    },
    { requiredKeys: ["schemas"] }
  ),
  FastCheck.jsonValue(),
  FastCheck.constantFrom("{", "", "null")
)
const filter = FastCheck.oneof(
  FastCheck.constantFrom(
    'userName eq "ann"',
    'emails[type eq "work"].value eq "a@x"',
    'members.value eq "{user}"',
    'id eq "{id}" and active eq true',
    'userName eq "a" or userName eq "b"',
    `${"(".repeat(2_000)}`,
    'userName co "a"'
  ),
  FastCheck.string({ maxLength: 60 })
)
const kind = FastCheck.constantFrom("Users", "Groups")
const id = FastCheck.oneof(
  { weight: 4, arbitrary: FastCheck.constant("{id}") },
  FastCheck.constantFrom("none", "%2e%2e", "0".repeat(200))
)

const sent: FastCheck.Arbitrary<Sent> = FastCheck.oneof(
  FastCheck.tuple(kind, body).map(([of, with_]) => ({
    request: `POST /${of}`,
    body: with_
  })),
  FastCheck.tuple(kind, id, body).map(([of, at, with_]) => ({
    request: `PUT /${of}/${at}`,
    body: with_
  })),
  FastCheck.tuple(kind, id, patch).map(([of, at, with_]) => ({
    request: `PATCH /${of}/${at}`,
    body: with_
  })),
  FastCheck.tuple(kind, filter).map(([of, by]) => ({
    request: `GET /${of}?filter=${encodeURIComponent(by)}`
  })),
  FastCheck.tuple(kind, FastCheck.integer({ min: -3, max: 300 }), FastCheck.nat(500)).map(
    ([of, start, count]) => ({ request: `GET /${of}?startIndex=${start}&count=${count}` })
  ),
  FastCheck.tuple(kind, id).map(([of, at]) => ({ request: `DELETE /${of}/${at}` }))
)

const REQUESTS = 300

onEveryStore("generated SCIM requests", (server) => {
  const send = client(server)

  it("are answered in the form of the protocol, and twice is once: AC-21", async () => {
    const made = new Map<string, string>()
    /** The id of a user or a group, which is made again where an earlier request has deleted it. */
    const kept = async (of: string, with_: Resource) => {
      const known = made.get(of) ?? "none"
      if ((await send(`GET ${of}/${known}`)).status === 200) return known
      const { body: found } = await send(`POST ${of}`, with_)
      made.set(of, String(found.id))
      return String(found.id)
    }
    const state = async () =>
      JSON.stringify(
        await Promise.all(
          ["/Users", "/Groups"].map(async (of) =>
            resourcesOf(await send(`GET ${of}?count=200`)).map(
              ({ meta: _, ...resource }) => resource
            )
          )
        )
      )
    let accepted = 0
    for (const each of FastCheck.sample(sent, { numRuns: REQUESTS, seed: 21 })) {
      const user = await kept("/Users", { schemas: [USER], userName: `kept-${accepted}` })
      const group = await kept("/Groups", { schemas: [GROUP], displayName: `kept-${accepted}` })
      const own = each.request.includes("/Users") ? user : group
      const filled = (text: string) => text.replaceAll("{user}", user).replaceAll("{id}", own)
      const request = filled(each.request)
      const with_: unknown =
        each.body === undefined ? undefined : JSON.parse(filled(JSON.stringify(each.body)))
      const first = await send(request, with_)
      if (request.startsWith("GET") || first.status >= 400) continue
      accepted += 1
      const once = await state()
      const again = await send(request, with_)
      if (request.startsWith("POST")) assert.strictEqual(again.status, 409, request)
      if (request.startsWith("DELETE")) assert.strictEqual(again.status, 404, request)
      assert.strictEqual(await state(), once, `${request} ${JSON.stringify(with_)}`)
    }
    assert.isAbove(accepted, 50)
  }, 120_000)
})

/** How often a credential was read. */
const read = { count: 0 }

const counting = Layer.effect(
  CredentialStore,
  Effect.map(CredentialStore, (store) => ({
    ...store,
    findCredential: (key: Parameters<typeof store.findCredential>[0]) => {
      read.count += 1
      return store.findCredential(key)
    }
  }))
)

onEveryStore(
  "a first synchronization",
  (server) => {
    it("ends no credential that a process has read: new people have none", async () => {
      const send = client(server)
      await server.call("GET /flows/{org}", { as: "reader" })
      const before = read.count
      for (let person = 1; person <= 40; person++) {
        const body = { schemas: [USER], userName: `new-${person}`, active: true }
        assert.strictEqual((await send("POST /Users", body)).status, 201)
        assert.strictEqual((await server.call("GET /flows/{org}", { as: "reader" })).status, 200)
      }
      // Each credential is read again after 800 ms.
      assert.isBelow(read.count - before, 40)
    }, 60_000)
  },
  { override: counting }
)
