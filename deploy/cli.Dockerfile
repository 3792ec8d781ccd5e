# The command line, for jobs and for reporters inside a cluster. Build from the root of the repository:
#   docker build --file deploy/cli.Dockerfile --tag attestry-cli .
FROM node:22-bookworm-slim AS build
WORKDIR /source
COPY . .
RUN npx --yes pnpm@12.18.0 install --frozen-lockfile && node packages/cli/build/build.mjs --force

FROM node:22-bookworm-slim
ENV NODE_ENV=production
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates git \
  && rm -rf /var/lib/apt/lists/*
COPY --from=build --chown=root:root /source/packages/cli/dist/bundle /usr/lib/attestry-cli/dist/bundle
RUN ln -s /usr/lib/attestry-cli/dist/bundle/attestry.js /usr/local/bin/attestry
USER node
WORKDIR /work
STOPSIGNAL SIGTERM
ENTRYPOINT ["attestry"]
