/** The keys by which receipts of decisions are checked: given ones, or those of the deployment. */
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import type { ReceiptKey } from "@attestry/core/Receipt"
import * as ReceiptKeySet from "@attestry/core/ReceiptKeySet"
import * as Option from "effect/Option"
import type { Arguments } from "../shared/Arguments.js"
import { CommandFailure, unreadable, usage } from "../shared/CommandFailure.js"
import type { Host } from "../shared/Host.js"
import type { Api } from "../transport/Api.js"

const ofFile = (host: Host, file: string): ReadonlyArray<ReceiptKey> => {
  const path = resolve(host.cwd, file)
  const text = (() => {
    try {
      return readFileSync(path, "utf8")
    } catch (cause) {
      throw unreadable(`${file} cannot be read`, undefined, cause)
    }
  })()
  return Option.getOrThrowWith(ReceiptKeySet.parse(text), () =>
    unreadable(`${file} has no keys: it should be a JWK set, or lines with NAME+ID+BASE64`)
  )
}

/** The keys of the command line: those of `--keys` and of each `--verifier`. */
export const given = (host: Host, args: Arguments): ReadonlyArray<ReceiptKey> => {
  const file = args.text("keys")
  const named = args
    .texts("verifier")
    .flatMap((text) =>
      Option.getOrThrowWith(ReceiptKeySet.parse(text), () =>
        usage(`--verifier: \`${text}\` is no key`, "a key is NAME+ID+BASE64")
      )
    )
  return [...(file === undefined ? [] : ofFile(host, file)), ...named]
}

/** The keys that the deployment lists for the org, as a JWK set and as keys. */
export const ofServer = async (api: Api): Promise<ReadonlyArray<ReceiptKey>> => {
  const { bytes } = await api.answer("log.keys", { urlParams: { org: await api.org() } })
  return Option.getOrThrowWith(
    ReceiptKeySet.parse(new TextDecoder().decode(bytes)),
    () => new CommandFailure("unanswered", "the deployment lists no key of this log")
  )
}
