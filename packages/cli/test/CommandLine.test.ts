/** The command line: a mistake is named together with the nearest valid word, and never exits with 0 or 1. */
import * as EvidenceType from "@attestry/core/EvidenceType"
import * as EvidenceCommand from "@attestry/policy-lab/EvidenceCommand"
import { assert, describe, it } from "vitest"
import { COMMANDS, GLOBAL_FLAGS } from "../src/CommandTree.js"
import * as Examples from "../src/examples/Examples.js"
import { nameOf } from "../src/shared/CommandSpec.js"
import { EXIT_CODES } from "../src/shared/ExitCode.js"
import { run } from "./shared/Run.js"

describe("a wrong command line", () => {
  const ROWS: ReadonlyArray<readonly [string, ReadonlyArray<string>, string]> = [
    ["an unknown command", ["attst"], "did you mean `attestry attest`?"],
    ["a command of the server", ["user", "add"], "kept by attestry-server"],
    ["an unknown subcommand", ["attest", "junti"], "did you mean `attestry attest junit`?"],
    [
      "a vendor",
      ["aws"],
      "`attestry report ecs`, `attestry report lambda` or `attestry report s3`?"
    ],
    ["a product", ["report", "fargate", "prod"], "did you mean `attestry report ecs`?"],
    [
      "a product of another group",
      ["report", "slack"],
      "did you mean `attestry put notification`?"
    ],
    ["a misspelt product", ["report", "fargat", "prod"], "did you mean `attestry report ecs`?"],
    ["a misspelt alias", ["report", "object-stor", "x"], "did you mean `attestry report s3`?"],
    ["a misspelt product of a choice", ["put", "environment", "x", "--kind", "lamda"], "`lambda`?"],
    ["a misspelt topic of help", ["help", "amazn"], "did you mean `attestry help amazon`?"],
    ["an unknown flag", ["begin", "--flwo", "x"], "did you mean `--flow`?"],
    ["a flag of other programs", ["whoami", "--json"], "did you mean `-o json`?"],
    ["an unknown short flag", ["begin", "-z"], "no flag `-z`"],
    ["a missing value", ["begin", "--flow"], "--flow needs a value"],
    ["an empty value", ["begin", "--flow", ""], "--flow has an empty value"],
    ["an empty value after =", ["begin", "--flow="], "--flow has an empty value"],
    ["a repeated flag", ["begin", "-f", "a", "-f", "b"], "--flow is given twice"],
    ["a value that is no choice", ["whoami", "-o", "jsn"], "did you mean `json`?"],
    ["a value that is no boolean", ["attest", "generic", "--compliant=yes"], "true or false"],
    ["a value that is no number", ["whoami", "--retries", "x"], "a whole number"],
    ["a value that is no duration", ["whoami", "--timeout", "1"], "a duration"],
    ["a pair without a key", ["attest", "generic", "--annotate", "=x"], "KEY=VALUE"],
    ["a missing positional", ["attest", "junit"], "PATH is missing"],
    ["an empty positional", ["get", "flow", ""], "an empty argument"],
    ["too many positionals", ["get", "flow", "a", "b"], "does not expect `b`"],
    ["a positional that is no choice", ["completion", "bsh"], "did you mean `bash`?"],
    ["nothing to assert", ["assert", "artifact"], "nothing to assert"],
    ["two names of one thing", ["assert", "artifact", "a", "-F", "b"], "give one of them"],
    ["a fingerprint that is none", ["assert", "artifact", "-F", "abc"], "64 hexadecimal"],
    ["a missing name", ["attest", "generic", "-f", "a", "-T", "b"], "--name is missing"],
    [
      "a placeholder of a flag",
      ["attest", "pull-request", "--number", "<PULL_REQUEST_NUMBER>"],
      "--number is the placeholder `<PULL_REQUEST_NUMBER>`"
    ],
    [
      "a placeholder of an outcome",
      ["attest", "generic", "--compliant=<TRUE_OR_FALSE>"],
      "--compliant is the placeholder `<TRUE_OR_FALSE>`"
    ],
    [
      "a placeholder of a file",
      ["attest", "junit", "<RESULTS_FILE>"],
      "PATH is the placeholder `<RESULTS_FILE>`"
    ],
    ["help about nothing", ["help", "attst"], "no help about"]
  ]
  for (const [what, argv, said] of ROWS)
    it(`names ${what} and ends with 2`, async () => {
      const { code, stdout, stderr } = await run(argv)
      assert.deepStrictEqual([code, stdout], [2, ""])
      assert.include(stderr, said)
    })

  it("is every command that is proposed for missing evidence, until it is filled in", async () => {
    const custom = ["custom:load", "custom:attestry-sbom", "custom:attestry-tests"]
    for (const type of [...EvidenceType.ALL, "*", ...custom]) {
      const [, ...argv] = EvidenceCommand.wordsOf({ flow: "shop", trail: "t1", name: "a", type })
      const { code, stderr } = await run(argv)
      assert.strictEqual(code, 2, type)
      assert.match(stderr, /is the placeholder `<[A-Z_]+>`\n {2}write the value in its place/, type)
    }
  })

  it("prints help on stderr and ends with 2 for a bare group and for nothing at all", async () => {
    for (const argv of [[], ["attest"], ["config"]]) {
      const { code, stdout, stderr } = await run(argv)
      assert.deepStrictEqual([code, stdout], [2, ""])
      assert.include(stderr, "usage: attestry")
    }
  })

  it("is one JSON document on stderr where JSON is asked for", async () => {
    const { stdout, stderr } = await run(["get", "flow", "--nope", "-o", "json"])
    assert.strictEqual(stdout, "")
    const { error } = JSON.parse(stderr)
    assert.deepStrictEqual([error.exit, error.code], [2, "usage"])
  })
})

