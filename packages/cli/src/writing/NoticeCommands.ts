/**
 * Where notices about expiring keys and waivers, and about access, go, the secret that signs webhooks, and the
 * default org of the caller.
 */
import { usage } from "../shared/CommandFailure.js"
import type { CommandResult } from "../shared/CommandResult.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import { confirm } from "../shared/Confirmation.js"
import type * as Json from "../shared/Json.js"
import * as NewSecret from "./NewSecret.js"
import * as NotificationTargets from "./NotificationTargets.js"
import * as Write from "./Write.js"

/** A type of notices: the noun of its commands, and who gets them without targets. */
interface Notices {
  readonly noun: string
  readonly type: string
  readonly derived: string
}

const KEYS: Notices = {
  noun: "key-expiry-notices",
  type: "api_key_expiry",
  derived: "notices about expiring keys will go to admins again"
}

const WAIVERS: Notices = {
  noun: "waiver-expiry-notices",
  type: "waiver_expiry",
  derived: "notices about expiring waivers will go to their owners again"
}

const ACCESS: Notices = {
  noun: "access-notices",
  type: "access_change",
  derived: "notices about uses of keys for emergencies will go to admins again"
}

const BREAK_GLASS: Notices = {
  noun: "break-glass-notices",
  type: "break_glass",
  derived: "notices about break-glass will go to admins alone again"
}

const PROPOSALS: Notices = {
  noun: "proposal-notices",
  type: "proposal",
  derived: "notices about proposals will go to admins again"
}

const putCommand = ({ noun, type }: Notices): CommandModule => ({
  run: async (context, args) => {
    const to = args.texts("to")
    if (to.length === 0) throw usage("--to is missing")
    return Write.perform(context, args, {
      noun,
      name: "of the org",
      operation: "notificationConfig.put",
      call: {
        path: { notification_type: type },
        payload: { targets: NotificationTargets.parse(context, to) }
      },
      outcome: "updated"
    })
  }
})

const deleteCommand = ({ derived, noun, type }: Notices): CommandModule => ({
  run: async (context, args) => {
    await confirm(context, args, derived)
    return Write.perform(context, args, {
      noun,
      name: "of the org",
      operation: "notificationConfig.delete",
      call: { path: { notification_type: type } },
      outcome: "deleted"
    })
  }
})

/** Runs `attestry put key-expiry-notices`. */
export const putNotices = putCommand(KEYS)

/** Runs `attestry delete key-expiry-notices`. */
export const deleteNotices = deleteCommand(KEYS)

/** Runs `attestry put waiver-expiry-notices`. */
export const putWaiverNotices = putCommand(WAIVERS)

/** Runs `attestry delete waiver-expiry-notices`. */
export const deleteWaiverNotices = deleteCommand(WAIVERS)

/** Runs `attestry put access-notices`. */
export const putAccessNotices = putCommand(ACCESS)

/** Runs `attestry delete access-notices`. */
export const deleteAccessNotices = deleteCommand(ACCESS)

/** Runs `attestry put break-glass-notices`. */
export const putBreakGlassNotices = putCommand(BREAK_GLASS)

/** Runs `attestry delete break-glass-notices`. */
export const deleteBreakGlassNotices = deleteCommand(BREAK_GLASS)

/** Runs `attestry put proposal-notices`. */
export const putProposalNotices = putCommand(PROPOSALS)

/** Runs `attestry delete proposal-notices`. */
export const deleteProposalNotices = deleteCommand(PROPOSALS)

/** Runs `attestry put default-org`. */
export const putDefaultOrg: CommandModule = {
  run: async (context, args) => {
    const [org = ""] = args.positionals
    return Write.perform(context, args, {
      noun: "default-org",
      name: org,
      operation: "user.setDefaultOrg",
      call: { path: { org } },
      outcome: "updated"
    })
  }
}

const secretResult = (answer: Json.Fields, file: string | undefined): CommandResult => {
  const { secret, previous_secret_expires_at: ends } = answer
  return {
    value: {
      schema: "attestry.cli/signing-secret/v1",
      previous_secret_expires_at: ends ?? null,
      ...(file === undefined ? { secret } : { file })
    },
    quiet: String(file ?? secret),
    lines: (style) => [
      file === undefined
        ? style.text(secret)
        : style.text(`the signing secret is written to ${file} (0600)`)
    ]
  }
}

const secretCommand = (
  operation: "notificationConfig.secret" | "notificationConfig.rotateSecret"
): CommandModule => ({
  run: async (context, args) => {
    await NewSecret.checkPlace(context, args)
    if (operation === "notificationConfig.rotateSecret")
      await confirm(
        context,
        args,
        "webhooks will be signed with a new secret, and the old one ends"
      )
    const request = { operation, call: {}, member: "secret" }
    return secretResult(await NewSecret.ask(context, args, request), args.text("to-file"))
  }
})

/** Runs `attestry get signing-secret`. */
export const getSecret = secretCommand("notificationConfig.secret")

/** Runs `attestry rotate signing-secret`. */
export const rotateSecret = secretCommand("notificationConfig.rotateSecret")
