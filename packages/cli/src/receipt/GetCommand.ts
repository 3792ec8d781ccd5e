/**
 * `attestry receipt get THING`: the receipt of a verdict, about an artifact or a snapshot. It is checked before it is
 * printed or saved, whatever the verdict is.
 */
import { writeFileSync } from "node:fs"
import { resolve } from "node:path"
import * as Receipt from "@attestry/core/Receipt"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ArtifactArgument from "../artifact/ArtifactArgument.js"
import * as AsOf from "../history/AsOf.js"
import type { Arguments } from "../shared/Arguments.js"
import { CommandFailure, unreadable, usage } from "../shared/CommandFailure.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import type { Host } from "../shared/Host.js"
import * as SnapshotArgument from "../snapshot/SnapshotArgument.js"
import type { Api, Call } from "../transport/Api.js"
import * as ReceiptCheck from "./ReceiptCheck.js"
import * as ReceiptKeys from "./ReceiptKeys.js"

const FINGERPRINT = /^[0-9a-f]{64}$/

const given = (args: Arguments, ...flags: ReadonlyArray<string>): string | undefined =>
  flags.find((flag) => args.text(flag) !== undefined || args.texts(flag).length > 0)

const ofArtifact = (host: Host, args: Arguments, fingerprint: string): [string, Call] => {
  if (args.text("fingerprint") !== undefined) throw usage("--fingerprint is for a snapshot")
  const environment = args.text("environment")
  const policies = args.texts("policy")
  if (environment !== undefined && policies.length > 0)
    throw usage("--environment and --policy cannot stand together")
  const valid = args.duration("valid-for")
  const flow = args.text("flow")
  const urlParams = {
    ...(environment === undefined ? {} : { environment_name: environment }),
    ...(policies.length === 0 ? {} : { policy_name: policies }),
    ...(flow === undefined ? {} : { flow_name: flow }),
    ...(valid === undefined ? {} : { expires_in: Math.round(valid / 1_000) }),
    ...AsOf.query(host, args),
    predicate: args.text("predicate") ?? "vsa"
  }
  return ["receipt.assertion", { path: { fingerprint }, urlParams }]
}

const ofSnapshot = (args: Arguments, thing: string): [string, Call] => {
  const wrong = given(args, "environment", "policy", "flow", "valid-for", "as-of")
  if (wrong !== undefined) throw usage(`--${wrong} is for a fingerprint`)
  const { environment, expression } = SnapshotArgument.parse(thing)
  const row = args.text("fingerprint")
  return [
    "receipt.snapshot",
    {
      path: { env_name: environment, snapshot_expression: expression },
      urlParams: {
        ...(row === undefined ? {} : { fingerprint: ArtifactArgument.parseFingerprint(row) }),
        predicate: args.text("predicate") ?? "vsa"
      }
    }
  ]
}

/** Fails if the receipt does not verify. A receipt of a failing verdict passes. */
const checked = async (text: string, keys: ReadonlyArray<Receipt.ReceiptKey>, now: number) => {
  const expected = { keys, now: Timestamp.fromMillis(now), allowsEarlier: true }
  const verified = await ReceiptCheck.verify(text, expected)
  if (Either.isRight(verified)) return verified.right.receipt
  const said = Option.getOrUndefined(Receipt.read(text))
  if (verified.left === "failed" && said !== undefined) return said
  throw new CommandFailure(
    "no",
    `the receipt proves nothing: ${ReceiptCheck.REFUSALS[verified.left]}`
  )
}

const save = (host: Host, file: string, text: string): void => {
  try {
    writeFileSync(resolve(host.cwd, file), text, { flag: "wx" })
  } catch (cause) {
    throw unreadable(`${file} cannot be written, or is there already`, undefined, cause)
  }
}

/** The receipt of a decision, as the deployment answered it, and what it says. */
export const receiptOf = async (
  api: Api,
  [operation, call]: [string, Call],
  {
    host,
    keys
  }: {
    readonly host: Host
    readonly keys: ReadonlyArray<Receipt.ReceiptKey>
  }
) => {
  const { body, bytes } = await api.answer(operation, call)
  const text = new TextDecoder().decode(bytes)
  const trusted = keys.length > 0 ? keys : await ReceiptKeys.ofServer(api)
  return { body, text, receipt: await checked(text, trusted, host.now()) }
}

/** Runs `attestry receipt get`. */
export const run: CommandModule["run"] = async ({ api, host }, args) => {
  const thing = args.positionals[0] ?? ""
  const asked = FINGERPRINT.test(thing) ? ofArtifact(host, args, thing) : ofSnapshot(args, thing)
  const keys = ReceiptKeys.given(host, args)
  const { body, receipt, text } = await receiptOf(await api(), asked, { host, keys })
  const file = args.text("to-file")
  if (file !== undefined) save(host, file, text)
  return {
    value: body,
    quiet: receipt.verdict,
    lines: (style) => [
      ...ReceiptCheck.toLines(receipt, style),
      ...(file === undefined ? [] : [`saved ${style.text(file)}`])
    ]
  }
}
