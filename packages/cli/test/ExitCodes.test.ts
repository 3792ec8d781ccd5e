/** Every exit code, by what a server answers or does not: no cell is 0 or 1 that must not be. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, assert, describe, it } from "vitest"
import { folder, type Ran, run } from "./shared/Run.js"
import * as StubServer from "./shared/StubServer.js"

const KEY = "canary-key-0123456789"
const started: Array<StubServer.StubServer> = []

afterEach(async () => {
  for (const server of started.splice(0)) await server.stop()
})

const against = async (
  answer: StubServer.StubAnswer,
  argv: ReadonlyArray<string>,
  env: { readonly [name: string]: string } = {}
): Promise<Ran & { readonly requests: number }> => {
  const server = await StubServer.start(() => answer)
  started.push(server)
  // Only a server that stands still is waited for so shortly: on a busy machine others take longer than that.
  const timeout = answer.hangs === true ? "300ms" : "30s"
  const ran = await run([...argv, "--retries", "0", "--org", "acme", "--timeout", timeout], {
    env: { ATTESTRY_URL: server.url, ATTESTRY_API_KEY: KEY, ...env }
  })
  return { ...ran, requests: server.requests.length }
}

const HEX = "a".repeat(64)

const ASSERTIONS: ReadonlyArray<ReadonlyArray<string>> = [
  ["assert", "artifact", "-F", HEX],
  ["assert", "snapshot", "prod"],
  ["assert", "trail", "t", "-f", "shop"]
]

/** Commands that write under an idempotency key of their own. */
const KEYED: ReadonlyArray<ReadonlyArray<string>> = [
  ["archive", "flow", "a", "-y"],
  ["delete", "account", "ci", "-y"]
]

const UNKEYED: ReadonlyArray<ReadonlyArray<string>> = [
  ...ASSERTIONS,
  ["whoami"],
  ["list", "flows"],
  ["get", "flow", "shop"],
  ["search", "abcdef"],
  ["log", "prod"],
  ["diff", "a", "b"],
  ["begin", "t", "-f", "shop"],
  ["attest", "generic", "-n", "x", "-f", "shop", "-T", "t"],
  ["put", "flow", "shop"],
  ["put", "account", "ci"],
  ["tag", "flow", "shop", "a=b"],
  ["attach", "rules", "prod"],
  ["rename", "flow", "a", "b"],
  ["key", "create", "ci", "--description", "x"],
  ["evaluate", "trail", "t", "-f", "shop"],
  ["policy", "facts", HEX],
  ["where", HEX],
  ["graph", HEX],
  ["policy", "dry-run", "rules", "--environment", "prod"],
  ["policy", "backtest", "rules"],
  ["member", "list"],
  ["member", "add", "kim", "--role", "reader"],
  ["member", "restore", "kim"],
  ["invitation", "create", "--role", "reader"],
  ["list", "notifications"],
  ["get", "identity-rules", "ci"],
  ["put", "identity-rules", "ci", "--issuer", "https://a.example.org", "--subject", "a:b"],
  ["list", "journal"],
  ["list", "builds"],
  ["get", "build-statistics"],
  ["log", "visibility"],
  ["events"]
]

const COMMANDS = [...UNKEYED, ...KEYED]

const refusal = (message: string) => JSON.stringify({ message, errors: { name: "too long" } })

