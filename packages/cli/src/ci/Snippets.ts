/**
 * Example pipelines for each CI. `attestry init` writes them, `docs/CLI.md` shows them, and tests run their commands
 * with the variables of that CI. Pure.
 */

/** A pipeline of one CI. */
export interface Snippet {
  /** The value of `attestry init --ci`. */
  readonly ci: string
  readonly title: string
  /** The file that the CI reads. */
  readonly file: string
  readonly text: string
}

/** The values that a snippet contains. */
export interface SnippetOptions {
  readonly url: string
  readonly org: string
  readonly flow: string
  /** How a job signs in: by its id token, if its CI has one, or with a stored key. */
  readonly signIn: "identity" | "key"
}

/** The commands of a job: the artifact is the folder `dist`, the test results are in `reports`. */
export const COMMANDS: ReadonlyArray<string> = [
  "attestry begin",
  "attestry attest artifact dist --slot app",
  "attestry attest junit reports -n app.unit -a dist",
  "attestry assert artifact dist --environment production"
]

const BUILD = "npm ci && npm run build"

/** WHY the job continues: failed tests are evidence too, and the gate refuses the artifact. */
const TEST = "rm -f .tests-failed; npm test || touch .tests-failed"

/** WHY after the gate: a test run can fail without writing a result. */
const END = "test ! -e .tests-failed"

/** The commands of a job after installation. */
const STEPS: ReadonlyArray<string> = [...COMMANDS, END]

const lines = (indent: number, prefix: string, texts: ReadonlyArray<string>): string =>
  texts.map((text) => `${" ".repeat(indent)}${prefix}${text}`).join("\n")

const GITHUB_SIGN_IN = {
  identity: `    permissions:
      contents: read
      id-token: write`,
  key: `    permissions:
      contents: read
    env:
      ATTESTRY_API_KEY: \${{ secrets.ATTESTRY_API_KEY }}`
}

const github = ({ url, org, flow, signIn }: SnippetOptions): string => `name: evidence
on: push
jobs:
  evidence:
    runs-on: ubuntu-latest
${GITHUB_SIGN_IN[signIn]}
    steps:
      - uses: actions/checkout@v4
      - run: ${BUILD}
      - run: ${TEST}
      - uses: attestry/attestry/ci/github@v0
        with:
          url: ${url}
          org: ${org}
          flow: ${flow}
${lines(6, "- run: ", STEPS)}
`

const gitlab = ({ url, org, flow }: SnippetOptions): string => `include:
  - component: $CI_SERVER_FQDN/attestry/attestry/attestry@0
    inputs:
      url: ${url}
      org: ${org}
      flow: ${flow}
      environment: production

evidence:
  extends: .attestry
  script:
    - ${BUILD}
    - ${TEST}
${lines(4, "- ", STEPS)}
`

const azureDevops = ({ url, org, flow }: SnippetOptions): string => `steps:
  - script: ${BUILD}
  - script: ${TEST}
  - script: npm install --global @attestry/cli
  - script: |
${lines(6, "", STEPS)}
    env:
      ATTESTRY_URL: ${url}
      ATTESTRY_ORG: ${org}
      ATTESTRY_FLOW: ${flow}
      ATTESTRY_API_KEY: $(ATTESTRY_API_KEY)
`

const bitbucket = ({ url, org, flow }: SnippetOptions): string => `image: node:24
pipelines:
  default:
    - step:
        name: evidence
        script:
          - ${BUILD}
          - ${TEST}
          - npm install --global @attestry/cli
          - export ATTESTRY_URL=${url} ATTESTRY_ORG=${org} ATTESTRY_FLOW=${flow}
${lines(10, "- ", STEPS)}
`

const jenkins = ({ url, org, flow }: SnippetOptions): string => `pipeline {
  agent { docker { image 'node:24' } }
  environment {
    ATTESTRY_URL = '${url}'
    ATTESTRY_ORG = '${org}'
    ATTESTRY_FLOW = '${flow}'
    ATTESTRY_API_KEY = credentials('attestry-api-key')
  }
  stages {
    stage('evidence') {
      steps {
        sh '${BUILD}'
        sh '${TEST}'
        sh 'npm install --global @attestry/cli'
${STEPS.map((command) => `        sh '${command}'`).join("\n")}
      }
    }
  }
}
`

const circleci = ({ url, org, flow }: SnippetOptions): string => `version: 2.1
jobs:
  evidence:
    docker:
      - image: cimg/node:24.0
    environment:
      ATTESTRY_URL: ${url}
      ATTESTRY_ORG: ${org}
      ATTESTRY_FLOW: ${flow}
    steps:
      - checkout
      - run: ${BUILD}
      - run: ${TEST}
      - run: npm install --prefix ~/.attestry @attestry/cli
      - run: echo 'export PATH="$HOME/.attestry/node_modules/.bin:$PATH"' >> "$BASH_ENV"
${lines(6, "- run: ", STEPS)}
workflows:
  evidence:
    jobs: [evidence]
`

const PRINTERS: ReadonlyArray<
  readonly [string, string, string, (options: SnippetOptions) => string]
> = [
  ["github", "GitHub Actions", ".github/workflows/attestry.yml", github],
  ["gitlab", "GitLab CI", ".gitlab-ci.yml", gitlab],
  ["azure-devops", "Azure DevOps", "azure-pipelines.yml", azureDevops],
  ["bitbucket", "Bitbucket Pipelines", "bitbucket-pipelines.yml", bitbucket],
  ["jenkins", "Jenkins", "Jenkinsfile", jenkins],
  ["circleci", "CircleCI", ".circleci/config.yml", circleci]
]

/** The pipelines of all CIs. */
export const all = (options: SnippetOptions): ReadonlyArray<Snippet> =>
  PRINTERS.map(([ci, title, file, print]) => ({ ci, title, file, text: print(options) }))

/** A flow template that matches the commands. */
export const TEMPLATE = `version: 1
trail:
  artifacts:
    - name: app
      attestations:
        - name: unit
          type: junit
`
