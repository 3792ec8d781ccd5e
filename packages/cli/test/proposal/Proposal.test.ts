/** The golden output of the commands about protections and proposals, on each store. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "vitest"
import { type Form, machineOf, player } from "../shared/Play.js"
import { folder, type Machine, run } from "../shared/Run.js"
import { onEveryStore } from "../shared/TestDeployment.js"

const policyOf = (isRequired: boolean): string =>
  `_schema: https://example.com/v1\nartifacts:\n  provenance:\n    required: ${isRequired}\n`

const PROTECTIONS = `protections:
  - kinds: [policy, attachment, access, override]
    approvals: 1
  - kinds: [sign-in]
    approvals: 2
    days: 7
`

const FORMS: ReadonlyArray<Form> = ["json", "tty", "pipe"]

onEveryStore("what commands about two people print", (deployment) => {
  const cwd = folder()
  const stage = { cwd, deployment }
  const play = player(stage)
  const machine = machineOf(stage)
  const asMember = (more: Machine = {}): Machine => ({
    ...machine(more),
    env: { ...machine(more).env, ATTESTRY_API_KEY: deployment().keys.member }
  })
  const done = async (argv: ReadonlyArray<string>, by = machine()) => {
    const ran = await run(argv, by)
    assert.strictEqual(ran.code, 0, `${argv.join(" ")}: ${ran.stderr}`)
    return ran.stdout
  }
  /** Proposals of a member, one for each form. */
  const proposeEach = async (
    name: string
  ): Promise<ReadonlyMap<Form, { readonly number: string; readonly digest: string }>> => {
    const made = new Map<Form, { readonly number: string; readonly digest: string }>()
    for (const form of FORMS) {
      const argv = ["propose", "--reason", "a release", "-o", "json", "--"]
      const text = await done(
        [...argv, "put", "policy", `${name}-${form}`, "next.yaml"],
        asMember()
      )
      const [{ digest, number }] = JSON.parse(text).proposals
      made.set(form, { number: String(number), digest })
    }
    return made
  }

  it("sets and shows protections", async () => {
    writeFileSync(join(cwd, "first.yaml"), policyOf(true))
    writeFileSync(join(cwd, "next.yaml"), policyOf(false))
    writeFileSync(join(cwd, "protections.yaml"), PROTECTIONS)
    await done(["put", "environment", "prod", "--kind", "server"])
    await done(["put", "policy", "rules", "first.yaml"])
    await play("protection-set", ["protection", "set", "protections.yaml"])
    await play("protection-get", ["protection", "get"])
    const shown = await done(["protection", "get", "-o", "json"])
    const same = await done(["protection", "set", "-", "-o", "json"], machine({ stdin: shown }))
    assert.strictEqual(same, shown)
  })

  it("denies a held change, and prints the command that proposes it", async () => {
    await play("held", ["put", "policy", "rules", "next.yaml"], 4)
    const { stderr } = await run(["put", "policy", "rules", "next.yaml"], machine())
    const hint = "attestry propose --reason '<REASON>' -- put policy rules next.yaml"
    assert.include(stderr, hint)
    const words = ["propose", "--reason", "<REASON>", "--", "put", "policy", "rules", "next.yaml"]
    assert.match((await run(words, machine())).stderr, /--reason is the placeholder/)
  })

  it("proposes every write of a command", async () => {
    await play("propose", (form) => [
      ...["propose", "--reason", `for ${form}`, "--"],
      ...["put", "policy", "rules", "next.yaml"]
    ])
    const text = await done([
      ...["propose", "--reason", "x", "-o", "json", "--"],
      ...["attach", "rules", "prod", "--org", "acme"]
    ])
    const [attachment] = JSON.parse(text).proposals
    assert.strictEqual(attachment.operation, "environment.attach")
    assert.deepStrictEqual(attachment.params, { env_name: "prod", org: "acme" })
    assert.notInclude(await done(["get", "environment", "prod", "-o", "json"]), `"rules"`)
    const [role] = JSON.parse(
      await done([
        ...["propose", "--reason", "x", "-o", "json", "--"],
        ...["member", "role", "rob", "member"]
      ])
    ).proposals
    assert.deepStrictEqual([role.operation, role.body], ["membership.put", { role: "member" }])
  })

  it("takes flags of every command on either side of the dashes", async () => {
    const words = ["put", "policy", "rules", "next.yaml"]
    const dry = ["propose", "--reason", "x", "--dry-run"]
    const inside = await done([...dry, "--", ...words, "-o", "json", "--org", "acme"])
    const outside = await done([...dry, "-o", "json", "--org", "acme", "--", ...words])
    assert.strictEqual(inside, outside)
    assert.strictEqual(JSON.parse(inside).operation, "proposal.make")
    const twice = await run([...dry, "-o", "json", "--", ...words, "-o", "json"], machine())
    assert.deepStrictEqual([twice.code, /--output is given twice/.test(twice.stderr)], [2, true])
  })

  it("lists and shows proposals", async () => {
    await play("proposal-list", ["proposal", "list"])
    await play("proposal-show", ["proposal", "show", "1"])
    const open = JSON.parse(await done(["proposal", "list", "--state", "applied", "-o", "json"]))
    assert.deepStrictEqual(open, [])
    const all = JSON.parse(await done(["proposal", "list", "-o", "json"]))
    const other = JSON.parse(await done(["proposal", "list", "--reverse", "-o", "json"]))
    assert.deepStrictEqual(other, [...all].reverse())
  })

  it("approves what was seen, and the change is made", async () => {
    const made = await proposeEach("approved")
    const of = (form: Form) => made.get(form) ?? { number: "", digest: "" }
    await play(
      "proposal-approve",
      (form) => [
        ...["proposal", "approve", of(form).number, "--comment", "seen"],
        ...(form === "tty" ? [] : ["--digest", of(form).digest])
      ],
      { machine: () => ({ typed: ["y"] }) }
    )
    for (const form of FORMS) await done(["get", "policy", `approved-${form}`])
  })

  it("approves nothing that nobody has looked at", async () => {
    const made = await proposeEach("unseen")
    const { number = "" } = made.get("json") ?? {}
    const blind = await run(["proposal", "approve", number, "--yes"], machine())
    assert.deepStrictEqual([blind.code, /--digest is missing/.test(blind.stderr)], [2, true])
    const no = await run(["proposal", "approve", number], machine({ tty: true, typed: ["n"] }))
    assert.strictEqual(no.code, 2)
    const other = await run(["proposal", "approve", number, "--digest", "0".repeat(64)], machine())
    assert.strictEqual(other.code, 6)
    assert.strictEqual((await run(["get", "policy", "unseen-json"], machine())).code, 3)
  })

  it("rejects and withdraws", async () => {
    const rejected = await proposeEach("rejected")
    await play("proposal-reject", (form) => [
      ...["proposal", "reject", rejected.get(form)?.number ?? "", "-y"],
      ...["--comment", "too wide"]
    ])
    const withdrawn = await proposeEach("withdrawn")
    await play("proposal-withdraw", (form) => [
      ...["proposal", "withdraw", withdrawn.get(form)?.number ?? "", "-y"]
    ])
  })

  it("says what cannot be proposed, and sends nothing", async () => {
    const before = await done(["proposal", "list", "--all", "-o", "json"])
    const wrong = async (...words: ReadonlyArray<string>) =>
      (await run(["propose", "--reason", "x", "--", ...words], machine())).stderr
    assert.match(await wrong("put", "flow", "x"), /flow\.putWithTemplate cannot be proposed/)
    assert.match(await wrong("list", "flows"), /`attestry list flows` sends no change/)
    assert.match(await wrong("put", "polcy", "x"), /has no command/)
    assert.match(await wrong("put"), /is no command that writes/)
    assert.match(
      await wrong("propose", "--reason", "y", "--", "put", "policy", "x", "next.yaml"),
      /a proposal of a proposal/
    )
    assert.match(await wrong("put", "flow", "x", "--dry-run"), /sends no change/)
    const free = await run(
      ["propose", "--reason", "x", "--", "put", "control", "C-1", "--name", "n"],
      machine()
    )
    assert.deepStrictEqual([free.code, /needs nobody's approval/.test(free.stderr)], [6, true])
    assert.strictEqual((await run(["propose", "--", "put", "flow", "x"], machine())).code, 2)
    assert.strictEqual(await done(["proposal", "list", "--all", "-o", "json"]), before)
  })

  it("says what a held change with a secret answer needs", async () => {
    const { code, stderr } = await run(["invitation", "create", "--role", "reader"], machine())
    assert.strictEqual(code, 4)
    assert.match(stderr, /its answer is a secret/)
    assert.notInclude(stderr, "attestry propose")
  })
})