describe("an answer that is no success", () => {
  const ROWS: ReadonlyArray<readonly [number, number]> = [
    [400, 6],
    [401, 4],
    [403, 4],
    [404, 3],
    [409, 6],
    [413, 6],
    [415, 6],
    [422, 6],
    [429, 5],
    [500, 5],
    [503, 5]
  ]
  for (const [status, code] of ROWS)
    it(`ends with ${code} for ${status}, with the server's own sentence`, async () => {
      for (const argv of COMMANDS) {
        const ran = await against({ status, body: refusal("the sentence") }, argv)
        const expected = status === 422 && KEYED.includes(argv) ? 70 : code
        assert.strictEqual(ran.code, expected, argv.join(" "))
        assert.include(ran.stderr, "the sentence")
        assert.strictEqual(ran.stdout, "")
      }
    })

  it("shows the problems by field and the id of the request", async () => {
    const headers = { "x-request-id": "req-7" }
    const answer = { status: 400, headers, body: refusal("no") }
    const { stderr } = await against(answer, ["whoami"])
    assert.include(stderr, "  name: too long")
    assert.include(stderr, "req-7")
    const json = await against(answer, ["whoami", "-o", "json"])
    assert.deepStrictEqual(JSON.parse(json.stderr).error, {
      exit: 6,
      code: "refused",
      message: "no",
      errors: { name: "too long" },
      operation: "meta.whoami",
      request_id: "req-7",
      hint: null
    })
  })

  it("ends with 70 for 422 under a key of its own, and says how to report it", async () => {
    for (const argv of KEYED) {
      const { stderr } = await against({ status: 422, body: refusal("the sentence") }, argv)
      assert.include(stderr, "the sentence")
      assert.include(stderr, "report what it prints")
    }
  })

  it("names the role that the operation needs where the server says 403", async () => {
    const rows: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
      [["get", "flow", "shop"], "flow.get needs the role reader or a higher one"],
      [["rename", "flow", "a", "b"], "flow.rename needs the role member or a higher one"],
      [["tag", "control", "SDLC-1", "a=b"], "needs the role admin:"],
      [["tag", "flow", "shop", "a=b"], "needs the role member or a higher one"],
      [
        ["archive", "environment", "prod", "-y"],
        "environment.archive needs the role member or a higher one"
      ]
    ]
    for (const [argv, said] of rows) {
      const { stderr } = await against({ status: 403, body: refusal("closed") }, argv)
      assert.include(stderr, said)
      assert.include(stderr, "closed")
      assert.include(stderr, "may not do this in the org acme; see: attestry whoami")
    }
    const any = await against({ status: 403, body: refusal("closed") }, ["whoami"])
    assert.notInclude(any.stderr, "needs the role")
  })

  it("tells a problem of a field under the flag that it came from", async () => {
    const errors = {
      "query.as_of": "is no instant",
      name: "too long",
      "policies[0]": "unknown",
      type: "unknown"
    }
    const answer = { status: 400, body: JSON.stringify({ message: "no", errors }) }
    const trail = await against(answer, ["get", "trail", "t", "-f", "shop", "--as-of", "now"])
    assert.include(trail.stderr, "  --as-of (query.as_of): is no instant\n  name: too long\n")
    const list = await against(answer, ["list", "environments"])
    assert.include(
      list.stderr,
      "  --name (name): too long\n  policies[0]: unknown\n  --kind (type)"
    )
    const json = await against(answer, ["list", "environments", "-o", "json"])
    assert.deepStrictEqual(JSON.parse(json.stderr).error.errors, errors)
  })

  it("names the files of a form that is too large, with their sizes", async () => {
    const cwd = folder()
    writeFileSync(join(cwd, "small.txt"), "x")
    writeFileSync(join(cwd, "large.bin"), Buffer.alloc(2_097_152))
    const server = await StubServer.start(() => ({ status: 413, body: refusal("too large") }))
    started.push(server)
    const about = ["attest", "generic", "-n", "x", "-f", "shop", "-T", "t", "--org", "acme"]
    const argv = [...about, "--attach", "small.txt", "--attach", "large.bin", "--retries", "0"]
    const env = { ATTESTRY_URL: server.url, ATTESTRY_API_KEY: KEY }
    const { code, stderr } = await run(argv, { cwd, env })
    assert.strictEqual(code, 6)
    assert.match(stderr, /large\.bin: 2 MiB\n {2}small\.txt: 1 B/)
    assert.include(stderr, "nothing was recorded")
  })

  it("says where a key that opens nothing comes from, and nothing of it", async () => {
    const { stderr } = await against({ status: 401, body: refusal("no") }, ["whoami", "-v"])
    assert.include(stderr, "ATTESTRY_API_KEY")
    assert.include(stderr, "it is expired, revoked or of another deployment")
    assert.notInclude(stderr, KEY)
  })
})

