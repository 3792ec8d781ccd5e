/** The configuration: defaults, precedence, and problems by name. */
import * as RequestLimits from "@attestry/http/RequestLimits"
import { Either, Redacted } from "effect"
import { assert, describe, it } from "vitest"
import * as CommandLine from "../src/internal/CommandLine.js"
import * as ServerConfig from "../src/ServerConfig.js"

const none = { file: new Map<string, string>(), variables: {}, flags: new Map<string, string>() }

const problemsOf = (sources: Partial<Parameters<typeof ServerConfig.read>[0]>) =>
  Either.match(ServerConfig.read({ ...none, ...sources }), {
    onLeft: ({ problems }) => [...problems],
    onRight: () => []
  })

const configOf = (sources: Partial<Parameters<typeof ServerConfig.read>[0]>) =>
  Either.getOrThrow(ServerConfig.read({ ...none, ...sources }))

describe("ServerConfig.read", () => {
  it("has a default for everything that the embedded store needs", () => {
    assert.deepStrictEqual(configOf({}), {
      ATTESTRY_HOST: "127.0.0.1",
      ATTESTRY_PORT: 8080,
      ATTESTRY_BASE_PATH: "",
      ATTESTRY_CORS_ORIGINS: [],
      ATTESTRY_WEB: "on",
      ATTESTRY_STORE: "embedded",
      ATTESTRY_DATA_DIR: "./attestry-data",
      ATTESTRY_ROLE: "writer",
      ATTESTRY_READER_LAG_MAX: 1_000,
      ATTESTRY_READER_DEFAULT: "hand-on",
      ATTESTRY_TRUSTED_PROXIES: [],
      ATTESTRY_BETA_CONTROLS: "on",
      ATTESTRY_RATE_PER_ORG: RequestLimits.defaults.perOrg,
      ATTESTRY_WRITES_PER_ORG: RequestLimits.defaults.writesPerOrg,
      ATTESTRY_RATE_PER_CREDENTIAL: RequestLimits.defaults.perCredential,
      ATTESTRY_AUTH_FAILURES_PER_SOURCE: RequestLimits.defaults.failuresPerSource,
      ATTESTRY_AUTH_FAILURES_PER_KEY: RequestLimits.defaults.failuresPerKey,
      ATTESTRY_ATTACHMENT_BYTES_MAX: 10_485_760,
      ATTESTRY_EVIDENCE_BYTES_MAX: 33_554_432,
      ATTESTRY_EVIDENCE_READERS: 2,
      ATTESTRY_SEND_TIMEOUT: 60_000,
      ATTESTRY_EXPIRY_SCAN_INTERVAL: 3_600_000,
      ATTESTRY_DELIVERY_ATTEMPTS: 8,
      ATTESTRY_DELIVERY_TIMEOUT: 15_000,
      ATTESTRY_DELIVERY_BACKOFF: 10_000,
      ATTESTRY_DEAD_LETTER_RETENTION: 2_592_000_000,
      ATTESTRY_OUTBOUND_ALLOW: [],
      ATTESTRY_LOG_PUBLISH: "signed",
      ATTESTRY_BACKTESTS: 2,
      ATTESTRY_DUE_TURN: "on",
      ATTESTRY_SCRUB_RATE: 200,
      ATTESTRY_LOG_LEVEL: "info",
      ATTESTRY_LOG_FORMAT: "auto",
      ATTESTRY_ACCESS_LOG: "off",
      ATTESTRY_REPORT_READER: "fast"
    })
  })

  it("prefers a flag to a variable, and a variable to the file", () => {
    const file = new Map([
      ["port", "1"],
      ["host", "file"],
      ["dataDir", "file"]
    ])
    const variables = { ATTESTRY_PORT: "2", ATTESTRY_HOST: "variable" }
    const flags = new Map([["port", "3"]])
    const config = configOf({ file, variables, flags })
    assert.strictEqual(config.ATTESTRY_PORT, 3)
    assert.strictEqual(config.ATTESTRY_HOST, "variable")
    assert.strictEqual(config.ATTESTRY_DATA_DIR, "file")
  })

  it("reports all invalid values by the names under which they were given", () => {
    const problems = problemsOf({
      file: new Map([["logLevel", "loud"]]),
      variables: { ATTESTRY_STORE: "floppy" },
      flags: new Map([
        ["port", "65536"],
        ["nope", "1"]
      ])
    })
    assert.deepStrictEqual(
      problems.map((problem) => problem.split(":")[0]),
      ["--nope", "--port", "ATTESTRY_STORE", "logLevel"]
    )
  })

  it("accepts ports from 0 to 65535 only", () => {
    for (const port of ["0", "65535"])
      assert.isEmpty(problemsOf({ variables: { ATTESTRY_PORT: port } }))
    for (const port of ["-1", "65536", "1.5", "http", ""]) {
      const expected = port === "" ? 0 : 1
      assert.strictEqual(problemsOf({ variables: { ATTESTRY_PORT: port } }).length, expected, port)
    }
  })

  it("accepts attachment sizes from 1 byte to 1 GiB only", () => {
    const problems = (bytes: string) =>
      problemsOf({ variables: { ATTESTRY_ATTACHMENT_BYTES_MAX: bytes } })
    for (const bytes of ["1", "1073741824"]) assert.isEmpty(problems(bytes), bytes)
    for (const bytes of ["0", "-1", "1073741825", "1.5", "10MB"]) {
      assert.match(problems(bytes).join(), /^ATTESTRY_ATTACHMENT_BYTES_MAX: /, bytes)
    }
  })

  it("accepts evidence sizes from 1 byte to 256 MiB, and 1 to 16 readers only", () => {
    for (const [variable, max] of [
      ["ATTESTRY_EVIDENCE_BYTES_MAX", 268_435_456],
      ["ATTESTRY_EVIDENCE_READERS", 16]
    ] as const) {
      const problems = (value: string) => problemsOf({ variables: { [variable]: value } })
      for (const value of ["1", `${max}`]) assert.isEmpty(problems(value), variable)
      for (const value of ["0", `${max + 1}`, "1.5", "10MB"])
        assert.match(problems(value).join(), new RegExp(`^${variable}: `), value)
    }
  })

  it("requires a URL for the store `postgres`, and never shows it", () => {
    assert.match(
      problemsOf({ variables: { ATTESTRY_STORE: "postgres" } }).join(),
      /^ATTESTRY_DATABASE_URL: Field required when the store is `postgres`/
    )
    const secret = "mysql://user:hunter2@host/db"
    const [problem] = problemsOf({ variables: { ATTESTRY_DATABASE_URL: secret } })
    assert.strictEqual(
      problem,
      "ATTESTRY_DATABASE_URL: Input should begin with postgres:// or postgresql://"
    )
    const url = "postgres://user:hunter2@host/db"
    const config = configOf({
      variables: { ATTESTRY_STORE: "postgres", ATTESTRY_DATABASE_URL: url }
    })
    assert.notInclude(JSON.stringify(config), "hunter2")
    assert.strictEqual(Redacted.value(config.ATTESTRY_DATABASE_URL ?? Redacted.make("")), url)
  })
})

