/** Which exposures of a page verified VEX mitigates: one read for each flow of their records. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Fingerprint } from "../../artifact/Fingerprint.js"
import { type Deciding, decidingOf } from "../../evidence/KeptStatement.js"
import * as VexDecision from "../../evidence/VexDecision.js"
import { VexStore } from "../../evidence/VexStore.js"
import type { FlowName, OrgId } from "../../shared/Identifier.js"
import type { StoreError } from "../../shared/StoreError.js"
import type { Exposure } from "../Exposure.js"

/** A vulnerability, and the components with it. */
export interface AskedVulnerability {
  readonly vulnerability: string
  /** The purls of all asked components of an artifact; an artifact that is absent is not mitigated. */
  readonly components: ReadonlyMap<Fingerprint, ReadonlyArray<string>>
}

/** Exposures whose records are of one flow. */
interface ExposuresOfFlow {
  /** Null where no flow knows the artifact. */
  readonly flow: FlowName | null
  readonly exposures: ReadonlyArray<Exposure>
}

const flowOf = ({ record }: Exposure) => record?.flowName ?? null

const byFlow = (exposures: ReadonlyArray<Exposure>): ReadonlyArray<ExposuresOfFlow> =>
  Array.from(new Set(exposures.map(flowOf)), (flow) => ({
    flow,
    exposures: exposures.filter((exposure) => flowOf(exposure) === flow)
  }))

/** Whether a statement about each component, or about the artifact, takes the vulnerability away. */
const isMitigated = (
  { fingerprint }: Exposure,
  { components, vulnerability }: AskedVulnerability,
  statements: VexDecision.VexIndex<Deciding>
): boolean => {
  const purls = components.get(fingerprint) ?? []
  return (
    purls.length > 0 &&
    purls.every((component) =>
      Option.exists(
        statements.find({ vulnerability, products: [component, fingerprint], component }),
        VexDecision.isMitigating
      )
    )
  )
}

/** Reads mitigations. */
export const make = Effect.gen(function* () {
  const store = yield* VexStore

  /** The mitigated exposures among those of one flow. */
  const mitigatedIn = Effect.fnUntraced(function* (
    org: OrgId,
    asked: AskedVulnerability,
    { exposures, flow }: ExposuresOfFlow
  ) {
    const prints = [...new Set(exposures.map(({ fingerprint }) => fingerprint))]
    const purls = [...new Set(prints.flatMap((print) => asked.components.get(print) ?? []))]
    const kept = yield* store.listDeciding(org, {
      vulnerabilities: [asked.vulnerability],
      products: [...purls, ...prints],
      components: purls,
      flow
    })
    const statements = VexDecision.index(kept.map(decidingOf))
    return exposures.filter((exposure) => isMitigated(exposure, asked, statements))
  })

  /** The exposures whose artifact has a statement that decides for each asked component, and each takes it away. */
  const mitigatedOf = (
    org: OrgId,
    asked: AskedVulnerability,
    exposures: ReadonlyArray<Exposure>
  ): Effect.Effect<ReadonlySet<Exposure>, StoreError> =>
    Effect.map(
      Effect.forEach(byFlow(exposures), (each) => mitigatedIn(org, asked, each)),
      (found) => new Set(found.flat())
    )

  return { mitigatedOf } as const
})