describe("no answer", () => {
  it("ends with 5 for the page of a proxy, a redirect, silence and a broken connection", async () => {
    const page = { status: 200, headers: { "content-type": "text/html" }, body: "<h1>Sign in</h1>" }
    const answers: ReadonlyArray<StubServer.StubAnswer> = [
      page,
      { ...page, status: 502 },
      { status: 302, headers: { location: "https://elsewhere.example.com/" }, body: "" },
      { hangs: true },
      { breaks: true }
    ]
    for (const answer of answers)
      for (const argv of COMMANDS) {
        const { code } = await against(answer, argv)
        assert.strictEqual(code, 5, `${argv.join(" ")} ${JSON.stringify(answer)}`)
      }
  })

  it("names the heading of a page that is no answer", async () => {
    const answer = {
      status: 502,
      headers: { "content-type": "text/html" },
      body: "<h1>Sign in</h1>"
    }
    const { stderr } = await against(answer, ["whoami"])
    assert.include(stderr, "Sign in")
    assert.include(stderr, "is this the deployment's address?")
  })

  it("suggests the nearest name for one that the server does not know, where the list may be read", async () => {
    const answers = new Map([["/api/v2/environments/acme", [{ name: "production" }]]])
    const server = await StubServer.start(({ url = "" }) => {
      const list = answers.get(url.replace(/\?.*$/, ""))
      return list === undefined
        ? { status: 404, body: refusal("there is none") }
        : { body: JSON.stringify(list) }
    })
    started.push(server)
    const env = { ATTESTRY_URL: server.url, ATTESTRY_API_KEY: KEY }
    const asked = async (name: string) =>
      run(["get", "environment", name, "--org", "acme", "--retries", "0"], { env })
    const near = await asked("prodction")
    assert.strictEqual(near.code, 3)
    assert.include(near.stderr, "there is none")
    assert.include(near.stderr, "did you mean `production`?")
    assert.notInclude((await asked("elsewhere")).stderr, "did you mean")
    answers.clear()
    const denied = await asked("prodction")
    assert.strictEqual(denied.code, 3)
    assert.notInclude(denied.stderr, "did you mean")
  })

  it("does not follow a redirect with the key", async () => {
    const elsewhere = await StubServer.start(() => ({ body: "{}" }))
    started.push(elsewhere)
    await against({ status: 307, headers: { location: elsewhere.url } }, ["whoami"])
    assert.lengthOf(elsewhere.requests, 0)
  })

  it("ends with 5 where nothing listens, and says how often it tried", async () => {
    const { code, stderr } = await run(["whoami", "--retries", "1", "--timeout", "200ms"], {
      env: { ATTESTRY_URL: "http://127.0.0.1:1", ATTESTRY_API_KEY: KEY }
    })
    assert.strictEqual(code, 5)
    assert.include(stderr, "2 attempts")
  })

  it("ends with 5 for a name that no address has, and leads to the doctor", async () => {
    const { code, stderr } = await run(["whoami", "--retries", "0", "--timeout", "5s"], {
      env: { ATTESTRY_URL: "https://attestry.invalid", ATTESTRY_API_KEY: KEY }
    })
    assert.strictEqual(code, 5)
    assert.include(stderr, "https://attestry.invalid did not answer")
    assert.include(stderr, "attestry doctor")
  })

  it("counts damaged records of a list, and leaves them out", async () => {
    const rows = [{ name: "shop" }, { damaged_record: true }, { damaged_record: true }]
    const answer = { body: JSON.stringify(rows) }
    const { code, stdout, stderr } = await against(answer, ["list", "policies", "-o", "json"])
    assert.deepStrictEqual([code, JSON.parse(stdout)], [0, [{ name: "shop" }]])
    assert.include(stderr, "2 damaged records are left out")
  })

  it("asks again after 503, as long as it may", async () => {
    const server = await StubServer.start(() => ({ status: 503, body: refusal("busy") }))
    started.push(server)
    await run(["whoami", "--retries", "2"], {
      env: { ATTESTRY_URL: server.url, ATTESTRY_API_KEY: KEY }
    })
    assert.lengthOf(server.requests, 3)
  })

  for (const body of ["", "{}", "[]", "null", '"OK"', '{"compliant": "true"}', "{"])
    it(`ends with 5 for an assertion that is answered by \`${body}\``, async () => {
      for (const argv of ASSERTIONS)
        assert.strictEqual((await against({ body }, argv)).code, 5, argv.join(" "))
    })
})

