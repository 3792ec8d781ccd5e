/**
 * Every limit of SPEC §8 that a request can meet, on both sides: the last value inside, the first outside.
 *
 * Sizes of bodies, parts and files are in `Edge` and `Evidence`, those of policies in `HostilePolicy`.
 */
import { assert, it } from "vitest"
import { all } from "../fuzz/PublishedOperation.js"
import { c1, F } from "../shared/Evidence.js"
import { type CallOptions, onEveryStore } from "../shared/TestServer.js"

/** A limit: how a value is sent, values inside and outside, and the field of the error. */
interface Limit {
  readonly operation: string
  readonly send: (value: never) => CallOptions
  readonly inside: ReadonlyArray<unknown>
  readonly outside: ReadonlyArray<unknown>
  readonly field: string
}

const x = (count: number): string => "x".repeat(count)
const url = (length: number): string => `https://h.example.org/${x(length - 22)}`
const email = (length: number): string => `${x(60)}@${`${x(60)}.`.repeat(3)}${x(length - 244)}`

const body = (operation: string, field: string, more: object = {}, path = {}) => ({
  operation,
  field,
  send: (value: unknown): CallOptions => ({ path, body: { ...more, [field]: value } })
})

const artifact = {
  fingerprint: F,
  filename: "app",
  build_url: "b",
  commit_url: "c",
  trail_name: "t",
  template_reference_name: "s"
}
const flow = { flow_name: "limits" }
const commit = (field: string, value: unknown) => ({ sha1: c1, [field]: value })
const repo = { id: "1", name: "r", url: "u" }
const report = (operation: string, field: string, spoil: (value: never) => object): Limit => ({
  operation,
  field,
  inside: [],
  outside: [],
  send: (value: never) => ({ path: flow, body: { ...artifact, ...spoil(value) } })
})

const POST_ARTIFACT = "POST /artifacts/{org}/{flow_name}"
const HEX = "0123456789abcdef"
const NAMES = { inside: ["n", x(255)], outside: ["", x(256), "-n", "a b", "é"] }

