/** `AgentAccountStore` in memory. */
import { AgentAccountStore } from "@attestry/core/AgentAccountStore"
import type { AgentAccounts } from "@attestry/core/AgentAccounts"
import type { OrgId } from "@attestry/core/Identifier"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, type MemoryState, table } from "../shared/MemoryState.js"

const named = table<AgentAccounts & { readonly org_id: OrgId }>("agent_accounts")

/** `AgentAccountStore` in memory. */
export const layer: Layer.Layer<AgentAccountStore, never, MemoryState> = Layer.effect(
  AgentAccountStore,
  Effect.map(MemoryRows.make(named), (rows) =>
    AgentAccountStore.of({
      find: (org) =>
        Effect.map(
          rows.find(key(org)),
          Option.map(({ accounts }) => ({ accounts }))
        ),
      put: (org, { accounts }) => rows.set(key(org), { org_id: org, accounts })
    })
  )
)