describe("settings that are periods", () => {
  const periods: ReadonlyArray<readonly [string, string, number]> = [
    ["ATTESTRY_EXPIRY_SCAN_INTERVAL", "1s", 1_000],
    ["ATTESTRY_EXPIRY_SCAN_INTERVAL", "7d", 604_800_000],
    ["ATTESTRY_SEND_TIMEOUT", "100ms", 100],
    ["ATTESTRY_SEND_TIMEOUT", "1h", 3_600_000],
    ["ATTESTRY_DELIVERY_TIMEOUT", "100ms", 100],
    ["ATTESTRY_DELIVERY_TIMEOUT", "30s", 30_000],
    ["ATTESTRY_DELIVERY_BACKOFF", "1ms", 1],
    ["ATTESTRY_DELIVERY_BACKOFF", "24h", 86_400_000],
    ["ATTESTRY_DEAD_LETTER_RETENTION", "1s", 1_000],
    ["ATTESTRY_DEAD_LETTER_RETENTION", "3650d", 315_360_000_000]
  ]

  it("accepts periods within their bounds, and reports the format", () => {
    for (const [variable, text, millis] of periods) {
      const config: { readonly [name: string]: unknown } = configOf({
        variables: { [variable]: text }
      })
      assert.strictEqual(config[variable], millis, `${variable} ${text}`)
    }
    for (const [variable, text] of [
      ["ATTESTRY_EXPIRY_SCAN_INTERVAL", "999ms"],
      ["ATTESTRY_EXPIRY_SCAN_INTERVAL", "8d"],
      ["ATTESTRY_SEND_TIMEOUT", "99ms"],
      ["ATTESTRY_SEND_TIMEOUT", "2h"],
      ["ATTESTRY_DELIVERY_TIMEOUT", "99ms"],
      ["ATTESTRY_DELIVERY_TIMEOUT", "31s"],
      ["ATTESTRY_DELIVERY_BACKOFF", "0s"],
      ["ATTESTRY_DEAD_LETTER_RETENTION", "999ms"],
      ["ATTESTRY_DEAD_LETTER_RETENTION", "3651d"],
      ["ATTESTRY_DELIVERY_BACKOFF", "2d"],
      ["ATTESTRY_DELIVERY_BACKOFF", "10"],
      ["ATTESTRY_DELIVERY_BACKOFF", "1.5s"]
    ] as const) {
      const [problem] = problemsOf({ variables: { [variable]: text } })
      assert.match(problem ?? "", new RegExp(`^${variable}: Input should be a period from`), text)
    }
  })

  it("accepts 1 to 100 attempts", () => {
    for (const [attempts, problems] of [
      ["1", 0],
      ["100", 0],
      ["0", 1],
      ["101", 1]
    ] as const) {
      const variables = { ATTESTRY_DELIVERY_ATTEMPTS: attempts }
      assert.strictEqual(problemsOf({ variables }).length, problems, attempts)
    }
  })

  it("requires a sender with a mail server, and parses the list of destinations", () => {
    const wrong = [
      [{ ATTESTRY_SMTP_URL: "smtp://mail.example.org" }, /^ATTESTRY_SMTP_FROM: Field required/],
      [{ ATTESTRY_OUTBOUND_ALLOW: "10.0.0.0/99" }, /^ATTESTRY_OUTBOUND_ALLOW: .*10\.0\.0\.0\/99/]
    ] as const
    for (const [variables, expected] of wrong) {
      assert.match(problemsOf({ variables }).join(), expected)
    }
    const allowed = configOf({
      variables: { ATTESTRY_OUTBOUND_ALLOW: "10.0.0.0/8, hooks.internal" }
    })
    assert.deepStrictEqual(allowed.ATTESTRY_OUTBOUND_ALLOW, ["10.0.0.0/8", "hooks.internal"])
  })

  it("never shows the credentials of the collector of traces", () => {
    const ATTESTRY_OTLP_ENDPOINT = "https://user:hunter2@otlp.example.org"
    assert.notInclude(
      JSON.stringify(configOf({ variables: { ATTESTRY_OTLP_ENDPOINT } })),
      "hunter2"
    )
    const [problem] = problemsOf({ variables: { ATTESTRY_OTLP_ENDPOINT: "ftp://user:hunter2@x" } })
    assert.match(problem ?? "", /^ATTESTRY_OTLP_ENDPOINT: .*REDACTED/)
    assert.notInclude(problem, "hunter2")
  })

  it("never shows the password of the mail server", () => {
    const ATTESTRY_SMTP_URL = "smtp://user:hunter2@mail.example.org"
    const config = configOf({ variables: { ATTESTRY_SMTP_URL, ATTESTRY_SMTP_FROM: "a@b.c" } })
    assert.notInclude(JSON.stringify(config), "hunter2")
    const [problem] = problemsOf({ variables: { ATTESTRY_SMTP_URL: "ftp://user:hunter2@x" } })
    assert.notInclude(problem, "hunter2")
  })
})

