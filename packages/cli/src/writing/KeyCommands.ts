/** `attestry key create|rotate|revoke|create-own|revoke-own`: prints the secret of a key once, alone on stdout. */
import { dryRun } from "../attestation/DryRun.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { usage } from "../shared/CommandFailure.js"
import type { CommandResult } from "../shared/CommandResult.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import { confirm } from "../shared/Confirmation.js"
import type * as Json from "../shared/Json.js"
import * as KeyScope from "../shared/KeyScope.js"
import type { Call } from "../transport/Api.js"
import * as NewSecret from "./NewSecret.js"
import * as Write from "./Write.js"

const SECONDS_PER_MS = 1_000

const isoDay = (seconds: unknown): string =>
  typeof seconds === "number" && seconds > 0
    ? `until ${new Date(seconds * SECONDS_PER_MS).toISOString().slice(0, 10)}`
    : "without an end"

const issue = async (
  context: CommandContext,
  args: Arguments,
  request: { readonly owner?: string; readonly operation: string; readonly call: Call }
): Promise<CommandResult> => {
  await NewSecret.checkPlace(context, args)
  if (args.has("dry-run")) return dryRun(context, request.operation, request.call)
  const [account = ""] = args.positionals
  const owner = request.owner ?? account
  const file = args.text("to-file")
  const { key, id, expires_at, scope } = await NewSecret.ask(context, args, {
    ...request,
    member: "key"
  })
  const description = `key ${id} of ${owner} ${isoDay(expires_at)}`
  if (file === undefined) context.output.note(`${description}; it is not shown again`)
  return {
    value: {
      schema: "attestry.cli/key/v1",
      ...(account === "" ? {} : { account }),
      id,
      expires_at: expires_at ?? null,
      ...(scope === undefined ? {} : { scope }),
      ...(file === undefined ? { key } : { file })
    },
    quiet: file === undefined ? String(key) : String(id),
    lines: (style) =>
      file === undefined
        ? [style.text(key)]
        : [style.text(`${description}, written to ${file} (0600); it is not shown again`)]
  }
}

const expiryOf = ({ host }: CommandContext, args: Arguments): Json.Fields => {
  const lifetime = args.duration("expires-in")
  return lifetime === undefined
    ? {}
    : { expires_at: Math.floor((host.now() + lifetime) / SECONDS_PER_MS) }
}

/** Creates a key of a service account. */
export const create: CommandModule = {
  run: async (context, args) => {
    const [name = ""] = args.positionals
    const payload = {
      description: args.required("description"),
      ...expiryOf(context, args),
      ...KeyScope.fromFlags(args)
    }
    return issue(context, args, {
      operation: "apiKey.create",
      call: { path: { name }, payload }
    })
  }
}

/** Creates a key of the caller. */
export const createOwn: CommandModule = {
  run: async (context, args) => {
    const emergency = args.text("emergency-of")
    return issue(context, args, {
      owner: "yours",
      operation: "personalKey.create",
      call: {
        payload: {
          description: args.required("description"),
          ...expiryOf(context, args),
          ...KeyScope.fromFlags(args),
          ...(emergency === undefined ? {} : { emergency })
        }
      }
    })
  }
}

const HOUR_MS = 3_600_000

/** Replaces a key; the old one still works during its grace period. */
export const rotate: CommandModule = {
  run: async (context, args) => {
    const [name = "", key_id = ""] = args.positionals
    const grace = args.duration("grace")
    if (grace !== undefined && grace % HOUR_MS !== 0)
      throw usage("--grace expects whole hours, such as 24h")
    const payload = {
      ...(grace === undefined ? {} : { grace_period_hours: grace / HOUR_MS }),
      ...expiryOf(context, args)
    }
    return issue(context, args, {
      operation: "apiKey.rotate",
      call: { path: { name, key_id }, payload }
    })
  }
}

/** Revokes a key immediately. */
export const revoke: CommandModule = {
  run: async (context, args) => {
    const [name = "", key_id = ""] = args.positionals
    await confirm(context, args, `key ${key_id} of ${name} will stop working at once`)
    return Write.perform(context, args, {
      noun: "key",
      name: key_id,
      operation: "apiKey.revoke",
      call: { path: { name, key_id } },
      outcome: "revoked"
    })
  }
}

/** Revokes a key of the caller immediately. */
export const revokeOwn: CommandModule = {
  run: async (context, args) => {
    const [key_id = ""] = args.positionals
    await confirm(context, args, `your key ${key_id} will stop working at once`)
    return Write.perform(context, args, {
      noun: "key",
      name: key_id,
      operation: "personalKey.revoke",
      call: { path: { key_id } },
      outcome: "revoked"
    })
  }
}
