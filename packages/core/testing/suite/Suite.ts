/** How every suite runs: on the ports of one layer, in real time, because stores have their own clock. */
import type { Ports } from "@attestry/core/Ports"
import { layer, type Vitest } from "@effect/vitest"
import type * as Layer from "effect/Layer"

/** How a suite is run; there is no need to say anything. */
export interface SuiteOptions {
  /** Suites that are given the same map, inside of one that holds it, share one store. */
  readonly memoMap?: Layer.MemoMap
}

/** What tests of a suite are declared with. */
export type SuiteIt = Vitest.MethodsNonLive<Ports, true>

/** Declares a suite. */
export const suite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions,
  tests: (it: SuiteIt) => void
): void =>
  layer(ports, { ...options, excludeTestServices: true, timeout: "60 seconds" })(name, tests)
