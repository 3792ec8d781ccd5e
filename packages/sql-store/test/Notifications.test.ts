/** Notifications on PostgreSQL: whole histories, and the expiry scan. */
import { apiKeyExpiryScanSuite } from "@attestry/core/testing/ApiKeyExpiryScanSuite"
import { notificationHistorySuite } from "@attestry/core/testing/NotificationHistorySuite"
import { effort } from "../../core/test/shared/Effort.js"
import * as PgLayer from "./shared/PgLayer.js"

notificationHistorySuite("PostgreSQL", PgLayer.layer, { histories: effort(8, 80) })
apiKeyExpiryScanSuite("PostgreSQL", PgLayer.layer)
