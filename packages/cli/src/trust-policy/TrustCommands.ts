/** `attestry trust …`: saves and shows the trust policy of the org, and finds its problems without a server. */
import { present, readText } from "../attestation/EvidenceFields.js"
import { announce } from "../job/JobSummary.js"
import * as DocumentLint from "../policy/DocumentLint.js"
import { of as announcementOf, type LintedFile } from "../policy/LintAnnouncement.js"
import { resultOf } from "../policy/LintCommand.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { CommandFailure, usage } from "../shared/CommandFailure.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Json from "../shared/Json.js"
import type { Style } from "../shared/Style.js"
import * as Table from "../shared/Table.js"
import * as Write from "../writing/Write.js"

const versionsOf = async ({ api }: CommandContext): Promise<ReadonlyArray<Json.Fields>> =>
  Json.objects(await (await api()).call("trustPolicy.versions"))

/** The latest version, or that of the given number. */
const wanted = async (context: CommandContext, args: Arguments): Promise<Json.Fields> => {
  const [text] = args.positionals
  if (text === undefined) return Json.object(await (await context.api()).call("trustPolicy.get"))
  if (!/^[1-9]\d{0,8}$/.test(text)) throw usage(`a version has a number, not \`${text}\``)
  const found = (await versionsOf(context)).find(({ version }) => version === Number(text))
  if (found !== undefined) return found
  throw new CommandFailure("missing", `the trust policy has no version ${text}`, {
    hint: "see: attestry trust versions"
  })
}

/** The end of a key as a time, also on a terminal: it was written as one. */
const endOf = (seconds: unknown): string => {
  const millis = Json.number(seconds) * 1_000
  return Math.abs(millis) > 8.64e15 ? String(seconds) : new Date(millis).toISOString()
}

const keyText = ({ algorithm, id, valid_until }: Json.Fields, style: Style): string => {
  const end = valid_until === null ? "" : `, until ${endOf(valid_until)}`
  return `${style.text(id)} (${algorithm === null ? "unknown algorithm" : style.text(algorithm)}${end})`
}

const described = (value: Json.Fields, style: Style): ReadonlyArray<string> =>
  Table.lines([
    ["version", style.text(value.version)],
    ["comment", style.text(value.comment)],
    ["saved by", style.text(value.created_by)],
    ["saved", style.instant(value.timestamp)],
    ["rules", style.text(value.rules)],
    ...Json.objects(value.keys).map((key, at) => [at === 0 ? "keys" : "", keyText(key, style)])
  ])

/** The lines of a text; a file that they are written to has its bytes. */
const linesOf = (text: string, style: Style): ReadonlyArray<string> =>
  text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => (style.isTerminal ? style.text(line) : line))

/** Shows the trust policy, or its text. */
export const get: CommandModule = {
  run: async (context, args) => {
    const value = await wanted(context, args)
    const text = Json.text(value.trust_yaml) ?? ""
    const isText = args.text("as") === "yaml"
    return {
      value,
      quiet: String(value.version),
      lines: (style) =>
        isText ? linesOf(text, style) : [...described(value, style), "", ...linesOf(text, style)]
    }
  }
}

/** Saves the trust policy. */
export const put: CommandModule = {
  run: async (context, args) => {
    const [file = ""] = args.positionals
    const text = await readText(context.host, file)
    const { problems } = DocumentLint.trustPolicy(text, context.host.now() / 1_000)
    if (problems.length > 0)
      throw new CommandFailure("usage", `${file} is no valid trust policy`, {
        errors: Object.fromEntries(
          problems.map(({ line, column, message }) => [`${file}:${line}:${column}`, message])
        )
      })
    return Write.perform(context, args, {
      noun: "trust-policy",
      name: "of the org",
      operation: "trustPolicy.put",
      call: { payload: present({ trust_yaml: text, comment: args.text("comment") }) }
    })
  }
}

/** Lists the versions of the trust policy. */
export const versions: CommandModule = {
  run: async (context) => {
    const items = await versionsOf(context)
    return {
      value: items,
      items,
      quiet: items.map(({ version }) => String(version)).join("\n"),
      lines: (style) =>
        items.length === 0
          ? ["there is no trust policy"]
          : Table.lines([
              ["VERSION", "SAVED", "BY", "RULES", "KEYS", "COMMENT"].map((heading) =>
                style.tint("bold", heading)
              ),
              ...items.map((item) => [
                style.text(item.version),
                style.instant(item.timestamp),
                style.text(item.created_by),
                style.text(item.rules),
                String(Json.list(item.keys).length),
                style.text(item.comment)
              ])
            ])
    }
  }
}

/** Finds the problems of files, and remarks about them. */
export const lint: CommandModule = {
  run: async (context, args) => {
    const files: Array<LintedFile> = []
    for (const file of args.positionals) {
      const text = await readText(context.host, file)
      const found = DocumentLint.trustPolicy(text, context.host.now() / 1_000)
      files.push({ file, kind: "trust-policy", ...found })
    }
    await announce(context, args, announcementOf(files, "attestry trust lint"))
    return resultOf(args, files)
  }
}
