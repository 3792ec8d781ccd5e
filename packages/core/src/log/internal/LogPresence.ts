/**
 * Finds logs that the store should have and does not: part of level 1.
 *
 * WHY from outside: a store from which a whole log was removed has no trace of it. The state file lists the logs that
 * it knows. A witness answers only for a given origin, so it is asked for the origins that the state file, the key
 * rows or the address of the deployment give.
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

/** The rows that the store has of an org. */
export interface StoredLogs {
  readonly org: OrgId
  readonly name: string | undefined
  readonly trees: ReadonlyArray<LogTree>
  readonly keys: OrgKeys
}

/** A log of an org that is missing. */
export interface LostLog {
  /** The name of the org, or the origin if it contains no name. */
  readonly org: string
  readonly finding: LogFinding
}

/** The most epochs without a tree that are searched. */
const EPOCHS_MAX = 100

const FIRST_TILE = { level: 0, index: 0, width: MerkleTree.TILE_WIDTH }

/** Finds logs with the ports of a store. */
export const make = Effect.gen(function* () {
  const [store, checkpoints, address] = [yield* LogStore, yield* LogCheckpoints, yield* LogAddress]

  /** The origin that the first epoch of an org has in this deployment. */
  const expected = (name: string | undefined): ReadonlyArray<string> =>
    name === undefined ? [] : Option.toArray(address).map((url) => originOf(url, name))

  /** Whether an epoch without a tree has leaves or a checkpoint. */
  const hasRemains = (org_id: OrgId, epoch: number) =>
    Effect.gen(function* () {
      const [tile] = yield* store.listTiles({ org_id, epoch }, [FIRST_TILE])
      if (tile !== undefined && tile.hashes.length > 0) return true
      const checkpoint = yield* readable(store.findCheckpoint({ org_id, epoch }))
      // An unreadable checkpoint exists too.
      return Option.isNone(checkpoint) || Option.isSome(checkpoint.value)
    })

  /** Epochs with rows and without a tree: all up to the one after the newest. */
  const missingTrees = ({ org, trees }: StoredLogs) =>
    Effect.gen(function* () {
      const findings: Array<LogFinding> = []
      const there = new Set(trees.map(({ epoch }) => epoch))
      // WHY a bound: a tampered epoch number may be as large as numbers go.
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

  /** Missing logs of an org. */
  const missing = (stored: StoredLogs): Effect.Effect<ReadonlyArray<LogFinding>, StoreError> =>
    Effect.gen(function* () {
      const { name, trees, keys } = stored
      const remembered = (yield* checkpoints.listRemembered).filter(
        (origin) => name !== undefined && orgOf(origin) === name
      )
      /** The size from which a key signs is a lower bound for the size of the log. */
      const sizes = new Map<string, number>()
      for (const { vkey, first_size } of trees.length === 0 ? keys.rows : []) {
        const origin = LogKeyHistory.originOf(vkey)
        if (origin !== undefined) sizes.set(origin, Math.max(1, first_size, sizes.get(origin) ?? 0))
      }
      // WHY read again: a log may have begun, and been signed, since the trees were read.
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
   * Remembered logs of orgs that are missing. For a named org, witnesses are asked too. `list` gives the names of the
   * existing orgs.
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