const LIMITS: ReadonlyArray<Limit> = [
  {
    ...body(POST_ARTIFACT, "fingerprint", artifact, flow),
    inside: [F, HEX.repeat(4)],
    outside: ["", F.slice(1), `${F}f`, F.toUpperCase(), "g".repeat(64), null, 1]
  },
  {
    ...body(POST_ARTIFACT, "git_commit", artifact, flow),
    inside: [c1, null],
    outside: ["", c1.slice(1), `${c1}a`, c1.toUpperCase(), "g".repeat(40)]
  },
  {
    ...body(POST_ARTIFACT, "filename", artifact, flow),
    inside: ["f", x(1024)],
    outside: ["", x(1025)]
  },
  { ...body(POST_ARTIFACT, "trail_name", artifact, flow), ...NAMES },
  {
    ...body(POST_ARTIFACT, "template_reference_name", artifact, flow),
    inside: ["s", "-_A0", x(255)],
    outside: ["", "a.b", "a b", "a~b", x(256)]
  },
  {
    ...body(POST_ARTIFACT, "repo_url", artifact, flow),
    inside: ["", "https://h", "http://h/p?q#f"],
    outside: ["h", "ftp://h", "https://", "https:// h"]
  },
  {
    ...report(POST_ARTIFACT, "git_commit_info.sha1", (value) => ({
      git_commit_info: { sha1: value }
    })),
    inside: [c1],
    outside: [c1.slice(1), `${c1}a`, null]
  },
  {
    ...report(POST_ARTIFACT, "commits_list[0].timestamp", (value) => ({
      commits_list: [commit("timestamp", value)]
    })),
    inside: [0, -1.5, 1e12, null],
    outside: ["0", true]
  },
  {
    ...report(POST_ARTIFACT, "repo_info.id", (value) => ({ repo_info: { ...repo, id: value } })),
    inside: ["1", x(512), null],
    outside: ["", x(513), 1]
  },
  {
    ...report(POST_ARTIFACT, "repo_info.name", (value) => ({
      repo_info: { ...repo, name: value }
    })),
    inside: ["1", x(512)],
    outside: ["", x(513), null]
  },
  {
    ...report(POST_ARTIFACT, "repo_info.provider", (value) => ({
      repo_info: { ...repo, provider: value }
    })),
    inside: [null, x(64)],
    outside: [x(65), 1]
  },
  { ...body("PUT /flows/{org}", "name", { description: "" }), ...NAMES },
  { ...body("PUT /flows/{org}/template_file", "name", { description: "" }), ...NAMES },
  { ...body("PUT /trails/{org}/{flow_name}", "name", {}, flow), ...NAMES },
  {
    ...body("PUT /trails/{org}/{flow_name}", "origin_url", { name: "t" }, flow),
    inside: ["https://h"],
    outside: ["", "h"]
  },
  { ...body("PUT /environments/{org}", "name", { type: "server" }), ...NAMES },
  {
    ...body("POST /controls/{org}", "identifier", { name: "n" }),
    inside: ["i", x(256)],
    outside: ["", x(257), "-i", "a b"]
  },
  {
    ...body("POST /controls/{org}", "name", { identifier: "named" }),
    inside: [x(255)],
    outside: ["", x(256)]
  },
  {
    ...body("POST /custom-attestation-types/{org}", "name"),
    inside: ["t", x(255)],
    outside: ["", x(256)]
  },
  {
    ...body("POST /service-accounts/{org}", "name", { privilege: "reader" }),
    inside: ["s", "A-0", x(64)],
    outside: ["", x(65), "a_b", "a.b", "a b"]
  },
  {
    operation: "POST /service-accounts/{org}",
    field: "description",
    send: (description: string) => ({
      body: { name: `d-${description.length}`, privilege: "reader", description }
    }),
    inside: ["", x(512)],
    outside: [x(513)]
  },
  {
    ...body("POST /service-accounts/{org}/{name}/api-keys", "description", {}, { name: "s" }),
    inside: ["d", x(256)],
    outside: ["", x(257)]
  },
  {
    ...body("POST /user/api-keys", "description", {}),
    inside: ["d", x(256)],
    outside: ["", x(257)]
  },
  {
    ...body(
      "PUT /notification-config/{org}/{notification_type}",
      "targets",
      {},
      { notification_type: "api_key_expiry" }
    ),
    inside: [[{ type: "EMAIL", emails: ["ada@example.com"] }]],
    outside: [[], null, {}]
  },
  {
    operation: "PUT /notification-config/{org}/{notification_type}",
    field: "targets[0].webhook",
    send: (webhook: string) => ({
      path: { notification_type: "api_key_expiry" },
      body: { targets: [{ type: "WEBHOOK", webhook }] }
    }),
    inside: [url(2048)],
    outside: [url(2049), "http://h.example.org/", "HTTPS://h.example.org/", "", " https://h"]
  },
  {
    operation: "PUT /notification-config/{org}/{notification_type}",
    field: "targets[0].emails[0]",
    send: (address: string) => ({
      path: { notification_type: "api_key_expiry" },
      body: { targets: [{ type: "EMAIL", emails: [address] }] }
    }),
    inside: [email(254)],
    outside: [email(255), "ada", ""]
  },
  {
    ...body(
      "PUT /allowlists/{org}/{env_name}",
      "artifact_fingerprint",
      {
        artifact_name: "a",
        description: "d"
      },
      { env_name: "n" }
    ),
    inside: [F],
    outside: [F.slice(1), `${F}f`]
  },
  {
    operation: "GET /artifacts/{org}/{flow_name}/fingerprint/{fingerprint}",
    field: "fingerprint",
    send: (fingerprint: string) => ({ path: { ...flow, fingerprint } }),
    inside: [F.slice(0, 5), F],
    outside: [F.slice(0, 4), `${F}f`, "FFFFF", "ggggg"]
  },
  {
    operation: "GET /artifacts/{org}/{flow_name}/commit_sha/{sha}",
    field: "sha",
    send: (sha: string) => ({ path: { ...flow, sha } }),
    inside: [c1.slice(0, 5), c1],
    outside: [c1.slice(0, 4), `${c1}a`]
  },
  {
    operation: "GET /search/{org}/commit/{sha}/trails",
    field: "sha",
    send: (sha: string) => ({ path: { sha } }),
    inside: [c1],
    outside: [c1.slice(1), `${c1}a`, c1.toUpperCase()]
  }
]

