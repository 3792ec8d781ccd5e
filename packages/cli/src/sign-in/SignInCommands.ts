/** `attestry sign-in …`: shows how people sign in to the org, as a file that sets it. */
import { dryRun } from "../attestation/DryRun.js"
import { readJson } from "../attestation/EvidenceFields.js"
import { unreadable } from "../shared/CommandFailure.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Json from "../shared/Json.js"

const INDENT = 2

/** The settings of an answer; the providers that are offered are no setting. */
const settingsOf = ({ offered: _offered, ...settings }: Json.Fields): Json.Fields => settings

const resultOf = (settings: Json.Fields) => {
  const text = JSON.stringify(settings, null, INDENT)
  return { value: settings, quiet: text, lines: () => text.split("\n") }
}

/** Shows the settings. */
export const get: CommandModule = {
  run: async (context) =>
    resultOf(settingsOf(Json.object(await (await context.api()).call("signIn.get"))))
}

/** Replaces the settings by those of a file; a member that is left out gets its default. */
export const set: CommandModule = {
  run: async (context, args) => {
    const [file = ""] = args.positionals
    const payload = await readJson(context.host, file)
    if (!Json.isObject(payload)) throw unreadable(`${file} is no JSON object`)
    if (args.has("dry-run")) return dryRun(context, "signIn.put", { payload })
    const api = await context.api()
    return resultOf(settingsOf(Json.object(await api.call("signIn.put", { payload }))))
  }
}
