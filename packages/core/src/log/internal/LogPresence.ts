/**
 * Finds logs that the store should have but does not: part of level 1.
 *
 * WHY from outside: a store from which a whole log was removed has no trace of it. The state file lists the logs that
 * it knows. A witness answers only for a given origin, so witnesses are asked for the origins that the state file,
 * the key rows or the deployment's URL give.
 */

import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { noting } from "../../shared/DamagedRecords.js"
import type { OrgId } from "../../shared/Identifier.js"
import { readable } from "../../shared/internal/ReadableDamage.js"
import type { StoreError } from "../../shared/StoreError.js"
import { type LogTree, orgOf, originOf } from "../Log.js"
import { LogAddress } from "../LogAddress.js"
import { LogCheckpoints } from "../LogCheckpoints.js"
import type { LogFinding } from "../LogFinding.js"
import { LogStore } from "../LogStore.js"
import * as LogKeyHistory from "./LogKeyHistory.js"
import type { OrgKeys } from "./LogKeyVerification.js"

/** The stored rows of an org's logs. */
export interface StoredLogs {
  readonly org: OrgId
  readonly name: string | undefined
  readonly trees: ReadonlyArray<LogTree>
  readonly keys: OrgKeys
}

/** A missing log of an org. */
export interface LostLog {
  /** The name of the org; the origin if it contains no name. */
  readonly org: string
  readonly finding: LogFinding
}

/** At most this many epochs beyond the known trees are searched. */
const EPOCHS_MAX = 100

const FIRST_TILE = { level: 0, index: 0, width: MerkleTree.TILE_WIDTH }

/** Finds logs with the ports of a store. */
export const make = Effect.gen(function* () {
  const [store, checkpoints, address] = [yield* LogStore, yield* LogCheckpoints, yield* LogAddress]

  /** The origin that this deployment gives to an org's first epoch. */
  const expected = (name: string | undefined): ReadonlyArray<string> =>
    name === undefined ? [] : Option.toArray(address).map((url) => originOf(url, name))

  /** Whether an epoch without a tree still has leaves or a checkpoint. */
  const hasRemains = (org_id: OrgId, epoch: number) =>
    Effect.gen(function* () {
      const [tile] = yield* store.listTiles({ org_id, epoch }, [FIRST_TILE])
      if (tile !== undefined && tile.hashes.length > 0) return true
      const checkpoint = yield* readable(store.findCheckpoint({ org_id, epoch }))
      // An unreadable checkpoint counts as existing.
      return Option.isNone(checkpoint) || Option.isSome(checkpoint.value)
    })

  /** Epochs with rows but without a tree, up to the one after the newest. */
  const missingTrees = ({ org, trees }: StoredLogs) =>
    Effect.gen(function* () {
      const findings: Array<LogFinding> = []
      const there = new Set(trees.map(({ epoch }) => epoch))
      // WHY a limit: a tampered epoch number may be arbitrarily large.
      const last = Math.min(trees.at(-1)?.epoch ?? 0, trees.length + EPOCHS_MAX)
      for (let epoch = 1; epoch <= last + 1; epoch++)
        if (!there.has(epoch) && (epoch <= last || (yield* hasRemains(org, epoch))))
          findings.push({ _tag: "TreeMissing", epoch })
      return findings
    })

  const missingLog = (origin: string, least: number) =>
    Effect.map(checkpoints.recall(origin), (known): ReadonlyArray<LogFinding> => {
      const size = known.reduce((most, each) => Math.max(most, each.size), least)
      return known.length > 0 || least > 0 ? [{ _tag: "LogMissing", origin, size }] : []
    })

  /** The missing logs of an org. */
  const missing = (stored: StoredLogs): Effect.Effect<ReadonlyArray<LogFinding>, StoreError> =>
    Effect.gen(function* () {
      const { name, trees, keys } = stored
      const remembered = (yield* checkpoints.listRemembered).filter(
        (origin) => name !== undefined && orgOf(origin) === name
      )
      /** The size at which a key starts to sign is a lower bound of the log's size. */
      const sizes = new Map<string, number>()
      for (const { vkey, first_size } of trees.length === 0 ? keys.rows : []) {
        const origin = LogKeyHistory.originOf(vkey)
        if (origin !== undefined) sizes.set(origin, Math.max(1, first_size, sizes.get(origin) ?? 0))
      }
      // WHY a second read: a log may have been created and signed since the trees were read.
      const [now] = yield* noting(store.listTrees(stored.org))
      const there = new Set([...trees, ...now].map(({ origin }) => origin))
      const wanted = new Set([
        ...remembered,
        ...sizes.keys(),
        ...(now.length === 0 ? expected(name) : [])
      ])
      const logs = yield* Effect.forEach(
        [...wanted].filter((origin) => !there.has(origin)),
        (origin) => missingLog(origin, sizes.get(origin) ?? 0)
      )
      return [...(yield* missingTrees({ ...stored, trees: now })), ...logs.flat()]
    })

  /**
   * Logs that are remembered but belong to no existing org. For a named org, witnesses are asked too. `list` returns
   * the names of the existing orgs.
   */
  const lost = (
    list: Effect.Effect<ReadonlyArray<string>, StoreError>,
    wanted?: string
  ): Effect.Effect<ReadonlyArray<LostLog>, StoreError> =>
    Effect.gen(function* () {
      const origins = new Set([...(yield* checkpoints.listRemembered), ...expected(wanted)])
      // INVARIANT: an org exists before its log is remembered, so orgs are listed afterwards.
      const orgs = new Set(yield* list)
      const found = yield* Effect.forEach(origins, (origin) => {
        const org = orgOf(origin) ?? origin
        if (orgs.has(org) || org !== (wanted ?? org)) return Effect.succeed([])
        return Effect.map(missingLog(origin, 0), (findings) =>
          findings.map((finding) => ({ org, finding }))
        )
      })
      return found.flat()
    })

  return { missing, lost } as const
})