/** The largest page, where it is not 100. */
const PER_PAGE: { readonly [operation: string]: number } = {
  "GET /api/v2/search/{org}/commit/{sha}/trails": 50,
  "GET /api/v2/repos/{org}": 50,
  "GET /api/v2/repos/{org}/{repo}/deployments": 50,
  "GET /api/v2/builds/{org}": 50,
  "GET /api/v2/snapshots/{org}/{env_name}/{snapshot_expression}/facts": 1_000,
  "GET /api/v2/snapshots/{org}/{env_name}/{snapshot_expression}/rows": 5_000
}

/** What a list must be asked for besides its page. */
const ASKED: { readonly [operation: string]: string } = {
  "GET /api/v2/exposure/{org}": `fingerprint=${"a".repeat(64)}&`
}

/** Lists of which a page may be empty on purpose, for what comes beside it. */
const WITHOUT_ITEMS = ["GET /api/v2/snapshots/{org}/{env_name}/{snapshot_expression}/rows"]

const paged = all.filter(({ parameters }) => parameters.some(({ name }) => name === "page"))

onEveryStore("SPEC §8", ({ call }) => {
  const check = async (operation: string, options: CallOptions, field: string | null) => {
    const { status, body: said } = await call(operation, options)
    const shown = `${operation} ${JSON.stringify(options).slice(0, 300)}: ${JSON.stringify(said)}`
    if (field === null) {
      assert.include([200, 201, 404], status, shown)
      return
    }
    assert.strictEqual(status, 400, shown)
    const { errors } = said as { readonly errors: { readonly [name: string]: string } | null }
    assert.include(Object.keys(errors ?? {}), field, shown)
  }

  for (const { operation, send, inside, outside, field } of LIMITS) {
    it(`${operation} accepts ${field} up to its limit and refuses it beyond`, async () => {
      assert.isAbove(inside.length * outside.length, 0)
      for (const value of inside) await check(operation, send(value as never), null)
      for (const value of outside) await check(operation, send(value as never), field)
    })
  }

  it("accepts pages 1 to 1,000,000 of 1 item up to the limit of each list", async () => {
    assert.isAtLeast(paged.length, 12)
    for (const { method, path, parameters } of paged) {
      const operation = `${method} ${path}`
      const named = Object.fromEntries(
        parameters
          .filter((parameter) => parameter.in === "path" && parameter.name !== "org")
          .map(({ name, example }) => [name, String(example)])
      )
      const ask = (query: string, field: string | null) =>
        check(operation, { path: named, query: `?${ASKED[operation] ?? ""}${query}` }, field)
      const most = PER_PAGE[operation] ?? 100
      for (const page of [1, 1_000_000]) await ask(`page=${page}`, null)
      for (const page of ["0", "1000001", "1.5", "-1", "", "x"]) {
        await ask(`page=${page}`, "query.page")
      }
      const size = parameters.some(({ name }) => name === "page_size") ? "page_size" : "per_page"
      const [least, few] = WITHOUT_ITEMS.includes(operation) ? [-1, 0] : [0, 1]
      for (const count of [few, most]) await ask(`${size}=${count}`, null)
      for (const count of [least, most + 1]) await ask(`${size}=${count}`, `query.${size}`)
    }
  })
})
