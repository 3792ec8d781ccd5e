/** The golden output of the commands about members and invitations, on each store. */
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { assert, beforeAll, it } from "vitest"
import * as People from "../shared/People.js"
import { type Form, machineOf, player } from "../shared/Play.js"
import { folder, run } from "../shared/Run.js"
import { onEveryStore } from "../shared/TestDeployment.js"

const FORMS: ReadonlyArray<Form> = ["json", "tty", "pipe"]

onEveryStore("what commands about members print", (deployment) => {
  const cwd = folder()
  const stage = { cwd, deployment }
  const play = player(stage)
  const machine = machineOf(stage)
  const ran = (...argv: ReadonlyArray<string>) => run(argv, machine())
  const each = (form: Form) => `kim-${form}`

  beforeAll(async () => {
    for (const form of FORMS) await People.join(deployment(), each(form))
  })

  it("suspends, restores, signs out and changes the role of a member", async () => {
    await play("member-role", (form) => ["member", "role", each(form), "member"])
    await play("member-sign-out", (form) => ["member", "sign-out", each(form)])
    await play("member-suspend", (form) => ["member", "suspend", each(form), "-y"])
    await play("member-list", ["member", "list"])
    await play("member-restore", (form) => ["member", "restore", each(form)])
  })

  it("removes a member, and adds one who has an account", async () => {
    await play("member-remove", (form) => ["member", "remove", each(form), "-y"])
    await play("member-add", (form) => ["member", "add", each(form), "--role", "reader"])
  })

  it("invites, lists invitations and revokes one", async () => {
    await play("invitation-create", (form) => [
      "invitation",
      "create",
      "--role",
      "member",
      "--display-name",
      "Zoë",
      "--days",
      "3",
      "--to-file",
      `link-${form}`
    ])
    const file = join(cwd, "link-json")
    assert.strictEqual(statSync(file).mode & 0o777, 0o600)
    assert.match(readFileSync(file, "utf8"), /\/_\/invitation#attestry_invitation_\w+\n$/)
    await play("invitation-list", ["invitation", "list"])
    const ids = new Map<Form, string>()
    for (const form of FORMS) ids.set(form, (await People.invite(deployment())).id)
    await play("invitation-revoke", (form) => ["invitation", "revoke", ids.get(form) ?? "", "-y"])
  })

  it("prints the link alone on stdout", async () => {
    const { stdout, stderr } = await ran("invitation", "create", "--role", "reader")
    assert.match(stdout, /^http\S+\/_\/invitation#attestry_invitation_\w+\n$/)
    assert.include(stderr, "the link is not shown again")
  })

  it("says what to do for a person who is unknown, no member, or the last admin", async () => {
    const unknown = await ran("member", "add", "nobody", "--role", "reader")
    assert.deepStrictEqual([unknown.code, unknown.stdout], [3, ""])
    assert.include(unknown.stderr, "there is no user `nobody`: invite the person")
    const none = await ran("member", "role", "nobody", "reader")
    assert.include(none.stderr, "nobody is not a member of the org")
    assert.include(none.stderr, "attestry member add nobody")
    const last = await ran("member", "suspend", "ada", "-y")
    assert.strictEqual(last.code, 6)
    assert.include(last.stderr, "the last admin")
    const unconfirmed = await ran("member", "remove", "max")
    assert.include(unconfirmed.stderr, "max will have no access to this org")
    assert.strictEqual(unconfirmed.code, 2)
  })
})
