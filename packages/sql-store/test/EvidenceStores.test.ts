/** The ports of evidence on PostgreSQL. */
import { approvalStoreSuite } from "@attestry/core/testing/ApprovalStoreSuite"
import { attachmentStoreSuite } from "@attestry/core/testing/AttachmentStoreSuite"
import { attestationStoreSuite } from "@attestry/core/testing/AttestationStoreSuite"
import { evaluationStoreSuite } from "@attestry/core/testing/EvaluationStoreSuite"
import { repoStoreSuite } from "@attestry/core/testing/RepoStoreSuite"
import { trailStatusSuite } from "@attestry/core/testing/TrailStatusSuite"
import * as PgLayer from "./shared/PgLayer.js"

attestationStoreSuite("PostgreSQL", PgLayer.layer)
attachmentStoreSuite("PostgreSQL", PgLayer.layer)
evaluationStoreSuite("PostgreSQL", PgLayer.layer)
repoStoreSuite("PostgreSQL", PgLayer.layer)
approvalStoreSuite("PostgreSQL", PgLayer.layer)
trailStatusSuite("PostgreSQL", PgLayer.layer, { histories: 25 })
