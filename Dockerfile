# syntax=docker/dockerfile:1

# Pinned by digest; Renovate proposes newer ones. The native module is linked with the C library of Debian bookworm. For the latest image:
# --build-arg NODE=24-bookworm-slim
ARG NODE=24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20

# Builds from the committed generated/, with production packages only. A change of the source does not reinstall them.
FROM node:${NODE} AS build
RUN apt-get update && apt-get install --yes --no-install-recommends make && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY Makefile package.json package-lock.json .npmrc ./
COPY src/bin src/bin
COPY src/build/step.sh src/build/step.sh
RUN make node_modules/.runs
COPY . .
# The commit that --version prints, because .git is not in the image. Empty: only the version.
ARG BUILD_COMMIT=
# The checkout may have restrictive file modes; the files must be readable by every user.
RUN make bundle \
  && chmod -R a+rX dist package.json \
  && rm -rf node_modules/better-sqlite3/deps node_modules/better-sqlite3/src

FROM node:${NODE}
WORKDIR /app
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATABASE_URL=sqlite:/data/agent-readiness.db
RUN ln -s /app/src/bin/agent-readiness-scan /usr/local/bin/agent-readiness-scan \
  && install -d -o 1000 -g 1000 -m 0700 /data
# All other packages are in the bundle.
COPY --from=build /app/node_modules/better-sqlite3 node_modules/better-sqlite3
COPY --from=build /app/package.json package.json
COPY --from=build /app/src/bin src/bin
COPY --from=build /app/dist dist

# A number, so that an orchestrator can see that it is not root. Only /data is written.
USER 1000:1000
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
# Not /readyz: an unavailable database is no reason to restart the container.
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["agent-readiness-scan"]
CMD ["serve"]
