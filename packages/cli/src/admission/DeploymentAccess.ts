/**
 * The deployment as a process sees it that runs for months: settings and the key are read anew once in a while, so that
 * a key that is rotated is taken without a restart, and requests end in time for a review.
 */
import * as Settings from "../settings/Settings.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import * as Api from "../transport/Api.js"

/** The deployment. */
export interface DeploymentAccess {
  readonly api: () => Promise<Api.Api>
  /** Reads the settings and the key again at the next use. */
  readonly forget: () => void
}

const RENEW_MS = 60_000

/** The deployment of the settings; each attempt of a request ends after `timeoutMs` at most. */
export const make = (
  { host, output }: CommandContext,
  args: Arguments,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal }
): DeploymentAccess => {
  const own = { ...host, signal }
  const kept: { api?: Promise<Api.Api>; untilMs: number } = { untilMs: 0 }
  const load = async (): Promise<Api.Api> => {
    const settings = await Settings.load(own, args)
    return Api.make(own, output, {
      ...settings,
      timeoutMs: Math.min(settings.timeoutMs, timeoutMs),
      retries: Math.min(settings.retries, 1)
    })
  }
  return {
    api: () => {
      if (kept.api === undefined || host.now() >= kept.untilMs) {
        kept.api = load()
        kept.untilMs = host.now() + RENEW_MS
      }
      return kept.api
    },
    forget: () => {
      kept.untilMs = 0
    }
  }
}
