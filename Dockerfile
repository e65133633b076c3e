# syntax=docker/dockerfile:1

# Node 24 on the Debian release whose C library the binaries are linked with, by version and digest: every build stands on the same
# image, and Renovate proposes a newer one where it runs. To take today's: --build-arg NODE=24-bookworm-slim
ARG NODE=24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20

# The same build as everywhere else, of the generated/ that is committed. It takes the packages of production alone, and for these only
# the lock file decides: a change of the source leaves them be.
FROM node:${NODE} AS build
RUN apt-get update && apt-get install --yes --no-install-recommends make && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY Makefile package.json package-lock.json .npmrc ./
COPY src/bin src/bin
COPY src/build/step.sh src/build/step.sh
RUN make node_modules/.runs
COPY . .
# The commit that the image is made of, since .git stays outside: the program says it beside its version. Empty: the version alone.
ARG BUILD_COMMIT=
# Whatever the modes of the checkout were, everybody may read what comes out.
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

# By number, so that an orchestrator can see that it is not root. Nothing but /data is ever written.
USER 1000:1000
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
# Whether the process lives. Whether it can work, /readyz tells: a database that is away is no reason to restart this.
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["agent-readiness-scan"]
CMD ["serve"]
