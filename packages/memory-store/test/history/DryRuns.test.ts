/** Dry runs store nothing, on the memory store. */
import { dryRunSuite } from "@attestry/policy-lab/testing/DryRunSuite"
import { Effect, HashMap, Layer } from "effect"
import { lengthForRun } from "../../../core/test/shared/Effort.js"
import { MemoryState } from "../../src/internal/shared/MemoryState.js"
import * as MemoryStore from "../../src/MemoryStore.js"

const LIVES = lengthForRun({ quick: 5, full: 40, deep: 400 })

/** Every row of every table, by its key. */
const picture = Effect.map(
  Effect.flatMap(MemoryState, ({ tables }) => tables),
  (tables) =>
    HashMap.toEntries(tables)
      .map(([name, rows]) => [name, HashMap.toEntries(rows).sort()] as const)
      .sort()
)

// WHY merged: layers are built once, so that this is the state that the store has.
dryRunSuite("memory", Layer.merge(MemoryStore.layer, MemoryState.Default), {
  lives: LIVES,
  picture
})
