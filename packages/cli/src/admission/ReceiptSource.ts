/**
 * Asks the deployment for the receipt of a verdict about a digest, and believes it only if the keys of the log signed
 * it for this digest and this scope. For a verdict that is no, it asks for the reasons and the remedies too.
 */
import * as Receipt from "@attestry/core/Receipt"
import * as ShellWord from "@attestry/core/ShellWord"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Reasons from "../assertion/Reasons.js"
import * as ReceiptCheck from "../receipt/ReceiptCheck.js"
import * as ReceiptKeys from "../receipt/ReceiptKeys.js"
import { CommandFailure } from "../shared/CommandFailure.js"
import type { Host } from "../shared/Host.js"
import * as Json from "../shared/Json.js"
import type { Api } from "../transport/Api.js"
import type { Reason, Scope } from "./AdmissionPolicy.js"
import type { DeploymentAccess } from "./DeploymentAccess.js"
import type { Verdict } from "./ReceiptCache.js"

/** How receipts are asked for and checked. */
export interface ReceiptSourceOptions {
  readonly host: Host
  readonly access: DeploymentAccess
  /** The keys to trust; with none, those that the deployment lists. */
  readonly keys: ReadonlyArray<Receipt.ReceiptKey>
  readonly validMs: number
}

/** Asks about a digest. */
export type ReceiptSource = (scope: Scope, digest: string) => Promise<Verdict>

const KEYS_MS = 3_600_000

/** The parameters of a request that say what decides. */
export const paramsOf = (scope: Scope) =>
  scope.type === "environment"
    ? { environment_name: scope.environment }
    : { policy_name: scope.policies }

const untrusted = (why: string): CommandFailure =>
  new CommandFailure("unanswered", `the receipt proves nothing: ${why}`)

/** The reasons of a verdict that is no; none if they cannot be learnt. */
const reasonsOf = async (
  api: Api,
  scope: Scope,
  digest: string
): Promise<ReadonlyArray<Reason>> => {
  const urlParams = paramsOf(scope)
  // WHY: the verdict holds without its reasons, and the denial names the command that shows them.
  const answer = await api
    .call("assertion.assert", { path: { fingerprint: digest }, urlParams })
    .catch(() => undefined)
  return Reasons.ofAssertion(Json.object(answer), digest).map(
    ({ command, description, policy_name }) => ({
      text: policy_name === null ? description : `${description} [policy ${policy_name}]`,
      remedy: command === null ? undefined : ShellWord.line(command)
    })
  )
}

const isFor = (receipt: Receipt.ReceiptClaims, scope: Scope): boolean => {
  if (scope.type === "environment") return receipt.environment === scope.environment
  const decided = new Set(receipt.policies.map(({ name }) => name))
  return (
    receipt.environment === null &&
    decided.size === new Set(scope.policies).size &&
    scope.policies.every((name) => decided.has(name))
  )
}

/** The keys that the deployment lists, kept for an hour. */
const listedKeys = (host: Host) => {
  const kept: { keys?: Promise<ReadonlyArray<Receipt.ReceiptKey>>; untilMs: number } = {
    untilMs: 0
  }
  return (api: Api, isAnew: boolean): Promise<ReadonlyArray<Receipt.ReceiptKey>> => {
    if (kept.keys === undefined || isAnew || host.now() >= kept.untilMs) {
      kept.untilMs = host.now() + KEYS_MS
      kept.keys = ReceiptKeys.ofServer(api).catch((cause: unknown) => {
        kept.untilMs = 0
        throw cause
      })
    }
    return kept.keys
  }
}

/** A source of receipts. */
export const make = ({ host, access, keys, validMs }: ReceiptSourceOptions): ReceiptSource => {
  const listed = listedKeys(host)

  const checked = async (api: Api, text: string, digest: string) => {
    const check = async (trusted: ReadonlyArray<Receipt.ReceiptKey>) =>
      ReceiptCheck.verify(text, {
        keys: trusted,
        now: Timestamp.fromMillis(host.now()),
        subject: digest,
        org: await api.org()
      })
    if (keys.length > 0) return check(keys)
    const verified = await check(await listed(api, false))
    const isNewKey = Either.isLeft(verified) && verified.left === "unknown-key"
    return isNewKey ? check(await listed(api, true)) : verified
  }

  const ask: ReceiptSource = async (scope, digest) => {
    const api = await access.api()
    const { bytes } = await api.answer("receipt.assertion", {
      path: { fingerprint: digest },
      urlParams: {
        ...paramsOf(scope),
        expires_in: Math.round(validMs / 1_000),
        predicate: "vsa"
      }
    })
    const text = new TextDecoder().decode(bytes)
    const verified = await checked(api, text, digest)
    if (Either.isLeft(verified) && verified.left !== "failed")
      throw untrusted(ReceiptCheck.REFUSALS[verified.left])
    // `failed` is the last of the checks: all else about the receipt is true.
    const receipt = Either.isRight(verified)
      ? verified.right.receipt
      : Option.getOrThrow(Receipt.read(text))
    if (receipt.expiresAt === null || !isFor(receipt, scope))
      throw untrusted("it was decided for something else")
    const isCompliant = Either.isRight(verified)
    const names = receipt.policies.map(({ name }) => name).join(", ")
    const verdict = receipt.verdict === "Unknown" ? "its compliance is not known" : "not compliant"
    return {
      isCompliant,
      why: names === "" ? verdict : `${verdict} by ${names}`,
      reasons: isCompliant ? [] : await reasonsOf(api, scope, digest),
      endsMs: Timestamp.toSeconds(receipt.expiresAt) * 1_000
    }
  }

  return (scope, digest) =>
    ask(scope, digest).catch((failure: unknown) => {
      if (failure instanceof CommandFailure && failure.word === "denied") access.forget()
      throw failure
    })
}
