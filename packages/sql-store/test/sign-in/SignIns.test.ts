/** Signing in with providers on PostgreSQL. */
import { signInsSuite } from "@attestry/core/testing/SignInsSuite"
import { lengthForRun } from "../../../core/test/shared/Effort.js"
import * as PgLayer from "../shared/PgLayer.js"

signInsSuite("PostgreSQL", PgLayer.layer, {
  worlds: lengthForRun({ quick: 10, full: 40, deep: 500 })
})
