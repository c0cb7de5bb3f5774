"""The calls of a portal by Python's urllib."""

import base64
import json
import sys
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

BASE, LOGIN, PASSWORD, NICK_NAME = sys.argv[1:]
USERS = '/api/v2/directory/users'


def call(name, path, query=None, token=None, **options):
    url = BASE + path + ('?' + urlencode(query) if query else '')
    headers = options.pop('headers', {})
    if token:
        headers['X-AUTHENTICATION-KEY'] = token
    try:
        answer = urlopen(Request(url, headers=headers, **options))
    except HTTPError as error:
        answer = error
    body = answer.read()
    print(name, answer.status, answer.headers['Content-Type'], base64.b64encode(body).decode(), sep='\t')
    return body


credentials = json.dumps({'login': LOGIN, 'password': PASSWORD}).encode()
json_type = {'Content-Type': 'application/json'}
token = json.loads(call('sign in', '/api/v2/authentication', data=credentials, headers=json_type))['token']
key = {'_AuthenticationKey': token}
call('users', USERS, {'range': '0-25', 'sorter': '-lastName', 'filters': 'login:contains:e'}, token)
me = json.loads(call('me', USERS + '/me', token=token))
patch = json.dumps([{'op': 'replace', 'path': '/nickName', 'value': NICK_NAME}]).encode()
patch_type = 'application/json-patch+json'
call('patch', f'{USERS}/{me["id"]}', token=token, data=patch, method='PATCH',
     headers={'Accept': patch_type, 'Content-Type': patch_type})
categories = json.loads(call('categories', '/navigation/workplace/categories', key))
apps = json.loads(call('apps', '/navigation/workplace/apps', {'category': categories[0]['id'], **key}))
call('indicator', '/navigation/workplace/apps/indicator', {'applicationUri': apps[0]['id'], **key})
search = {'query': 'e', 'searchName': 'workplace_searchUsers', 'searchField': 'quickSearch', **key}
page = json.loads(call('search', '/navigation/search/workplace', search))
markers = {name: page[name] for name in ('searchIndexBottom', 'searchIndexTop')}
call('next page', '/navigation/search/workplace', {**search, **markers})
call('photo', page['data'][0]['PHOTO'], key)
