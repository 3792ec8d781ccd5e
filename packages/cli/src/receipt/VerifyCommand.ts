/** `attestry receipt verify FILE`: checks the receipt of a decision. It sends no request. */
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import type { Expected } from "@attestry/core/Receipt"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Either from "effect/Either"
import * as ArtifactArgument from "../artifact/ArtifactArgument.js"
import type { Arguments } from "../shared/Arguments.js"
import { unreadable, usage } from "../shared/CommandFailure.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import type { Host } from "../shared/Host.js"
import * as ReceiptCheck from "./ReceiptCheck.js"
import * as ReceiptKeys from "./ReceiptKeys.js"

const SHA256 = /^[0-9a-f]{64}$/

const read = (host: Host, file: string): string => {
  try {
    return readFileSync(resolve(host.cwd, file), "utf8")
  } catch (cause) {
    throw unreadable(`${file} cannot be read`, undefined, cause)
  }
}

/** What the caller expects. Without a subject any artifact will do, so people are told what it is about. */
const expectedBy = (host: Host, args: Arguments): Expected => {
  const keys = ReceiptKeys.given(host, args)
  if (keys.length === 0) {
    throw usage(
      "--keys or --verifier is missing: the keys that you trust",
      "keep the answer of GET /api/v2/keys?org=ORG, or copy a key from `attestry get log`"
    )
  }
  const subject = args.text("fingerprint")
  const policies = args.text("policies-sha256")
  if (policies !== undefined && !SHA256.test(policies)) {
    throw usage(`--policies-sha256: \`${policies}\` is no digest: it has 64 hexadecimal characters`)
  }
  const [environment, resource] = [args.text("environment"), args.text("resource")]
  const [maxAge, logSize] = [args.duration("max-age"), args.number("log-size")]
  return {
    keys,
    now: Timestamp.fromMillis(host.now()),
    ...(subject === undefined ? {} : { subject: ArtifactArgument.parseFingerprint(subject) }),
    ...(environment === undefined ? {} : { environment }),
    ...(resource === undefined ? {} : { resource }),
    ...(policies === undefined ? {} : { policies }),
    ...(args.has("earlier") ? { allowsEarlier: true } : {}),
    ...(maxAge === undefined ? {} : { maxAge: maxAge * 1_000 }),
    ...(logSize === undefined ? {} : { logSize })
  }
}

/** The result of a check, also for the tools of assistants. */
export const resultOf = async (
  text: string,
  expected: Expected
): ReturnType<CommandModule["run"]> => {
  const verified = await ReceiptCheck.verify(text, expected)
  const schema = "attestry.cli/receipt-verify/v1"
  if (Either.isLeft(verified)) {
    const refusal = verified.left
    const problem = ReceiptCheck.REFUSALS[refusal]
    return {
      exit: "no",
      value: { schema, verified: false, refusal, problem },
      quiet: "not verified",
      lines: (style) => [style.tint("red", "not verified"), style.text(problem)]
    }
  }
  const { keys, receipt } = verified.right
  return {
    exit: "done",
    value: {
      schema,
      verified: true,
      refusal: null,
      problem: null,
      ...ReceiptCheck.toFields(receipt),
      keys
    },
    quiet: "verified",
    lines: (style) => [style.tint("green", "verified"), ...ReceiptCheck.toLines(receipt, style)]
  }
}

/** Runs `attestry receipt verify`. */
export const run: CommandModule["run"] = async ({ host }, args) =>
  resultOf(read(host, args.positionals[0] ?? ""), expectedBy(host, args))
