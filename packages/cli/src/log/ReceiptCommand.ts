/**
 * `attestry log receipt THING`: the receipt of the entry that recorded an attestation, an artifact or a snapshot, or
 * of an entry by id. The receipt is verified before it is printed.
 */
import { writeFileSync } from "node:fs"
import { resolve } from "node:path"
import * as InclusionReceipt from "@attestry/core/InclusionReceipt"
import * as SignedNote from "@attestry/transparency-log/SignedNote"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { Arguments } from "../shared/Arguments.js"
import { CommandFailure, unreadable, usage } from "../shared/CommandFailure.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import type { Host } from "../shared/Host.js"
import * as Json from "../shared/Json.js"
import * as SnapshotArgument from "../snapshot/SnapshotArgument.js"
import type { Api } from "../transport/Api.js"
import * as LogKeys from "./LogKeys.js"
import { serverKeys } from "./PullCommand.js"

/** How long to wait for the inclusion of an entry, in seconds. */
const WAIT = 10

const ENTRY = /^[0-9a-f]{16}$/
const FINGERPRINT = /^[0-9a-f]{64}$/
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{8,12}$/

/** The query for the subject's entries. */
const queryOf = async (api: Api, args: Arguments, thing: string): Promise<Json.Fields> => {
  const flow = args.text("flow")
  if (FINGERPRINT.test(thing)) {
    return { fingerprint: thing, ...(flow === undefined ? {} : { flow_name: flow }) }
  }
  if (flow !== undefined) throw usage("--flow is for a fingerprint")
  if (ID.test(thing)) return { attestation_id: thing }
  const { environment, expression } = SnapshotArgument.parse(thing)
  const found = await api.call("snapshot.get", {
    path: { env_name: environment, snapshot_expression: expression }
  })
  return { env_name: environment, snapshot: Json.object(found).index }
}

/** The id of the subject's newest entry. */
const entryOf = async (api: Api, args: Arguments, thing: string): Promise<string> => {
  if (ENTRY.test(thing)) return thing
  const urlParams = await queryOf(api, args, thing)
  const [newest] = Json.objects(Json.object(await api.call("log.recorded", { urlParams })).entries)
  if (newest === undefined) {
    throw new CommandFailure("missing", `there is no entry of \`${thing}\` in the log`)
  }
  return String(newest.entry)
}

/** Whether a receipt has a checkpoint; receipts of an unsigned log have none. */
const hasCheckpoint = (body: unknown, text: string): boolean => {
  const { checkpoint } = Json.object(body)
  return checkpoint === undefined ? !text.endsWith("\n\n") : checkpoint !== null
}

/** The receipt as the deployment returned it, and its proof. */
const receiptOf = async (api: Api, entry: string, format: string) => {
  const { bytes, body } = await api.answer("log.receipt", {
    path: { entry },
    urlParams: { format, wait: WAIT }
  })
  const text = new TextDecoder().decode(bytes)
  if (Json.object(body).status === "pending") {
    throw new CommandFailure("unanswered", `no checkpoint includes entry ${entry} yet`)
  }
  if (!hasCheckpoint(body, text)) {
    // WHY this request: its refusal has the reason, as `attestry log pull` shows it.
    await api.answer("log.checkpoint")
    throw new CommandFailure("unanswered", `no checkpoint includes entry ${entry} yet`)
  }
  const checked = Option.map(InclusionReceipt.parse(text), (receipt) => ({
    note: receipt.checkpoint,
    proved: InclusionReceipt.check(receipt)
  }))
  if (Option.isNone(checked) || Either.isLeft(checked.value.proved)) {
    throw new CommandFailure("no", `the receipt of entry ${entry} does not prove it`)
  }
  const { note, proved } = checked.value
  return { text, body, note, proved: proved.right }
}

const save = (host: Host, file: string, text: string): void => {
  try {
    writeFileSync(resolve(host.cwd, file), text, { flag: "wx" })
  } catch (cause) {
    throw unreadable(`${file} cannot be written, or is there already`, undefined, cause)
  }
}

/** Runs `attestry log receipt`. */
export const run: CommandModule["run"] = async ({ api, host }, args) => {
  const deployment = await api()
  const entry = await entryOf(deployment, args, args.positionals[0] ?? "")
  const format = args.text("format") ?? "json"
  const { text, body, note, proved } = await receiptOf(deployment, entry, format)
  const given = LogKeys.ofFlags(args.texts("verifier"))
  const keys = given.length > 0 ? given : await serverKeys(deployment)
  if ((await LogKeys.open(note, keys)) === undefined) {
    throw new CommandFailure("no", `the checkpoint of entry ${entry} is not signed by the key`)
  }
  const file = args.text("to-file")
  if (file !== undefined) save(host, file, text)
  const { index, checkpoint, said } = proved
  return {
    value:
      format === "json" ? body : { schema: "attestry.cli/log-receipt/v1", entry, tlog_proof: text },
    quiet: entry,
    lines: (style) =>
      file === undefined && format === "tlog-proof"
        ? text.replace(/\n$/, "").split("\n").map(style.text)
        : [
            `entry ${entry}: ${style.text(Json.object(said.shown.facts).kind ?? "withheld")}`,
            `index ${index} of ${checkpoint.size} in ${style.text(checkpoint.origin)}`,
            `recorded ${style.instant(said.at / 1_000_000)}`,
            ...keys.map((key) => `key ${style.text(SignedNote.printKey(key))}`),
            ...(file === undefined ? [] : [`saved ${style.text(file)}`])
          ]
  }
}
