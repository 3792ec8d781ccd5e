/** `attestry admit`: answers the reviews of Kubernetes API servers until the process is asked to stop. */
import * as Either from "effect/Either"
import { fingerprintOf } from "../artifact/OciRegistry.js"
import * as ReceiptKeys from "../receipt/ReceiptKeys.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { usage } from "../shared/CommandFailure.js"
import type { CommandResult } from "../shared/CommandResult.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import { failureOf } from "../shared/Output.js"
import * as Admission from "./Admission.js"
import * as AdmissionLog from "./AdmissionLog.js"
import * as AdmissionMetrics from "./AdmissionMetrics.js"
import * as AdmissionReview from "./AdmissionReview.js"
import * as AdmissionRules from "./AdmissionRules.js"
import * as AdmissionServer from "./AdmissionServer.js"
import * as DeploymentAccess from "./DeploymentAccess.js"
import * as ExternalData from "./ExternalData.js"
import * as ImageDigests from "./ImageDigests.js"
import * as ReceiptCache from "./ReceiptCache.js"
import * as ReceiptSource from "./ReceiptSource.js"
import * as TlsFiles from "./TlsFiles.js"
import * as Turns from "./Turns.js"
import * as WaiverRequests from "./WaiverRequests.js"

const PORT = 8_443
const PORT_MAX = 65_535
const WITHIN_MS = 8_000
const VALID_MS = 900_000
const FRESH_MS = 60_000
const REFUSED_FRESH_MS = 10_000
const SILENCE_MS = 5_000
const TAG_MS = 30_000
const DIGESTS_MAX = 10_000
/** So many questions are asked of the deployment and of registries at once. */
const QUESTIONS_MAX = 16
const RELOAD_MS = 10_000

interface Options {
  readonly port: number
  readonly healthPort: number | undefined
  readonly withinMs: number
  readonly validMs: number
  readonly freshMs: number
  readonly cert: string
  readonly key: string
}

const portOf = (args: Arguments, flag: string): number | undefined => {
  const port = args.number(flag)
  // 0 is a free port.
  if (port !== undefined && port > PORT_MAX)
    throw usage(`--${flag} expects a port up to ${PORT_MAX}, not ${port}`)
  return port
}

const between = (
  args: Arguments,
  flag: string,
  { least, most, otherwise }: { least: number; most: number; otherwise: number }
): number => {
  const millis = args.duration(flag) ?? otherwise
  if (millis < least || millis > most)
    throw usage(`--${flag} is from ${least / 1_000}s to ${most / 1_000}s`)
  return millis
}

const optionsOf = ({ output }: CommandContext, args: Arguments): Options => {
  if (output.options.format === "json")
    throw usage("there is one result for each review: use --output jsonl")
  return {
    port: portOf(args, "port") ?? PORT,
    healthPort: portOf(args, "health-port"),
    withinMs: between(args, "answer-within", { least: 500, most: 29_000, otherwise: WITHIN_MS }),
    validMs: between(args, "valid-for", { least: 60_000, most: 86_400_000, otherwise: VALID_MS }),
    freshMs: between(args, "fresh-for", { least: 1_000, most: 86_400_000, otherwise: FRESH_MS }),
    cert: args.required("cert-file"),
    key: args.required("key-file")
  }
}

/** What is asked of others: digests of registries, receipts and waivers of the deployment. */
const sourcesOf = (
  context: CommandContext,
  args: Arguments,
  { options, signal }: { readonly options: Options; readonly signal: AbortSignal }
) => {
  const { output } = context
  const host = { ...context.host, signal }
  const { withinMs, freshMs, validMs } = options
  const access = DeploymentAccess.make(context, args, { timeoutMs: withinMs, signal })
  const turns = Turns.make(QUESTIONS_MAX)
  const keys = ReceiptKeys.given(host, args)
  const source = ReceiptSource.make({ host, access, keys, validMs })
  const receipts = ReceiptCache.make({
    now: host.now,
    ask: (key, digest) => turns(() => source(Admission.scopeOf(key), digest)),
    wordsOf: (failure) => failureOf(failure).message,
    sizeMax: DIGESTS_MAX,
    freshMs,
    refusedFreshMs: Math.min(freshMs, REFUSED_FRESH_MS),
    silenceMs: SILENCE_MS
  })
  const digests = ImageDigests.make({
    now: host.now,
    ask: (image) =>
      turns(async () => {
        const { caFile } = await context.settings()
        const registry = { caFile: caFile?.value, username: undefined, timeoutMs: withinMs }
        return fingerprintOf({ host, output, ...registry }, image)
      }),
    registries: args.texts("registry"),
    sizeMax: DIGESTS_MAX,
    freshMs: TAG_MS,
    silenceMs: SILENCE_MS
  })
  const waivers = WaiverRequests.make({ host, output }, access, signal)
  return { receipts, digests, waivers }
}

type Sources = ReturnType<typeof sourcesOf>

