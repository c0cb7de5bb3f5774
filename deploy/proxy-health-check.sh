#!/bin/bash
# Whether the proxy reaches a server that is ready; without a program that the image does not have.
exec 3<>"/dev/tcp/127.0.0.1/$PROXY_PORT" || exit 1
printf 'GET %s/health/ready HTTP/1.0\r\n\r\n' "$BASE_PATH" >&3
read -r -t 3 line <&3
[[ $line == *' 200 '* ]]
