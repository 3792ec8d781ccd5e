/** Notifications on the memory store: whole histories, and the scans. */
import { apiKeyExpiryScanSuite } from "@attestry/core/testing/ApiKeyExpiryScanSuite"
import { environmentDecayScanSuite } from "@attestry/core/testing/EnvironmentDecayScanSuite"
import { notificationHistorySuite } from "@attestry/core/testing/NotificationHistorySuite"
import { waiverExpiryScanSuite } from "@attestry/core/testing/WaiverExpiryScanSuite"
import { lengthForRun } from "../../core/test/shared/Effort.js"
import * as MemoryStore from "../src/MemoryStore.js"

const HISTORIES = lengthForRun({ quick: 5, full: 15, deep: 60 })

notificationHistorySuite("memory", MemoryStore.layer, { histories: HISTORIES })
apiKeyExpiryScanSuite("memory", MemoryStore.layer)
environmentDecayScanSuite("memory", MemoryStore.layer)
waiverExpiryScanSuite("memory", MemoryStore.layer)
