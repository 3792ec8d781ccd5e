/** `attestry invitation …`: invites a person, lists invitations, and revokes one. */
import { dryRun } from "../attestation/DryRun.js"
import { present } from "../attestation/EvidenceFields.js"
import { command as listCommand } from "../reading/ListCommand.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import { confirm } from "../shared/Confirmation.js"
import * as NewSecret from "../writing/NewSecret.js"
import * as Write from "../writing/Write.js"
import { INVITATIONS } from "./MemberNouns.js"

const minuteOf = (seconds: unknown): string =>
  typeof seconds === "number"
    ? `${new Date(seconds * 1_000).toISOString().slice(0, 16).replace("T", " ")} UTC`
    : "its end"

/** Invites a person. Prints the link once, alone on stdout. */
export const create: CommandModule = {
  run: async (context, args) => {
    await NewSecret.checkPlace(context, args)
    const payload = present({
      role: args.required("role"),
      login: args.text("login"),
      display_name: args.text("display-name"),
      email: args.text("email"),
      days: args.number("days")
    })
    const request = { operation: "invitation.create", call: { payload } }
    if (args.has("dry-run")) return dryRun(context, request.operation, request.call)
    const file = args.text("to-file")
    const made = await NewSecret.ask(context, args, { ...request, member: "link" })
    const { id, role, expires_at, link } = made
    const description = `invitation ${id} as ${role}, once, until ${minuteOf(expires_at)}`
    if (file === undefined) context.output.note(`${description}; the link is not shown again`)
    return {
      value: {
        schema: "attestry.cli/invitation/v1",
        id,
        role,
        expires_at,
        ...(file === undefined ? { link } : { file })
      },
      quiet: file === undefined ? String(link) : String(id),
      lines: (style) =>
        file === undefined
          ? [style.text(link)]
          : [style.text(`${description}, written to ${file} (0600); it is not shown again`)]
    }
  }
}

/** Lists invitations. */
export const list: CommandModule = listCommand(INVITATIONS)

/** Revokes an open invitation. */
export const revoke: CommandModule = {
  run: async (context, args) => {
    const [invitation_id = ""] = args.positionals
    await confirm(context, args, `the link of invitation ${invitation_id} will not work any more`)
    return Write.perform(context, args, {
      noun: "invitation",
      name: invitation_id,
      operation: "invitation.revoke",
      call: { path: { invitation_id } },
      outcome: "revoked"
    })
  }
}
