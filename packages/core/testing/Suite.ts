/** Runs a suite on the ports of one layer, in real time, because stores have their own clock. */
import type { Ports } from "@attestry/core/Ports"
import { layer, type Vitest } from "@effect/vitest"
import type * as Layer from "effect/Layer"

/** Options of a suite. */
export interface SuiteOptions {
  /** Suites with the same map, inside of one that holds it, share one store. */
  readonly memoMap?: Layer.MemoMap
}

/** The functions that declare tests of a suite. */
export type SuiteIt = Vitest.MethodsNonLive<Ports, true>

/** Declares a suite. */
export const suite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions,
  tests: (it: SuiteIt) => void
): void =>
  layer(ports, { ...options, excludeTestServices: true, timeout: "60 seconds" })(name, tests)
