/** Notifications on PostgreSQL: whole histories, and the scans. */
import { apiKeyExpiryScanSuite } from "@attestry/core/testing/ApiKeyExpiryScanSuite"
import { environmentDecayScanSuite } from "@attestry/core/testing/EnvironmentDecayScanSuite"
import { notificationHistorySuite } from "@attestry/core/testing/NotificationHistorySuite"
import { waiverExpiryScanSuite } from "@attestry/core/testing/WaiverExpiryScanSuite"
import { lengthForRun } from "../../core/test/shared/Effort.js"
import * as PgLayer from "./shared/PgLayer.js"

const HISTORIES = lengthForRun({ quick: 3, full: 8, deep: 80 })

notificationHistorySuite("PostgreSQL", PgLayer.layer, { histories: HISTORIES })
apiKeyExpiryScanSuite("PostgreSQL", PgLayer.layer)
environmentDecayScanSuite("PostgreSQL", PgLayer.layer)
waiverExpiryScanSuite("PostgreSQL", PgLayer.layer)
