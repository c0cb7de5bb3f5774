<?php
// The calls of a portal by PHP's curl.

[, $base, $login, $password, $nickName] = $argv;
$users = '/api/v2/directory/users';

function call(string $name, string $path, array $query = [], array $headers = [], array $options = [])
{
    global $base;
    $curl = curl_init($base . $path . ($query ? '?' . http_build_query($query) : ''));
    curl_setopt_array($curl, [CURLOPT_RETURNTRANSFER => true, CURLOPT_HTTPHEADER => $headers] + $options);
    $body = curl_exec($curl);
    $type = curl_getinfo($curl, CURLINFO_CONTENT_TYPE);
    echo implode("\t", [$name, curl_getinfo($curl, CURLINFO_RESPONSE_CODE), $type, base64_encode($body)]), "\n";
    return json_decode($body, true);
}

$credentials = json_encode(['login' => $login, 'password' => $password]);
$json = ['Content-Type: application/json'];
$token = call('sign in', '/api/v2/authentication', [], $json, [CURLOPT_POSTFIELDS => $credentials])['token'];
$header = ["X-AUTHENTICATION-KEY: $token"];
$key = ['_AuthenticationKey' => $token];
call('users', $users, ['range' => '0-25', 'sorter' => '-lastName', 'filters' => 'login:contains:e'], $header);
$me = call('me', "$users/me", [], $header);
$patch = json_encode([['op' => 'replace', 'path' => '/nickName', 'value' => $nickName]]);
$types = ['Accept: application/json-patch+json', 'Content-Type: application/json-patch+json'];
// A body of more than 1 MiB has curl ask before it sends it; here it asks by itself.
$asking = ['Expect: 100-continue'];
$options = [CURLOPT_CUSTOMREQUEST => 'PATCH', CURLOPT_POSTFIELDS => $patch];
call('patch', "$users/{$me['id']}", [], array_merge($header, $types, $asking), $options);
$categories = call('categories', '/navigation/workplace/categories', $key);
$apps = call('apps', '/navigation/workplace/apps', ['category' => $categories[0]['id']] + $key);
call('indicator', '/navigation/workplace/apps/indicator', ['applicationUri' => $apps[0]['id']] + $key);
$search = ['query' => 'e', 'searchName' => 'workplace_searchUsers', 'searchField' => 'quickSearch'] + $key;
$page = call('search', '/navigation/search/workplace', $search);
$markers = ['searchIndexBottom' => $page['searchIndexBottom'], 'searchIndexTop' => $page['searchIndexTop']];
call('next page', '/navigation/search/workplace', $search + $markers);
call('photo', $page['data'][0]['PHOTO'], $key);
