/**
 * The names of the trust roots of this deployment, which trust policies may use.
 *
 * The roots themselves are known where signatures are verified, not in core.
 */
import * as Context from "effect/Context"
import { ID_LENGTH_MAX, ID_PATTERN } from "./internal/TrustPolicySyntax.js"

const pattern = new RegExp(ID_PATTERN)

/** Whether trust policies can use a name. */
export const isName = (name: string): boolean => name.length <= ID_LENGTH_MAX && pattern.test(name)

/** The names of trust roots; null, the default, if they are not known: then policies may use every name. */
export class TrustRootNames extends Context.Reference<TrustRootNames>()(
  "@attestry/core/TrustRootNames",
  { defaultValue: (): ReadonlySet<string> | null => null }
) {}
