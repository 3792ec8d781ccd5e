/**
 * `attestry log chain FINGERPRINT`: every entry about the trails of an artifact, and whether none is missing. The
 * newest entries are those that a signed receipt names.
 */
import * as SignedNote from "@attestry/transparency-log/SignedNote"
import * as ArtifactArgument from "../artifact/ArtifactArgument.js"
import * as GetCommand from "../receipt/GetCommand.js"
import * as ReceiptKeys from "../receipt/ReceiptKeys.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Json from "../shared/Json.js"
import type { Style } from "../shared/Style.js"
import type { Api } from "../transport/Api.js"
import * as Chain from "./Chain.js"

/** The indexes at which the log recorded the artifact, as far as the receipt knows the log. */
const recordedIn = async (
  api: Api,
  urlParams: Json.Fields,
  size: number
): Promise<ReadonlyArray<number>> =>
  Json.objects(Json.object(await api.call("log.recorded", { urlParams })).entries).flatMap(
    ({ index }) => (typeof index === "number" && index < size ? [index] : [])
  )

const linesOf = ({ links, problem, subject }: Chain.Chain, style: Style): ReadonlyArray<string> => [
  `${style.text(subject.type)} ${style.text(subject.id)}`,
  ...[...links]
    .reverse()
    .map(
      ({ at, entry, index, kind }) =>
        `  ${index} ${style.text(kind)} ${style.instant(at)} ${style.text(entry)}`
    ),
  ...(problem === null ? [] : [style.text(problem)])
]

/** Runs `attestry log chain`. */
export const run: CommandModule["run"] = async ({ api, host }, args) => {
  const deployment = await api()
  const fingerprint = ArtifactArgument.parseFingerprint(args.positionals[0] ?? "")
  const flow = args.text("flow")
  const flowParams = flow === undefined ? {} : { flow_name: flow }
  const given = ReceiptKeys.given(host, args)
  const trusted = given.length > 0 ? given : await ReceiptKeys.ofServer(deployment)
  const { receipt } = await GetCommand.receiptOf(
    deployment,
    ["receipt.assertion", { path: { fingerprint }, urlParams: flowParams }],
    { host, keys: trusted }
  )
  const keys = trusted.map(({ origin, publicKey }) => ({
    name: origin,
    type: SignedNote.ED25519,
    publicKey
  }))
  const chains: Array<Chain.Chain> = []
  for (const end of receipt.chain) chains.push(await Chain.follow(deployment, end, keys))
  const found = new Set(chains.flatMap(({ links }) => links.map(({ index }) => index)))
  const recorded = await recordedIn(deployment, { fingerprint, ...flowParams }, receipt.log.size)
  const missing = recorded.find((index) => !found.has(index))
  const problem =
    chains.find((chain) => chain.problem !== null)?.problem ??
    (missing === undefined ? null : `the entry at index ${missing} is in no chain`)
  return {
    exit: problem === null ? "done" : "no",
    value: {
      schema: "attestry.cli/log-chain/v1",
      fingerprint,
      complete: problem === null,
      problem,
      log: receipt.log,
      chains
    },
    quiet: problem === null ? "complete" : "not complete",
    lines: (style) => [
      problem === null ? style.tint("green", "complete") : style.tint("red", "not complete"),
      ...chains.flatMap((chain) => linesOf(chain, style)),
      ...(missing === undefined ? [] : [`the entry at index ${missing} is in no chain`]),
      `log ${style.text(receipt.log.origin)}, size ${receipt.log.size}`
    ]
  }
}