describe("an answer", () => {
  it("ends with 1 for no and with 0 for yes", async () => {
    const answer = (compliant: boolean) => ({
      body: JSON.stringify({ compliant, is_compliant: compliant, scope: "flow", index: 1 })
    })
    for (const argv of ASSERTIONS) {
      assert.strictEqual((await against(answer(true), argv)).code, 0)
      assert.strictEqual((await against(answer(false), argv)).code, 1)
    }
  })

  it("ends with 5 where an attestation is asserted and the server does not say its outcome", async () => {
    const argv = ["attest", "generic", "-n", "x", "-f", "shop", "-T", "t", "--assert"]
    assert.strictEqual((await against({ status: 201, body: '"OK"' }, argv)).code, 5)
  })
})

describe("before anything is sent", () => {
  it("ends with 4 without a key and with 2 without an address", async () => {
    const url = { ATTESTRY_URL: "http://127.0.0.1:1" }
    assert.strictEqual((await run(["whoami"], { env: url })).code, 4)
    assert.strictEqual((await run(["whoami"], { env: { ATTESTRY_API_KEY: KEY } })).code, 2)
  })

  it("ends with 2 for an address that would send the key in the clear", async () => {
    const env = { ATTESTRY_URL: "http://attestry.example.com", ATTESTRY_API_KEY: KEY }
    const { code, stderr } = await run(["whoami"], { env })
    assert.strictEqual(code, 2)
    assert.include(stderr, "without encryption")
  })

  it("ends with 2 for a confirmation without a terminal, and with nothing sent", async () => {
    const argv = [
      "attest",
      "override",
      "-n",
      "x",
      "-f",
      "shop",
      "-T",
      "t",
      "--compliant",
      "--reason",
      "r"
    ]
    const { code, requests } = await against({ body: "{}" }, argv)
    assert.deepStrictEqual([code, requests], [2, 0])
  })

  it("ends with 7 for evidence that is not there", async () => {
    const about = ["-n", "x", "-f", "shop", "-T", "t"]
    for (const kind of ["junit", "snyk", "sarif", "file"]) {
      const { code, requests } = await against({ body: "{}" }, [
        "attest",
        kind,
        "nothing",
        ...about
      ])
      assert.deepStrictEqual([code, requests], [7, 0], kind)
    }
  })
})

describe("a defect", () => {
  it("ends with 70, never with 1", async () => {
    const stdout = {
      write: () => {
        throw new Error("boom")
      },
      isTerminal: false,
      columns: 80
    }
    const { code, stderr } = await run(["version", "-v"], { host: { stdout } })
    assert.strictEqual(code, 70)
    assert.include(stderr, "this is a bug of attestry")
    assert.include(stderr, "boom")
    const plain = await run(["version"], { host: { stdout } })
    assert.strictEqual(plain.code, 70)
    assert.include(plain.stderr, "run it again with -v, and report what it prints")
    assert.notInclude(plain.stderr, "boom")
  })
})

describe("a signal", () => {
  it("ends with 130 for Ctrl-C and with 143 for a request to terminate", async () => {
    const server = await StubServer.start(() => ({ hangs: true }))
    started.push(server)
    for (const [reason, code] of [
      ["SIGINT", 130],
      ["SIGTERM", 143]
    ] as const) {
      const controller = new AbortController()
      setTimeout(() => controller.abort(reason), 50)
      const ran = await run(["whoami"], {
        host: { signal: controller.signal },
        env: { ATTESTRY_URL: server.url, ATTESTRY_API_KEY: KEY }
      })
      assert.strictEqual(ran.code, code)
    }
  })
})
