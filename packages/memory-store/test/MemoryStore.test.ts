/** The memory store keeps the contract of every port. */
import { storeSuite } from "@attestry/core/testing/StoreSuite"
import * as MemoryStore from "../src/MemoryStore.js"

storeSuite("memory", MemoryStore.layer)
