/** Notifications on PostgreSQL: whole histories, and the expiry scan. */
import { apiKeyExpiryScanSuite } from "@attestry/core/testing/ApiKeyExpiryScanSuite"
import { notificationHistorySuite } from "@attestry/core/testing/NotificationHistorySuite"
import { lengthForRun } from "../../core/test/shared/Effort.js"
import * as PgLayer from "./shared/PgLayer.js"

const HISTORIES = lengthForRun({ quick: 3, full: 8, deep: 80 })

notificationHistorySuite("PostgreSQL", PgLayer.layer, { histories: HISTORIES })
apiKeyExpiryScanSuite("PostgreSQL", PgLayer.layer)
