/**
 * The providers of the host.
 *
 * WHY a module of its own: the contract uses the vocabulary of providers, and holds no service.
 */
import * as Context from "effect/Context"
import type { Provider } from "./Provider.js"

/** The providers of the host, in the order of their buttons; the default has none. */
export class Providers extends Context.Reference<Providers>()("@attestry/core/Providers", {
  defaultValue: (): ReadonlyArray<Provider> => []
}) {}
