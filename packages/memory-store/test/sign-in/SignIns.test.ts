/** Signing in with providers on the memory store. */
import { signInsSuite } from "@attestry/core/testing/SignInsSuite"
import { lengthForRun } from "../../../core/test/shared/Effort.js"
import * as MemoryStore from "../../src/MemoryStore.js"

signInsSuite("memory", MemoryStore.layer, {
  worlds: lengthForRun({ quick: 60, full: 200, deep: 3_000 })
})
