/**
 * The SQL store passes the suite of every port, on PostgreSQL.
 *
 * WHY a plain owner: there, row-level security also applies to the owner and to every function that runs as the
 * owner, so whatever passes there passes for a superuser. A deep run tries both; the wire tests run with a superuser.
 */
import { storeSuite } from "@attestry/core/testing/StoreSuite"
import { effort, lengthForRun } from "../../core/test/shared/Effort.js"
import * as Damage from "./shared/Damage.js"
import * as PgLayer from "./shared/PgLayer.js"

const options = {
  histories: lengthForRun({ quick: 1, full: 3, deep: 50 }),
  damage: Damage.damage
}

storeSuite("PostgreSQL with a plain owner", PgLayer.layerOnPlainOwner, options)
if (effort(0, 1) === 1) storeSuite("PostgreSQL", PgLayer.layer, options)