describe("ServerConfig.parseFile", () => {
  it("parses a mapping of plain values", () => {
    const file = Either.getOrThrow(ServerConfig.parseFile("c.yml", "port: 9\nstore: memory\n"))
    assert.deepStrictEqual(
      [...file],
      [
        ["port", "9"],
        ["store", "memory"]
      ]
    )
  })

  it("reports the position of a problem", () => {
    for (const text of ["- a", "port: {a: 1}", "port: [", ""]) {
      const file = ServerConfig.parseFile("c.yml", text)
      assert.isTrue(Either.isLeft(file), text)
      if (Either.isLeft(file)) assert.match(file.left.problems[0], /^c\.yml: /)
    }
  })
})

describe("CommandLine.parse", () => {
  const parse = (...words: ReadonlyArray<string>) => CommandLine.parse(words)

  it("parses `serve` without a command, and flags in both forms", () => {
    const line = Either.getOrThrow(parse("--port=1", "--host", "h", "--config", "c.yml"))
    assert.strictEqual(line.command._tag, "serve")
    assert.strictEqual(line.configFile, "c.yml")
    assert.deepStrictEqual(
      [...line.flags],
      [
        ["port", "1"],
        ["host", "h"]
      ]
    )
  })

  it("refuses unknown commands, additional words, and flags without a value", () => {
    for (const words of [["dance"], ["serve", "port"], ["--port"], ["serve", "-p", "1"]]) {
      assert.isTrue(Either.isLeft(parse(...words)), words.join(" "))
    }
  })

  it("describes every setting in the help", () => {
    const help = CommandLine.help()
    for (const { description } of ServerConfig.settings) assert.include(help, description)
  })
})
