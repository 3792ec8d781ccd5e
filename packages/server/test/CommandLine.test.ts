/** Parsing of commands and flags, with all problems reported. */
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import * as CommandLine from "../src/internal/CommandLine.js"
import * as ServerConfig from "../src/ServerConfig.js"

const parse = (text: string) => CommandLine.parse(text === "" ? [] : text.split(" "))

const commandOf = (text: string) => Either.getOrThrow(parse(text)).command

const problemsOf = (text: string) =>
  Either.match(parse(text), { onLeft: ({ problems }) => [...problems], onRight: () => [] })

describe("CommandLine", () => {
  it("parses `serve` by default, with the flags of the configuration", () => {
    const { command, flags, configFile } = Either.getOrThrow(
      parse("--port 0 --store=memory --config c.yaml")
    )
    assert.deepStrictEqual(command, { _tag: "serve" })
    assert.deepStrictEqual(
      [...flags],
      [
        ["port", "0"],
        ["store", "memory"]
      ]
    )
    assert.strictEqual(configFile, "c.yaml")
    assert.deepStrictEqual(commandOf("migrate"), { _tag: "migrate" })
    assert.deepStrictEqual(commandOf("user add --help"), { _tag: "help" })
  })

  it("parses `demo` with its seed, and refuses what is no seed", () => {
    assert.deepStrictEqual(commandOf("demo"), { _tag: "demo", seed: 7 })
    assert.deepStrictEqual(commandOf("demo --seed 2147483647 --port 0"), {
      _tag: "demo",
      seed: 2_147_483_647
    })
    for (const seed of ["2147483648", "-1", "x", "1.5"])
      assert.match(problemsOf(`demo --seed=${seed}`).join(), /--seed should be a whole number/)
    assert.match(problemsOf("demo twice").join(), /`twice` is not a flag/)
    assert.match(problemsOf("demos").join(), /no command `demos`.*demo/)
  })

  it("parses administration commands and keeps the flags of the configuration", () => {
    const line =
      "user add ada --org acme --role admin --email a@b --display-name Ada --port 1 --json"
    const { command, flags } = Either.getOrThrow(parse(line))
    assert.deepStrictEqual(command, {
      _tag: "administer",
      json: true,
      command: {
        _tag: "user add",
        login: "ada",
        org: "acme",
        role: "admin",
        email: "a@b",
        "display-name": "Ada"
      }
    } as typeof command)
    assert.deepStrictEqual([...flags], [["port", "1"]])
  })

  it("parses lifetimes in seconds, minutes, hours, days and weeks", () => {
    const lifetimes: ReadonlyArray<readonly [string, number]> = [
      ["45s", 45],
      ["30m", 1_800],
      ["12h", 43_200],
      ["90d", 7_776_000],
      ["2w", 1_209_600]
    ]
    for (const [text, seconds] of lifetimes) {
      const command = commandOf(`key issue --user ada --expires-in ${text}`)
      assert.deepInclude("command" in command ? command.command : {}, { "expires-in": seconds })
    }
    for (const wrong of ["0d", "1y", "d", "-1d", "1.5h"]) {
      assert.lengthOf(problemsOf(`key issue --user ada --expires-in=${wrong}`), 1, wrong)
    }
  })

  it("reports every problem of a command", () => {
    assert.deepStrictEqual(problemsOf("user add --role king --org -"), [
      "LOGIN: Field required [input: None]",
      "--org: String should match pattern '^[a-zA-Z0-9][a-zA-Z0-9-]{0,63}$' [input: -]",
      "--role: Input should be 'admin', 'member', 'snapshotter', 'reader' or 'none' [input: king]"
    ])
    assert.lengthOf(problemsOf("org create session"), 1)
    for (const wrong of [
      "frob",
      "user",
      "user frob",
      "org create a b",
      "serve now",
      "--json",
      "-x"
    ]) {
      assert.lengthOf(problemsOf(wrong), 1, wrong)
    }
    assert.lengthOf(problemsOf("key list --user"), 1)
  })

  it.prop("never throws", { words: FastCheck.array(FastCheck.string()) }, ({ words }) => {
    assert.isTrue(Either.isEither(CommandLine.parse(words)))
  })
})

describe("ServerConfig", () => {
  const read = (variables: { readonly [name: string]: string }) =>
    ServerConfig.read({ file: new Map(), variables, flags: new Map() })

  it("parses proxies and limits, and reports invalid ones by name", () => {
    const config = Either.getOrThrow(
      read({ ATTESTRY_TRUSTED_PROXIES: "10.0.0.0/8, ::1", ATTESTRY_RATE_PER_ORG: "7" })
    )
    assert.deepStrictEqual(config.ATTESTRY_TRUSTED_PROXIES, ["10.0.0.0/8", "::1"])
    assert.strictEqual(config.ATTESTRY_RATE_PER_ORG, 7)
    assert.strictEqual(config.ATTESTRY_AUTH_FAILURES_PER_SOURCE, 1_000)
    const wrong = read({ ATTESTRY_TRUSTED_PROXIES: "proxy", ATTESTRY_RATE_PER_CREDENTIAL: "0" })
    assert.isTrue(Either.isLeft(wrong))
    if (Either.isLeft(wrong)) {
      assert.deepStrictEqual(
        wrong.left.problems.map((problem) => problem.split(":")[0]),
        ["ATTESTRY_TRUSTED_PROXIES", "ATTESTRY_RATE_PER_CREDENTIAL"]
      )
    }
  })
})
