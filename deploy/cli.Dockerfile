# The command line, for jobs and for reporters inside a cluster, from the offline bundle. Build from the root of the
# repository:
#   npx pnpm release:bundle
#   docker build --file deploy/cli.Dockerfile --tag attestry-cli:0.1.0 dist/release
# The base has git, which the command line reads commits with. deploy/Dockerfile shows how to build reproducibly.
ARG BASE_IMAGE=buildpack-deps:bookworm-scm
ARG VERSION=0.1.0

FROM scratch AS bundle-amd64
ARG VERSION
ADD attestry-${VERSION}-linux-x64.tar.gz /

FROM scratch AS bundle-arm64
ARG VERSION
ADD attestry-${VERSION}-linux-arm64.tar.gz /

FROM bundle-${TARGETARCH} AS bundle

FROM ${BASE_IMAGE}
ARG VERSION
ARG REVISION=unknown
LABEL org.opencontainers.image.title="attestry-cli" \
  org.opencontainers.image.description="The command line of Attestry" \
  org.opencontainers.image.source="https://github.com/attestry/attestry" \
  org.opencontainers.image.documentation="https://github.com/attestry/attestry/blob/main/docs/CLI.md" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"
COPY --from=bundle --chown=0:0 /attestry-${VERSION}/LICENSE /usr/lib/attestry/LICENSE
COPY --from=bundle --chown=0:0 /attestry-${VERSION}/node /usr/lib/attestry/node
COPY --from=bundle --chown=0:0 /attestry-${VERSION}/bin/attestry /usr/lib/attestry/bin/attestry
COPY --from=bundle --chown=0:0 /attestry-${VERSION}/lib/node_modules/@attestry/cli \
  /usr/lib/attestry/lib/node_modules/@attestry/cli
ENV PATH=/usr/lib/attestry/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
WORKDIR /work
USER 1000:1000
STOPSIGNAL SIGTERM
# A job ends by itself, and a reporter has probes of its own.
HEALTHCHECK NONE
ENTRYPOINT ["/usr/lib/attestry/bin/attestry"]
