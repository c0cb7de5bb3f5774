#!/usr/bin/env bash
# Makes the files of a release of the current commit: the same bytes from the same commit, Node and npm.
#
#   scripts/release.sh [folder]     # release/ by default; CONTRIBUTING.md, "A release"
#
# With SOURCE_DATE_EPOCH, the time of the files in seconds, it takes the working tree as it is.
set -euo pipefail
export LC_ALL=C TZ=UTC
umask 022
output=$(realpath -m "${1:-$(dirname "$0")/../release}")
cd "$(dirname "$0")/.."
version=$(node -p 'require("./package.json").version')
name=process-platform-$version

if [[ -z ${SOURCE_DATE_EPOCH:-} ]]; then
  if [[ -n $(git status --porcelain) ]]; then
    echo "A release is made of a commit: commit or remove what git status shows." >&2
    exit 1
  fi
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
fi
export SOURCE_DATE_EPOCH

notes=$(awk -v heading="## [$version]" 'index($0, "## ") == 1 { found = index($0, heading) == 1 } found' CHANGELOG.md)
if [[ -z $notes ]]; then
  echo "CHANGELOG.md has no section $version." >&2
  exit 1
fi

npm run --silent build
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stage=$work/$name
mkdir -p "$stage/dist"
cp -r dist/{src,migrations,pages,openapi.json} "$stage/dist"
cp -r package.json package-lock.json .npmrc LICENSE SECURITY.md CHANGELOG.md docs "$stage"
{
  cat deploy/release-readme.md
  awk '/^##/ { found = $0 == "### From the archive"; if (found) print "" } found' docs/operate.md
} | sed "s/^### From.*/## Install in three minutes/" >"$stage/README.md"
install -D -m 644 -t "$stage/deploy" deploy/*.{service,timer} deploy/smoke.mjs
install -t "$stage/deploy" deploy/{backup,restore-drill}.sh
cp -r deploy/{helm,kubernetes} "$stage/deploy"
awk '/^FROM .* AS server$/ { found = 1 } found' Dockerfile |
  sed 's/ AS server$//; s/^COPY --from=build .*/COPY . ./' >"$stage/Dockerfile"

# Without development packages in package.json, because npm keeps those that an optional peer names. The versions
# are those of the lock. The embedded PostgreSQL is for trying; an installation has a DATABASE_URL.
npm_in_stage() { (cd "$stage" && npm "$@" --no-audit --no-fund --loglevel=error >&2); }
npm_in_stage pkg delete devDependencies optionalDependencies overrides.openapi-typescript
npm_in_stage install --package-lock-only --ignore-scripts
for cpu in x64 arm64; do
  npm_in_stage ci --ignore-scripts --prefer-offline --os=linux --libc=glibc --cpu=$cpu
  mv "$stage/node_modules" "$work/$cpu"
done
cp -r "$work/arm64/." "$work/x64"
mv "$work/x64" "$stage/node_modules"
rm -r "$stage"/node_modules/{.bin,.package-lock.json}
rm "$stage/.npmrc"
npm_in_stage pkg delete allowScripts overrides scripts

rm -rf "$output"
mkdir -p "$output"
(cd "$stage" && npm sbom --sbom-format cyclonedx --sbom-type application) >"$work/sbom.json"
rm "$stage/package-lock.json"
node scripts/notices.mjs "$stage" <"$work/sbom.json" >"$output/$name.cdx.json"
cp "$stage/THIRD-PARTY-NOTICES.txt" "$output"
printf '%s\n' "$notes" >"$output/RELEASE-NOTES.md"
tar --create --directory "$work" --format=gnu --sort=name --mtime="@$SOURCE_DATE_EPOCH" \
  --owner=0 --group=0 --numeric-owner --mode=u+rwX,go+rX,go-w "$name" |
  gzip -n -9 >"$output/$name.tar.gz"
cd "$output"
sha256sum -- * >"$work/SHA256SUMS"
mv "$work/SHA256SUMS" .
du -h --apparent-size -- *
