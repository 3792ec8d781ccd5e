/** Waivers on the memory store. */
import { waiversSuite } from "@attestry/core/testing/WaiversSuite"
import * as MemoryStore from "../../src/MemoryStore.js"

waiversSuite("memory", MemoryStore.layer)
