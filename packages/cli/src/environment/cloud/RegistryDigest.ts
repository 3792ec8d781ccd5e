/**
 * Looks up the digest of an image that a cloud runs by tag, in its registry, with the cloud's token if the registry
 * accepts it.
 */
import * as OciRegistry from "../../artifact/OciRegistry.js"
import type { CommandContext } from "../../shared/CommandContext.js"
import { CommandFailure } from "../../shared/CommandFailure.js"

/** A user name and a password for a registry. */
export interface RegistryLogin {
  readonly username: string
  readonly password: string
}

/** A digest, or the reason why it is unknown. */
export interface FoundDigest {
  /** Empty if it is unknown. */
  readonly digest: string
  readonly reason: string
}

/** The registry of a reference. */
export const registryOf = (image: string): string => {
  try {
    return OciRegistry.parse(image).registry
  } catch {
    // WHY: an invalid reference has no registry; the lookup reports the error.
    return ""
  }
}

/** The digest in the reference, else the registry's. */
export const find = async (
  context: CommandContext,
  image: string,
  login: RegistryLogin | undefined
): Promise<FoundDigest> => {
  const pinned = /@sha256:([0-9a-f]{64})$/.exec(image)?.[1]
  if (pinned !== undefined) return { digest: pinned, reason: "" }
  const { timeoutMs, caFile } = await context.settings()
  const { host, output } = context
  const env =
    login === undefined ? host.env : { ...host.env, ATTESTRY_REGISTRY_PASSWORD: login.password }
  try {
    const digest = await OciRegistry.fingerprintOf(
      {
        host: { ...host, env },
        output,
        timeoutMs,
        caFile: caFile?.value,
        username: login?.username
      },
      image
    )
    return { digest, reason: "" }
  } catch (error) {
    if (host.signal.aborted) throw error
    // WHY: a running image is always reported; if the registry fails, its digest is unknown.
    const reason = error instanceof CommandFailure ? error.message : "the registry does not answer"
    return { digest: "", reason }
  }
}
