/** When and where a row runs is given back as it was, whatever the kind of environment. */

import * as EnvironmentReport from "@attestry/core/EnvironmentReport"
import * as Reports from "@attestry/core/testing/EnvironmentReport"
import { assert, describe, it } from "@effect/vitest"
import * as StoredDocument from "../../src/internal/snapshot/StoredDocument.js"

const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "shop", uid: "1" }
const nowhere = {
  pods: null,
  container_task_context: null,
  serverless_run_context: null,
  cloudx_app_context: null
}

describe("StoredDocument", () => {
  it.prop("reads what it has printed", { given: Reports.kindAndReport }, ({ given }) => {
    const rows = EnvironmentReport.rows(given.kind, given.report)
    for (const { name: _, fingerprint: __, ...document } of rows) {
      const text = StoredDocument.print(document)
      assert.deepStrictEqual(StoredDocument.read(text), document)
    }
  })

  it("distinguishes a missing flag of an owner from a null one", () => {
    const owners = [
      owner,
      { ...owner, controller: null },
      { ...owner, blockOwnerDeletion: false },
      { ...owner, controller: true, blockOwnerDeletion: null }
    ]
    const pods = Object.fromEntries([
      ["__proto__", { namespace: "a", creationTimestamp: 1, owners }],
      ["b", { namespace: "", creationTimestamp: -1, owners: [] }]
    ])
    const document = { ...nowhere, creationTimestamp: [1, 2], pods }
    assert.deepStrictEqual(StoredDocument.read(StoredDocument.print(document)), document)
  })

  it("leaves out members that are missing", () => {
    assert.strictEqual(StoredDocument.print({ ...nowhere, creationTimestamp: [7] }), "[[7]]")
    assert.throws(() => StoredDocument.read('{"creationTimestamp":[7]}'))
  })
})
