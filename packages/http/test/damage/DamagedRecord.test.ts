/**
 * A list never fails because of one record. The tests damage one row of every listed table directly in the
 * database; on the memory store the same lists are read without damage.
 */
import { Api } from "@attestry/api/Api"
import { assert, it } from "vitest"
import * as OpenApiDocument from "../../src/meta/OpenApiDocument.js"
import * as DamagedRecordPlaceholder from "../../src/shared/internal/DamagedRecordPlaceholder.js"
import * as RouteTable from "../../src/shared/internal/RouteTable.js"
import { c1, F } from "../shared/Evidence.js"
import { onBothStores } from "../shared/TestServer.js"
import {
  type Case,
  damageOf,
  flow,
  isPlaceholder,
  json,
  prod,
  repoIdOf,
  sorted,
  text
} from "./Damage.js"
import { fill } from "./World.js"

/** Every operation that returns a list. */
const LISTS: { readonly [operation: string]: Case } = {
  "GET /flows/{org}": json("flow", "tags"),
  "GET /trails/{org}": json("trail", "details", { query: "?per_page=2" }),
  "GET /trails/{org}/{flow_name}": json("trail", "details", { path: flow }),
  "GET /artifacts/{org}": json("artifact", "report"),
  "GET /artifacts/{org}/{flow_name}/commit_sha/{sha}": json("artifact", "report", {
    path: { ...flow, sha: c1 }
  }),
  "GET /attestations/{org}": json("attestation", "attachments"),
  "GET /attestations/{org}/{flow_name}": json("attestation", "attachments", { path: flow }),
  "GET /attestations/{org}/{flow_name}/trail/{trail_name}/{attestation_name}": json(
    "attestation",
    "attachments",
    { path: { ...flow, trail_name: "t1", attestation_name: "a" }, where: "name = 'a'" }
  ),
  "GET /attestations/{org}/{flow_name}/artifact/{fingerprint}/{attestation_name}": json(
    "attestation",
    "attachments",
    { path: { ...flow, fingerprint: F, attestation_name: "on" }, where: "name = 'on'" }
  ),
  "GET /custom-attestation-types/{org}": json("attestation_type", "versions", { type: "json" }),
  "GET /approvals/{org}/{flow_name}": json("approval", "request", { path: flow }),
  "GET /controls/{org}": json("control", "links"),
  "GET /controls/{org}/{identifier}/versions": json("control_version", "links", {
    path: { identifier: "c1" },
    where: "identifier = 'c1'"
  }),
  "GET /controls/{org}/{identifier}/decisions": json("attestation", "attachments", {
    path: { identifier: "c1" },
    where: "type = 'decision'"
  }),
  "GET /controls/{org}/{identifier}/coverage": json("environment", "tags", {
    path: { identifier: "c1" }
  }),
  "GET /search/{org}/commit/{sha}/trails": text("trail", "name", { path: { sha: c1 } }),
  "GET /repos/{org}": json("repo", "tags"),
  "GET /repos/{org}/{repo}/deployments": text("snapshot_event", "type", {
    where: "arrived",
    repo: "r1"
  }),
  "GET /builds/{org}": json("artifact", "report"),
  "GET /policies/{org}": json("policy", "reads"),
  "GET /environments/{org}": json("environment", "tags"),
  "GET /allowlists/{org}/{env_name}": text("allow_list", "fingerprint", { path: prod }),
  "GET /allowlists/{org}": text("allow_list", "fingerprint"),
  "GET /snapshots/{org}/{env_name}": text("snapshot", "verdict", { path: prod }),
  "GET /environments/{org}/{env_name}/events": text("snapshot_event", "type", { path: prod }),
  "GET /exposure/{org}": text("exposure", "verdict", {
    query: "?flow_name=shop",
    where: `fingerprint = '${F}' and last_index is not null`
  }),
  "GET /runs/{org}/{fingerprint}": text("snapshot_row", "verdict", {
    path: { fingerprint: F },
    where: `fingerprint = '${F}'`
  }),
  "GET /deployments/{org}": text("snapshot_event", "type", { where: "arrived" }),
  "GET /environments/{org}/{env_name}/deployments": text("snapshot_event", "type", {
    where:
      "arrived and environment_id = (select environment_id from attestry.environment where name = 'prod')",
    path: prod
  }),
  "GET /organizations/{org}/environments_notifications": json(
    "environment_notification",
    "triggers"
  ),
  "GET /waivers/{org}": json("waiver", "approvals"),
  "GET /components/{org}": text("component", "type"),
  "GET /evidence/{org}": json("evidence_document", "verification"),
  "GET /trust-policy/{org}/versions": text("trust_policy_version", "at", {
    type: "int8",
    bad: "9223372036854775807"
  }),
  "GET /actions/{org}": json("environment_notification", "triggers"),
  "GET /service-accounts/{org}": text("service_account", "name", { where: "name = 'b'" }),
  "GET /service-accounts/{org}/{name}/api-keys": text("api_key", "created_at", {
    type: "int8",
    bad: "9223372036854775807",
    path: { name: "a" },
    where: "service_account_id is not null"
  }),
  "GET /api-keys/{org}": text("api_key", "created_at", {
    type: "int8",
    bad: "9223372036854775807",
    where: "service_account_id is not null"
  }),
  "GET /deliveries/{org}/failed": json("outbox", "target", { where: "dead_at is not null" }),
  "GET /membership-audit-log/{org}": text("membership_event", "role"),
  "GET /memberships/{org}": text("membership", "created_at", {
    type: "int8",
    bad: "9223372036854775807",
    where: "role = 'reader'"
  }),
  "GET /invitations/{org}": text("invitation", "created_at", {
    type: "int8",
    bad: "9223372036854775807",
    where: "role = 'reader'"
  }),
  "GET /teams/{org}": text("team", "created_at", {
    type: "int8",
    bad: "9223372036854775807",
    where: "name = 'pay'"
  }),
  "GET /teams/{org}/{team}/members": text("team_member", "from_at", {
    type: "int8",
    bad: "9223372036854775807",
    path: { team: "pay" },
    where: "user_id = (select user_id from attestry.app_user where login = 'max')"
  }),
  "GET /break-glass/{org}": json("break_glass", "closed_by", { where: "number = 1" }),
  "GET /proposals/{org}": json("proposal", "approvals"),
  "GET /grants/{org}": text("access_grant", "from_at", {
    type: "int8",
    bad: "9223372036854775807",
    // Without it only grants that count now are listed, and this one begins later.
    query: "?ended=true",
    where: "number = 1"
  }),
  "GET /sign-ins/{org}": text("sign_in", "outcome", {
    where: "user_id = (select user_id from attestry.app_user where login = 'max')"
  }),
  "GET /erasures/{org}": {
    table: "journal",
    column: "content",
    type: "bytea",
    bad: "\\xff",
    where: "kind = 'personal_data_erased'"
  },
  "GET /journal/{org}": {
    table: "journal",
    column: "content",
    type: "bytea",
    bad: "\\xff",
    where: "sequence = (select max(sequence) from attestry.journal)"
  }
}

