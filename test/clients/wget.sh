#!/bin/bash
# The calls of a portal by wget.
base=$1 login=$2 password=$3 nick_name=$4
users=$base/api/v2/directory/users
folder=$(mktemp --directory)
trap 'rm -rf "$folder"' EXIT
body=$folder/body

call() {
  local name=$1
  shift
  wget --quiet --server-response --content-on-error --output-document="$body" "$@" 2>"$folder/head"
  local status type
  status=$(sed -n 's/^ *HTTP\/[0-9.]* \([0-9]*\).*/\1/p' "$folder/head" | tail -1)
  type=$(sed -n 's/^ *Content-Type: *//p' "$folder/head" | tail -1)
  printf '%s\t%s\t%s\t%s\n' "$name" "$status" "$type" "$(base64 --wrap=0 "$body")"
}
find() { grep -o "\"$1\":\"[^\"]*\"" "$body" | head -1 | cut -d'"' -f4; }

call 'sign in' "$base/api/v2/authentication" --header='Content-Type: application/json' \
  --post-data="{\"login\":\"$login\",\"password\":\"$password\"}"
token=$(find token)
header="X-AUTHENTICATION-KEY: $token"
key="_AuthenticationKey=$token"
call users "$users?range=0-25&sorter=-lastName&filters=login:contains:e" --header="$header"
call me "$users/me" --header="$header"
call patch "$users/$(find id)" --method=PATCH --header="$header" \
  --header='Accept: application/json-patch+json' --header='Content-Type: application/json-patch+json' \
  --body-data="[{\"op\":\"replace\",\"path\":\"/nickName\",\"value\":\"$nick_name\"}]"
call categories "$base/navigation/workplace/categories?$key"
call apps "$base/navigation/workplace/apps?category=$(find id)&$key"
call indicator "$base/navigation/workplace/apps/indicator?applicationUri=$(find id)&$key"
search="$base/navigation/search/workplace?query=e&searchName=workplace_searchUsers&searchField=quickSearch&$key"
call search "$search"
# wget encodes what an address cannot hold by itself, in the encoding of the locale.
bottom=$(find searchIndexBottom) top=$(find searchIndexTop) photo=$(find PHOTO)
call 'next page' "$search&searchIndexBottom=$bottom&searchIndexTop=$top"
call photo "$base$photo?$key"
