/** The variables that a job of each CI has, as far as the program reads them; names and addresses are neutral. */

const SHA = "9f1c2ab04c0d5e6f7a8b9c0d1e2f3a4b5c6d7e8f"

/** The variables of a push, by the word of `attestry init --ci`. */
export const JOBS: { readonly [ci: string]: { readonly [name: string]: string } } = {
  github: {
    CI: "true",
    GITHUB_ACTIONS: "true",
    GITHUB_SHA: SHA,
    GITHUB_REF: "refs/heads/main",
    GITHUB_REF_NAME: "main",
    GITHUB_REF_TYPE: "branch",
    GITHUB_EVENT_NAME: "push",
    GITHUB_REPOSITORY: "acme/shop",
    GITHUB_REPOSITORY_ID: "42",
    GITHUB_SERVER_URL: "https://git.example.org",
    GITHUB_RUN_ID: "7",
    GITHUB_RUN_ATTEMPT: "1"
  },
  gitlab: {
    CI: "true",
    GITLAB_CI: "true",
    CI_COMMIT_SHA: SHA,
    CI_COMMIT_REF_NAME: "main",
    CI_COMMIT_BRANCH: "main",
    CI_JOB_URL: "https://git.example.org/acme/shop/-/jobs/7",
    CI_PIPELINE_ID: "7",
    CI_PROJECT_PATH: "acme/shop",
    CI_PROJECT_ID: "42",
    CI_PROJECT_URL: "https://git.example.org/acme/shop",
    CI_SERVER_FQDN: "git.example.org"
  },
  "azure-devops": {
    TF_BUILD: "True",
    BUILD_SOURCEVERSION: SHA,
    BUILD_SOURCEBRANCH: "refs/heads/main",
    BUILD_BUILDID: "7",
    BUILD_REPOSITORY_ID: "42",
    BUILD_REPOSITORY_NAME: "shop",
    BUILD_REPOSITORY_URI: "https://git.example.org/acme/shop",
    BUILD_REPOSITORY_PROVIDER: "TfsGit",
    SYSTEM_COLLECTIONURI: "https://ci.example.org/acme/",
    SYSTEM_TEAMPROJECT: "shop"
  },
  bitbucket: {
    CI: "true",
    BITBUCKET_BUILD_NUMBER: "7",
    BITBUCKET_COMMIT: SHA,
    BITBUCKET_BRANCH: "main",
    BITBUCKET_REPO_FULL_NAME: "acme/shop",
    BITBUCKET_REPO_UUID: "{42}",
    BITBUCKET_GIT_HTTP_ORIGIN: "https://bitbucket.org/acme/shop"
  },
  jenkins: {
    JENKINS_URL: "https://ci.example.org/",
    GIT_COMMIT: SHA,
    GIT_BRANCH: "origin/main",
    GIT_URL: "https://git.example.org/acme/shop.git",
    BUILD_URL: "https://ci.example.org/job/shop/7/",
    BUILD_NUMBER: "7"
  },
  circleci: {
    CI: "true",
    CIRCLECI: "true",
    CIRCLE_SHA1: SHA,
    CIRCLE_BRANCH: "main",
    CIRCLE_BUILD_URL: "https://ci.example.org/gh/acme/shop/7",
    CIRCLE_BUILD_NUM: "7",
    CIRCLE_PROJECT_USERNAME: "acme",
    CIRCLE_PROJECT_REPONAME: "shop",
    CIRCLE_REPOSITORY_URL: "https://git.example.org/acme/shop"
  }
}
