/** The job that tests run in: a run of GitHub Actions on one commit. */

/** The commit of the job. */
export const SHA = "9f1c2ab04c0d5e6f7a8b9c0d1e2f3a4b5c6d7e8f"

/** The variables of the job. */
export const JOB = {
  GITHUB_ACTIONS: "true",
  GITHUB_SHA: SHA,
  GITHUB_REPOSITORY: "acme/shop",
  GITHUB_REPOSITORY_ID: "42",
  GITHUB_SERVER_URL: "https://git.example.org",
  GITHUB_RUN_ID: "7"
}

/** The job, whose evidence goes into one trail. */
export const JOB_OF_TRAIL = { ...JOB, ATTESTRY_FLOW: "shop", ATTESTRY_TRAIL: "t1" }
