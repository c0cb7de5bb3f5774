#!/bin/bash
# The calls of a portal by curl.
base=$1 login=$2 password=$3 nick_name=$4
users=$base/api/v2/directory/users
body=$(mktemp)
trap 'rm -f "$body"' EXIT

call() {
  local name=$1 answer
  shift
  answer=$(curl --silent --output "$body" --write-out '%{http_code}\t%{content_type}' "$@")
  printf '%s\t%s\t%s\n' "$name" "$answer" "$(base64 --wrap=0 "$body")"
}
find() { grep -o "\"$1\":\"[^\"]*\"" "$body" | head -1 | cut -d'"' -f4; }

call 'sign in' "$base/api/v2/authentication" -H 'Content-Type: application/json' \
  -d "{\"login\":\"$login\",\"password\":\"$password\"}"
token=$(find token)
header="X-AUTHENTICATION-KEY: $token"
key="_AuthenticationKey=$token"
call users "$users?range=0-25&sorter=-lastName&filters=login:contains:e" -H "$header"
call me "$users/me" -H "$header"
call patch "$users/$(find id)" -X PATCH -H "$header" -H 'Accept: application/json-patch+json' \
  -H 'Content-Type: application/json-patch+json' \
  -d "[{\"op\":\"replace\",\"path\":\"/nickName\",\"value\":\"$nick_name\"}]"
call categories "$base/navigation/workplace/categories?$key"
call apps "$base/navigation/workplace/apps?category=$(find id)&$key"
call indicator "$base/navigation/workplace/apps/indicator?applicationUri=$(find id)&$key"
search=(--get "$base/navigation/search/workplace" -d query=e -d searchName=workplace_searchUsers
  -d searchField=quickSearch --data-urlencode "$key")
call search "${search[@]}"
bottom=$(find searchIndexBottom) top=$(find searchIndexTop) photo=$(find PHOTO)
call 'next page' "${search[@]}" --data-urlencode "searchIndexBottom=$bottom" --data-urlencode "searchIndexTop=$top"
call photo "$base$photo?$key"
