# The command line, for reporters and jobs. Build from the root of the repository:
#   docker build --file deploy/cli.Dockerfile --tag attestry-cli .
FROM node:22-bookworm-slim AS build
WORKDIR /source
COPY . .
RUN npx --yes pnpm@12.18.0 install --frozen-lockfile && node packages/cli/build/build.mjs --force

FROM node:22-bookworm-slim
RUN apt-get update && apt-get install --yes --no-install-recommends git && rm -rf /var/lib/apt/lists/*
COPY --from=build --chown=root:root /source/packages/cli/dist/bundle /usr/lib/attestry-cli/dist/bundle
RUN ln -s /usr/lib/attestry-cli/dist/bundle/attestry.js /usr/local/bin/attestry
USER node
STOPSIGNAL SIGTERM
ENTRYPOINT ["attestry"]
