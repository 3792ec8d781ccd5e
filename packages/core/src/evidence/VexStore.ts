/** Port: the statements of accepted VEX documents, one row for each product and component; append-only. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { FlowName, OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { KeptStatement } from "./KeptStatement.js"

/** What is asked; a statement fits if it has one of each. */
export interface VexQuestions {
  readonly vulnerabilities: ReadonlyArray<string>
  /** Purls of components and SHA-256 digests of images. */
  readonly products: ReadonlyArray<string>
  /** Purls of components; statements about a whole product fit too. */
  readonly components: ReadonlyArray<string>
  /** The flow of the artifacts; null where it is not known, for statements about all flows alone. */
  readonly flow: FlowName | null
}

/** Port: the statements of accepted VEX documents. */
export class VexStore extends Context.Tag("@attestry/core/VexStore")<
  VexStore,
  {
    /** Adds statements of documents; none of them is there. */
    readonly append: (
      org: OrgId,
      statements: ReadonlyArray<KeptStatement>
    ) => Effect.Effect<void, StoreError>
    /**
     * The trusted statements that decide, in any order: for each vulnerability, product and component the newest by its
     * own time, then by the sequence of its document, then one that takes nothing away. One without a time is the
     * oldest.
     */
    readonly listDeciding: (
      org: OrgId,
      questions: VexQuestions
    ) => Effect.Effect<ReadonlyArray<KeptStatement>, StoreError>
  }
>() {}
