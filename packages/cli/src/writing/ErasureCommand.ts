/**
 * `attestry erase TEXT`: erases personal data from the entries of the evidence log and from the records that follow
 * from them, for good. The places are shown before they are confirmed; `--dry-run` shows them alone.
 */
import { readText } from "../attestation/EvidenceFields.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { usage } from "../shared/CommandFailure.js"
import type { CommandResult } from "../shared/CommandResult.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import { confirm } from "../shared/Confirmation.js"
import * as Json from "../shared/Json.js"
import type { Style } from "../shared/Style.js"

/** The members of `--entry ENTRY=/POINTER`, by entry. */
const entriesOf = (args: Arguments): ReadonlyArray<Json.Fields> => {
  const pointers = new Map<string, ReadonlyArray<string>>()
  for (const [entry, pointer] of args.pairs("entry")) {
    if (!pointer.startsWith("/"))
      throw usage(`--entry expects ENTRY=/POINTER, not \`${entry}=${pointer}\``)
    pointers.set(entry, [...(pointers.get(entry) ?? []), pointer])
  }
  return [...pointers].map(([entry, all]) => ({ entry, pointers: all }))
}

const subjectOf = async ({ host }: CommandContext, args: Arguments): Promise<Json.Fields> => {
  const entries = entriesOf(args)
  const [text] = args.positionals
  if ((text === undefined) === (entries.length === 0))
    throw usage("give either TEXT or --entry", "see: attestry erase --help")
  if (text === undefined) return { entries }
  const value = text === "-" ? (await readText(host, "-")).replace(/\r?\n$/, "") : text
  if (value === "") throw usage("the text to erase is empty")
  return { value }
}

const countOf = (places: unknown): number =>
  Json.objects(places).reduce((sum, { pointers }) => sum + Json.list(pointers).length, 0)

const placeLines = (places: unknown, style: Style): ReadonlyArray<string> =>
  Json.objects(places).flatMap(({ entry, pointers }) =>
    Json.list(pointers).map((pointer) => `  ${style.text(entry)} ${style.text(pointer)}`)
  )

const plural = (count: number): string => `${count} value${count === 1 ? "" : "s"}`

const searchedText = (searched: unknown): string => {
  if (!Json.isObject(searched)) return ""
  const { entries, files, complete } = searched
  const rest = complete === true ? "" : "; there are more: run it again afterwards"
  return `searched ${entries} entries and ${files} files${rest}`
}

const linesOf = (answer: Json.Fields, style: Style): ReadonlyArray<string> => {
  const verb = answer.preview === true ? "would erase" : "erased"
  const searched = searchedText(answer.searched)
  const kept = placeLines(answer.kept, style)
  return [
    `${verb} ${plural(countOf(answer.erased))}`,
    ...placeLines(answer.erased, style),
    ...(kept.length === 0 ? [] : ["the text stays here, where nothing can be erased:", ...kept]),
    ...(searched === "" ? [] : [searched])
  ]
}

const resultOf = (answer: Json.Fields): CommandResult => ({
  value: { schema: "attestry.cli/erasure/v1", ...answer },
  quiet: String(countOf(answer.erased)),
  lines: (style) => linesOf(answer, style)
})

/** Runs `attestry erase`. */
export const run: CommandModule["run"] = async (context, args) => {
  const reason = args.required("reason")
  const subject = await subjectOf(context, args)
  const files = args.has("files") ? { files: true } : {}
  const api = await context.api()
  const ask = async (preview: boolean): Promise<Json.Fields> =>
    Json.object(await api.call("log.erase", { payload: { ...subject, ...files, reason, preview } }))
  const found = await ask(true)
  const count = countOf(found.erased)
  if (args.has("dry-run") || count === 0) return resultOf(found)
  await confirm(context, args, `${plural(count)} will be erased for good`)
  return resultOf(await ask(false))
}
