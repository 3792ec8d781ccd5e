/** The SQL store keeps the contract of `SnapshotStore`. */
import { snapshotStoreSuite } from "@attestry/core/testing/SnapshotStoreSuite"
import * as PgLayer from "../shared/PgLayer.js"

snapshotStoreSuite("PostgreSQL", PgLayer.layer, { histories: 3, snapshots: 40 })