describe("help", () => {
  it("tells every command its usage and its flags, and ends with three examples", async () => {
    for (const command of COMMANDS) {
      const { code, stdout } = await run([...command.words, "--help"])
      assert.strictEqual(code, 0)
      assert.include(stdout, `usage: attestry ${nameOf(command)}`)
      const lines = Examples.of(command).map((example) => `  ${example}`)
      assert.lengthOf(lines, 3, nameOf(command))
      assert.isTrue(stdout.endsWith(`examples:\n${lines.join("\n")}\n`), nameOf(command))
    }
    assert.sameMembers(Object.keys(Examples.EXAMPLES), COMMANDS.map(nameOf))
  })

  it("ends with three examples for every group too, and for all", async () => {
    const groups = new Set(
      COMMANDS.filter(({ words }) => words.length > 1).map(({ words }) => words[0])
    )
    for (const group of ["", ...groups]) {
      const { stdout } = await run(["help", ...(group === "" ? [] : [group ?? ""])])
      assert.match(stdout, /\nexamples:\n(?: {2}attestry .*\n){3}$/, group)
    }
  })

  it("finds commands by vendors and products", async () => {
    const AWS = ["report ecs", "report lambda", "report s3"]
    const ROWS: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
      ["aws", AWS],
      ["Amazon", AWS],
      ["ecs", ["report ecs"]],
      ["fargate", ["report ecs"]],
      ["report fargate", ["report ecs"]],
      ["azure", ["attest pull-request", "report azure-apps", "assert pull-request", "init"]],
      ["azure devops", ["attest pull-request", "assert pull-request", "init"]],
      ["google", ["report cloud-run"]],
      ["gcp", ["report cloud-run"]],
      ["google cloud run", ["report cloud-run"]],
      ["slack", ["put notification"]],
      ["container-tasks", ["report ecs"]]
    ]
    for (const [words, commands] of ROWS) {
      const { code, stdout, stderr } = await run(["help", ...words.split(" ")])
      assert.strictEqual(code, 0, stderr)
      const [, listed = ""] = stdout.split("\n\n")
      const found = listed.split("\n").map((line) => line.trim().split("  ")[0])
      assert.deepStrictEqual(found, [...commands], words)
      assert.match(stdout, /\nexamples:\n(?: {2}attestry .*\n){3}$/, words)
    }
  })

  it("has topics", async () => {
    for (const topic of ["environment", "expressions", "ci"])
      assert.strictEqual((await run(["help", topic])).code, 0)
    const { stdout } = await run(["help", "exit-codes"])
    for (const { code } of Object.values(EXIT_CODES)) assert.include(stdout, String(code))
  })

  it("takes flags before the words of a command", async () => {
    assert.strictEqual((await run(["-o", "json", "version"])).code, 0)
    const { stdout } = await run(["-o", "json", "--field", "schema", "version"])
    assert.strictEqual(stdout, "attestry.cli/version/v1\n")
  })

  it("ends with 2 for a field that the result does not have", async () => {
    assert.strictEqual((await run(["version", "--field", "a.b"])).code, 2)
  })
})

describe("the tree", () => {
  const flags = [...GLOBAL_FLAGS, ...COMMANDS.flatMap((command) => command.flags)]

  it("gives a flag a value or none, and one short letter, everywhere", () => {
    for (const flag of flags) {
      const same = flags.filter(({ name }) => name === flag.name)
      assert.isTrue(
        same.every(({ kind }) => (kind === "boolean") === (flag.kind === "boolean")),
        flag.name
      )
      const short = flags.filter((each) => each.short !== undefined && each.short === flag.short)
      assert.isTrue(
        short.every(({ name }) => name === flag.name),
        flag.short
      )
    }
  })

  it("has the article that fits the next word", () => {
    const texts = COMMANDS.flatMap(({ brief, flags, positionals }) => [
      brief,
      ...[...flags, ...positionals].map((each) => each.brief)
    ])
    const wrong = /\b[Aa] (?:[aeio]|hour|un(?!i))|\b[Aa]n (?![aeioAEIO]|hour|un|SBOM)/
    assert.match("Archive a environment", wrong)
    assert.match("an flow", wrong)
    assert.deepStrictEqual(
      texts.filter((text) => wrong.test(text)),
      []
    )
  })

  it("has no flag for a secret", () => {
    const secret = /key$|token|password|secret/
    const found = flags.filter(({ name, kind }) => secret.test(name) && kind !== "boolean")
    assert.deepStrictEqual(found, [])
  })

  it("loads every command", async () => {
    for (const command of COMMANDS) assert.isFunction((await command.load()).run, nameOf(command))
  })
})

describe("completion", () => {
  it("prints a script for each shell", async () => {
    for (const shell of ["bash", "zsh", "fish", "powershell"]) {
      const { code, stdout } = await run(["completion", shell])
      assert.strictEqual(code, 0)
      assert.include(stdout, "attestry __complete --")
    }
  })

  it("completes words, flags and choices", async () => {
    const complete = async (...words: ReadonlyArray<string>) =>
      (await run(["__complete", "--", ...words])).stdout.trim().split("\n")
    assert.deepStrictEqual(await complete("attest", "s"), [
      "sarif",
      "sbom",
      "scan",
      "snyk",
      "sonar"
    ])
    assert.include(await complete("attest", ""), "junit")
    assert.include(await complete("begin", "--fl"), "--flow")
    assert.deepStrictEqual(await complete("whoami", "-o", "j"), ["json", "jsonl"])
    assert.deepStrictEqual(await complete("completion", "b"), ["bash"])
    assert.notInclude(await complete(""), "__complete")
  })
})