onBothStores("a damaged record", (server) => {
  const { damage, list } = damageOf(server)

  it("has every list of the contract", () => {
    const lists = RouteTable.routesOf(Api)
      .filter(DamagedRecordPlaceholder.isList)
      // WHY: lists that belong to no org, or of distinct tags, have no records to take the place of.
      .filter(({ path }) => path.includes("/:org") && !path.endsWith("/tags"))
      .map(
        ({ method, path }) =>
          `${method} ${OpenApiDocument.templatePath(path).replace("/api/v2", "")}`
      )
    assert.deepStrictEqual(Object.keys(LISTS).sort(), lists.sort())
  })

  it("fills the org", () => fill(server))

  for (const [operation, damaged] of Object.entries(LISTS)) {
    it(`${operation} shows a placeholder for a damaged record, and the others as they are`, async () => {
      const { query = "", repo } = damaged
      const path =
        repo === undefined ? (damaged.path ?? {}) : { repo: await repoIdOf(server, repo) }
      const before = await list(operation, { path, query })
      assert.isAtLeast(before.length, 2)
      const mend = await damage(damaged)
      if (mend === undefined) return
      const after = await list(operation, { path, query })
      await mend()
      const others = sorted(after.filter((item) => !isPlaceholder(item)))
      assert.strictEqual(after.length, before.length)
      assert.strictEqual(others.length, before.length - 1)
      assert.includeMembers(sorted(before), others)
      assert.deepStrictEqual(after.filter(isPlaceholder), [
        {
          damaged_record: true,
          message: "This record is damaged in the store and cannot be shown"
        }
      ])
      assert.deepStrictEqual(sorted(await list(operation, { path, query })), sorted(before))
    })
  }
})
