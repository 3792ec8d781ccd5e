/**
 * The digests of images as pods name them. A digest is taken as it is; a tag is asked for at its registry, once at a
 * time and once in a while, however many pods name it.
 */
import * as BoundedCache from "@attestry/core/BoundedCache"
import * as OciRegistry from "../artifact/OciRegistry.js"
import { CommandFailure } from "../shared/CommandFailure.js"

/** The digest of an image, or why there is none. */
export type ImageDigest =
  | { readonly type: "digest"; readonly digest: string }
  /** The image can never be resolved: its reference or its registry is not acceptable. */
  | { readonly type: "refused"; readonly why: string }
  /** The registry did not say. */
  | { readonly type: "unanswered"; readonly why: string }

/** The parts and the times of a resolver. */
export interface ImageDigestsOptions {
  readonly now: () => number
  /** Asks the registry of a tag. */
  readonly ask: (image: string) => Promise<string>
  /** The registries that may be asked; with none, every one but those of this machine. */
  readonly registries: ReadonlyArray<string>
  readonly sizeMax: number
  readonly freshMs: number
  readonly silenceMs: number
}

/** Resolves images. */
export interface ImageDigests {
  readonly find: (image: string) => Promise<ImageDigest>
}

/** WHY never by default: people who create pods would make this program ask itself. */
const OWN_MACHINE = /^(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[[0-9a-f:]*\])(?::\d+)?$/i

const parsed = (image: string): OciRegistry.ImageReference | undefined => {
  try {
    return OciRegistry.parse(image)
  } catch (cause) {
    if (cause instanceof CommandFailure) return undefined
    throw cause
  }
}

/** What a reference says by itself; undefined for a tag that a registry must be asked for. */
const atOnce = (
  image: string,
  registries: ReadonlyArray<string>
): Exclude<ImageDigest, { type: "unanswered" }> | undefined => {
  const reference = parsed(image)
  if (reference === undefined)
    return { type: "refused", why: "this is no reference of an image by a tag or by sha256" }
  const [, digest] = /^sha256:([0-9a-f]{64})$/.exec(reference.reference) ?? []
  if (digest !== undefined) return { type: "digest", digest }
  const { registry } = reference
  const isListed = registries.includes(registry)
  if (registries.length > 0 ? isListed : !OWN_MACHINE.test(registry)) return undefined
  return {
    type: "refused",
    why: `tags of ${registry} are not resolved here: name the image by its digest`
  }
}

/** Makes a resolver. */
export const make = (options: ImageDigestsOptions): ImageDigests => {
  const { now, ask, registries, sizeMax, freshMs, silenceMs } = options
  const kept = BoundedCache.make<{ readonly found: ImageDigest; readonly untilMs: number }>(sizeMax)
  const flights = new Map<string, Promise<ImageDigest>>()

  const question = async (image: string): Promise<ImageDigest> => {
    try {
      const found = { type: "digest", digest: await ask(image) } as const
      kept.set(image, { found, untilMs: now() + freshMs })
      return found
    } catch (failure) {
      // WHY: what happens without an answer is for the rule of the namespace to say.
      const why = failure instanceof Error ? failure.message : String(failure)
      const found = { type: "unanswered", why } as const
      kept.set(image, { found, untilMs: now() + silenceMs })
      return found
    }
  }

  const start = (image: string): Promise<ImageDigest> => {
    const flight = question(image).finally(() => flights.delete(image))
    flights.set(image, flight)
    return flight
  }

  return {
    find: async (image) => {
      const own = atOnce(image, registries)
      if (own !== undefined) return own
      const known = kept.get(image)
      if (known !== undefined && now() < known.untilMs) return known.found
      return flights.get(image) ?? start(image)
    }
  }
}
