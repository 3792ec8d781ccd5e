/** Port: what the host gives to capsules: compression, limits, and the page that verifies them. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as CapsuleLimits from "./CapsuleLimits.js"

/** Packs one content (DEFLATE, RFC 1951), piece by piece. */
export interface Packer {
  /** Takes the next piece, and returns what is packed so far and was not returned. */
  readonly add: (bytes: Uint8Array) => Effect.Effect<Uint8Array>
  /** The rest. */
  readonly end: Effect.Effect<Uint8Array>
}

/** The most that a capsule has. */
export interface HostLimits {
  readonly entries: number
  readonly bytes: number
  readonly files: number
}

/** What the host gives. */
export interface Host {
  /** Makes a packer. */
  readonly deflate: Option.Option<Effect.Effect<Packer>>
  /** The page, as one HTML file. */
  readonly page: Option.Option<Uint8Array>
  /** The text of the policy of witnesses. */
  readonly witnesses: Option.Option<string>
  /** The texts of the trust roots by which evidence is verified, by name. */
  readonly trustRoots: ReadonlyMap<string, string>
  readonly limits: HostLimits
}

/** The limits of every deployment. */
export const LIMITS: HostLimits = {
  entries: CapsuleLimits.ENTRIES_MAX,
  bytes: CapsuleLimits.BYTES_MAX,
  files: CapsuleLimits.FILES_MAX
}

/** What the host gives to capsules. */
export class CapsuleHost extends Context.Reference<CapsuleHost>()("@attestry/core/CapsuleHost", {
  defaultValue: (): Host => ({
    deflate: Option.none(),
    page: Option.none(),
    witnesses: Option.none(),
    trustRoots: new Map(),
    limits: LIMITS
  })
}) {}
