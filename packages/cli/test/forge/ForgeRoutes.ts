/** A forge, a tracker and a scanner's server in one: a merged pull request, an issue, and an analysis. */
import { SHA } from "../shared/TestJob.js"
import type * as FakeForge from "./FakeForge.js"

const REPOSITORY = "/repos/acme/shop"
const AT = "2026-11-16T09:00:00+0000"

/** A commit without a pull request. */
export const UNREVIEWED = "e".repeat(40)

/** The answers, by method and path. */
export const ROUTES: { readonly [path: string]: FakeForge.Route } = {
  [`GET ${REPOSITORY}/commits/${SHA}/pulls`]: { json: [{ number: 41 }] },
  [`GET ${REPOSITORY}/commits/${UNREVIEWED}/pulls`]: { json: [] },
  [`GET ${REPOSITORY}/pulls/41`]: {
    json: {
      number: 41,
      html_url: "https://git.example.org/acme/shop/pull/41",
      state: "closed",
      merged_at: "2026-11-16T10:00:00Z",
      created_at: "2026-11-15T10:00:00Z",
      merge_commit_sha: SHA,
      title: "Add coupons \u001b[2J::error::x",
      user: { login: "ada" },
      head: { ref: "feature", sha: SHA },
      base: { ref: "main", sha: "b".repeat(40) }
    }
  },
  [`GET ${REPOSITORY}/pulls/41/reviews`]: {
    json: [
      {
        user: { login: "max" },
        state: "APPROVED",
        commit_id: SHA,
        submitted_at: "2026-11-15T12:00:00Z"
      }
    ]
  },
  [`GET ${REPOSITORY}/pulls/41/commits`]: { json: [] },
  "GET /rest/api/2/issue/SHOP-12": { json: { fields: { summary: "Coupons" } } },
  "GET /sonar/api/ce/task": {
    json: {
      task: {
        id: "task-1",
        type: "REPORT",
        componentKey: "shop",
        componentName: "Shop",
        status: "SUCCESS",
        analysisId: "analysis-1",
        submittedAt: AT,
        executedAt: AT,
        branch: "main",
        branchType: "BRANCH"
      }
    }
  },
  "GET /sonar/api/project_analyses/search": {
    json: {
      paging: { pageIndex: 1, pageSize: 100, total: 1 },
      analyses: [{ key: "analysis-1", date: AT, revision: SHA }]
    }
  },
  "GET /sonar/api/qualitygates/project_status": {
    json: { projectStatus: { status: "ERROR", conditions: [] } }
  }
}

/** The credentials that lead to it. */
export const CREDENTIALS = {
  GITHUB_TOKEN: "secret-token-1",
  JIRA_PAT: "secret-token-2",
  SONAR_TOKEN: "secret-token-3"
}
