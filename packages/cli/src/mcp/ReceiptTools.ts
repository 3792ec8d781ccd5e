/** The tools about proofs: receipts of decisions, proofs of records, and where audit packages are. */
import * as ReceiptKeySet from "@attestry/core/ReceiptKeySet"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as PageAddress from "../reading/PageAddress.js"
import * as ReceiptKeys from "../receipt/ReceiptKeys.js"
import * as VerifyCommand from "../receipt/VerifyCommand.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { usage } from "../shared/CommandFailure.js"
import type { Fields } from "../shared/Json.js"
import * as Json from "../shared/Json.js"
import * as SnapshotArgument from "../snapshot/SnapshotArgument.js"
import type { Api } from "../transport/Api.js"
import { type Line, needed, type Tool, text, textOf, texts } from "./Tool.js"

const FINGERPRINT = "The fingerprint of an artifact: 64 hexadecimal characters."

const Envelope = Schema.Struct({
  payloadType: Schema.String,
  payload: Schema.String,
  signatures: Schema.Array(Schema.Struct({ keyid: Schema.String, sig: Schema.String }))
}).annotations({ description: "The receipt, as other tools answer it in `receipt`." })

/** The command line for a receipt; a snapshot or a fingerprint names the subject. */
export const receiptLine = (input: Fields): Line => {
  const [fingerprint, snapshot] = [textOf(input, "fingerprint"), textOf(input, "snapshot")]
  if (snapshot !== undefined) {
    return { words: ["receipt", "get"], positionals: [snapshot], flags: { fingerprint } }
  }
  if (fingerprint === undefined) throw usage("give fingerprint, snapshot or both")
  const policies = Json.list(input.policies).map(String)
  return {
    words: ["receipt", "get"],
    positionals: [fingerprint],
    flags: {
      environment: textOf(input, "environment"),
      flow: textOf(input, "flow"),
      policy: policies.length === 0 ? undefined : policies
    }
  }
}

/** Checks by the given keys, else by those of the deployment. */
const check = async (input: Fields, { api, host }: CommandContext): Promise<unknown> => {
  const given = textOf(input, "keys")
  const keys =
    given === undefined
      ? await ReceiptKeys.ofServer(await api())
      : Option.getOrThrowWith(ReceiptKeySet.parse(given), () =>
          usage("keys has no keys", "give a JWK set, or lines with NAME+ID+BASE64")
        )
  const environment = textOf(input, "environment")
  const result = await VerifyCommand.resultOf(JSON.stringify(input.receipt), {
    keys,
    now: Timestamp.fromMillis(host.now()),
    subject: String(input.fingerprint),
    ...(environment === undefined ? {} : { environment })
  })
  return result.value
}

/** The snapshot by its number, which means the same later. */
const numbered = async (api: Api, snapshot: string): Promise<string> => {
  const { environment: env_name, expression: snapshot_expression } =
    SnapshotArgument.parse(snapshot)
  const found = await api.call("snapshot.rows", {
    path: { env_name, snapshot_expression },
    urlParams: { per_page: 0 }
  })
  return `${env_name}#${Json.number(Json.object(found).index)}`
}

/** Where the package of a thing is; fails if there is no such thing. */
const locatePackage = async (input: Fields, context: CommandContext): Promise<unknown> => {
  const api = await context.api()
  const org = await api.org()
  const located = (thing: string, shown: string) => ({
    command: `attestry audit package ${thing}`,
    page: PageAddress.of(api.url, org, shown)
  })
  const [flow_name, fingerprint] = [textOf(input, "flow"), textOf(input, "fingerprint")]
  const [snapshot, trail_name] = [textOf(input, "snapshot"), textOf(input, "trail")]
  const given = [snapshot, trail_name, fingerprint].filter((each) => each !== undefined)
  if (given.length !== 1) throw usage("give one of snapshot, trail and fingerprint")
  if (snapshot !== undefined) {
    const thing = await numbered(api, snapshot)
    return located(thing, thing)
  }
  if (flow_name === undefined) throw usage("give flow with trail or fingerprint")
  if (trail_name !== undefined) {
    await api.call("trail.get", { path: { flow_name, trail_name } })
    return located(`${flow_name}/${trail_name}`, `${flow_name}/${trail_name}`)
  }
  const whole = fingerprint ?? ""
  await api.call("artifact.get", { path: { flow_name, fingerprint: whole } })
  return located(`${flow_name}@${whole}`, whole)
}

/** The tools about receipts. */
export const RECEIPT_TOOLS: ReadonlyArray<Tool> = [
  {
    effects: "reads",
    name: "get_receipt",
    title: "Make a signed receipt of a verdict",
    description:
      "Makes a receipt of the verdict about an artifact or a snapshot, signed by the log of the org: others can " +
      "check it without this server. Give `fingerprint`, `snapshot`, or both for one artifact of a snapshot.",
    input: Schema.Struct({
      fingerprint: text(FINGERPRINT),
      snapshot: text("A snapshot: `prod`, `prod#12`, `prod~1` or `prod@{2.days.ago}`."),
      environment: text("With `fingerprint`: evaluate by the policies of this environment."),
      policies: texts("With `fingerprint`: evaluate by these policies."),
      flow: text("With `fingerprint`: the only flow to look at.")
    }),
    line: receiptLine
  },
  {
    effects: "reads",
    name: "check_receipt",
    title: "Check a signed receipt of a verdict",
    description:
      "Says whether a receipt is true and says that this artifact is compliant, and why not: another artifact or " +
      "environment, a changed byte, an unknown key, or one that has ended.",
    input: Schema.Struct({
      receipt: Envelope,
      fingerprint: needed(FINGERPRINT),
      environment: text("The environment that it must be decided for."),
      keys: text(
        "The keys to trust: a JWK set, or lines with NAME+ID+BASE64; by default those of this org."
      )
    }),
    compute: check
  },
  {
    effects: "reads",
    name: "prove_record",
    title: "Prove that something was recorded",
    description:
      "The receipt of the entry that recorded an attestation, an artifact or a snapshot, with the proof that the log " +
      "of the org includes it. It is checked before it is answered; `attestry log verify` checks it elsewhere.",
    input: Schema.Struct({
      record: needed(
        "The id of an attestation, the fingerprint of an artifact, a snapshot such as `prod#12`, or an entry."
      ),
      flow: text("With a fingerprint: the only flow to look at.")
    }),
    line: (input) => ({
      words: ["log", "receipt"],
      positionals: [String(input.record)],
      flags: { flow: textOf(input, "flow") }
    })
  },
  {
    effects: "reads",
    name: "find_audit_package",
    title: "Say where an audit package is",
    description:
      "The command that downloads and checks everything about a snapshot, a trail or an artifact as one file for an " +
      "auditor, and the page that has its button. It downloads nothing. Give `snapshot`, or `flow` with `trail` or " +
      "`fingerprint`.",
    input: Schema.Struct({
      snapshot: text("A snapshot: `prod`, `prod#12`, `prod~1` or `prod@{2.days.ago}`."),
      flow: text("The flow of the trail or the artifact."),
      trail: text("The name of a trail."),
      fingerprint: text(FINGERPRINT)
    }),
    compute: locatePackage
  }
]