const handlersOf = (
  { host, output }: CommandContext,
  { receipts, digests, waivers }: Sources,
  {
    ruleOf,
    state
  }: { ruleOf: AdmissionRules.RuleOf; state: { endsMs: number; busy: () => number } }
): AdmissionServer.AdmissionHandlers => {
  const metrics = AdmissionMetrics.make()
  const admission = Admission.make({ ruleOf, digests, receipts, emergency: waivers.add })
  const malformed = (problem: string): AdmissionServer.Answer => {
    metrics.unread("malformed")
    return AdmissionServer.plain(400, problem)
  }
  const reviewed = async (
    request: AdmissionReview.AdmissionRequest,
    { beganMs, withinMs }: { readonly beganMs: number; readonly withinMs: number }
  ) => {
    const { decision, images } = await admission.review(request, withinMs)
    const answer = decision ?? { isAllowed: true, message: "", warnings: [], notes: {} }
    const printed = AdmissionReview.print(request.uid, answer)
    metrics.count(decision?.outcome ?? "ignored", performance.now() - beganMs)
    if (decision !== undefined && decision.outcome !== "allowed")
      output.result(AdmissionLog.resultOf({ request, decision, images, nowMs: host.now() }))
    return AdmissionServer.json(printed)
  }
  return {
    unread: metrics.unread,
    metrics: () =>
      metrics.text({
        receipts: receipts.counts,
        waivers: waivers.counts,
        inProgress: state.busy(),
        certificateEndsMs: state.endsMs
      }),
    review: async (text, withinMs) => {
      const beganMs = performance.now()
      const request = AdmissionReview.parse(text)
      return Either.isLeft(request)
        ? malformed(request.left)
        : reviewed(request.right, { beganMs, withinMs })
    },
    externalData: async (text, namespace, withinMs) => {
      const request = ExternalData.parse(text)
      if (Either.isLeft(request)) return malformed(request.left)
      const images = request.right.keys.map((image) => ({ image, place: "image" }))
      const found = await admission.findings(namespace, images, withinMs)
      return AdmissionServer.json(ExternalData.print(request.right, found))
    }
  }
}

/** Something that files have: taking it anew gives the words for a change; undefined without one. */
interface Reloaded {
  readonly take: () => Promise<string | undefined>
  warned: string
}

/** Takes a new certificate; the words for it, unless it is the same. */
const certificateOf = (
  host: CommandContext["host"],
  { cert, key }: Options,
  {
    first,
    use
  }: { readonly first: TlsFiles.TlsPair; readonly use: (pair: TlsFiles.TlsPair) => void }
): Reloaded => {
  let current = first
  return {
    warned: "",
    take: async () => {
      const next = TlsFiles.read(host, cert, key)
      if (TlsFiles.isSame(current, next)) return undefined
      use(next)
      current = next
      return `the certificate was changed; it ends ${new Date(next.endsMs).toISOString()}`
    }
  }
}

/** Takes new rules; the words for it, unless they are the same. */
const rulesOf = (
  host: CommandContext["host"],
  args: Arguments,
  use: (ruleOf: AdmissionRules.RuleOf) => void
): Reloaded => {
  let current = AdmissionRules.textOf(host, args)
  return {
    warned: "",
    take: async () => {
      const text = AdmissionRules.textOf(host, args)
      if (text === current) return undefined
      use(await AdmissionRules.read(host, args))
      current = text
      return "the rules were changed"
    }
  }
}

/** Takes what its files have whenever they change, until the process is asked to stop. */
const reload = async (
  { host, output }: CommandContext,
  all: ReadonlyArray<Reloaded>
): Promise<void> => {
  while (!host.signal.aborted) {
    // WHY: the end of the process ends the wait.
    await host.sleep(RELOAD_MS, host.signal).catch(() => undefined)
    if (host.signal.aborted) return
    for (const each of all)
      try {
        const taken = await each.take()
        each.warned = ""
        if (taken !== undefined) output.note(taken)
      } catch (thrown) {
        // WHY: files that are being replaced may be wrong for a moment; what was read before serves until they fit.
        const { message } = failureOf(thrown)
        if (message !== each.warned) output.warn(message)
        each.warned = message
      }
  }
}

const ended = (reason: unknown): CommandResult => ({
  exit: reason === "SIGTERM" ? "terminated" : "interrupted",
  value: undefined,
  items: [],
  lines: () => []
})

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener("abort", () => resolve(), { once: true })
  })

/** Runs `attestry admit`. */
export const run: CommandModule["run"] = async (context, args) => {
  const { host, output } = context
  const options = optionsOf(context, args)
  const rules = { of: await AdmissionRules.read(host, args) }
  const pair = TlsFiles.read(host, options.cert, options.key)
  // WHY another signal: reviews in progress are answered after the process is asked to stop.
  const rest = new AbortController()
  const sources = sourcesOf(context, args, { options, signal: rest.signal })
  const state = { endsMs: pair.endsMs, busy: () => 0 }
  const handlers = handlersOf(context, sources, {
    ruleOf: (namespace) => rules.of(namespace),
    state
  })
  const server = await AdmissionServer.serve({ ...options, pair, handlers })
  state.busy = server.inProgress
  output.note(`answers reviews on port ${server.port}`)
  const reloading = reload(context, [
    certificateOf(host, options, {
      first: pair,
      use: (next) => {
        server.use(next)
        state.endsMs = next.endsMs
      }
    }),
    rulesOf(host, args, (ruleOf) => {
      rules.of = ruleOf
    })
  ])
  await aborted(host.signal)
  await server.close()
  rest.abort(host.signal.reason)
  await reloading
  await sources.waivers.settled()
  return ended(host.signal.reason)
}
