/** Notifications on the memory store: whole histories, and the expiry scan. */
import { apiKeyExpiryScanSuite } from "@attestry/core/testing/ApiKeyExpiryScanSuite"
import { notificationHistorySuite } from "@attestry/core/testing/NotificationHistorySuite"
import * as MemoryStore from "../src/MemoryStore.js"

notificationHistorySuite("memory", MemoryStore.layer, { histories: 60 })
apiKeyExpiryScanSuite("memory", MemoryStore.layer)
