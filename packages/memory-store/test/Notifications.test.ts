/** Notifications on the memory store: whole histories, and the expiry scan. */
import { apiKeyExpiryScanSuite } from "@attestry/core/testing/ApiKeyExpiryScanSuite"
import { notificationHistorySuite } from "@attestry/core/testing/NotificationHistorySuite"
import * as MemoryStore from "../src/MemoryStore.js"

const HISTORIES = process.env.ATTESTRY_DEEP === undefined ? 15 : 60

notificationHistorySuite("memory", MemoryStore.layer, { histories: HISTORIES })
apiKeyExpiryScanSuite("memory", MemoryStore.layer)
