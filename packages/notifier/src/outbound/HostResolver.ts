/**
 * Which addresses does a host name have right now?
 *
 * A port. It only reports; whether an address may be dialled is decided in `OutboundUrl`.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** The resolver cannot be reached or does not answer; `late` when the time ran out. */
export class ResolutionError extends Schema.TaggedError<ResolutionError>()("ResolutionError", {
  cause: Schema.Defect,
  late: Schema.Boolean
}) {
  override get message() {
    return "name resolution failed"
  }
}

/** Resolves host names without a cache. */
export class HostResolver extends Context.Tag("@attestry/notifier/HostResolver")<
  HostResolver,
  {
    /**
     * Every IPv4 and IPv6 address of the name, in the order in which to try them, never from a
     * cache of this process. An empty list means that the name does not exist or has no address.
     * Ends within `timeoutMs`; a name whose server does not answer delays no other name.
     */
    readonly resolve: (
      name: string,
      timeoutMs: number
    ) => Effect.Effect<ReadonlyArray<string>, ResolutionError>
  }
>() {}
