"""The calls of a portal by Python's requests."""

import base64
import sys

import requests

BASE, LOGIN, PASSWORD, NICK_NAME = sys.argv[1:]
USERS = '/api/v2/directory/users'


def call(name, path, params=None, method='GET', **options):
    answer = requests.request(method, BASE + path, params=params, **options)
    print(name, answer.status_code, answer.headers.get('Content-Type'),
          base64.b64encode(answer.content).decode(), sep='\t')
    return answer


credentials = {'login': LOGIN, 'password': PASSWORD}
token = call('sign in', '/api/v2/authentication', method='POST', json=credentials).json()['token']
header = {'X-AUTHENTICATION-KEY': token}
key = {'_AuthenticationKey': token}
query = {'range': '0-25', 'sorter': '-lastName', 'filters': ['login:contains:e', 'status:eq:1']}
call('users', USERS, query, headers=header)
me = call('me', USERS + '/me', headers=header).json()
patch = [{'op': 'replace', 'path': '/nickName', 'value': NICK_NAME}]
call('patch', f'{USERS}/{me["id"]}', method='PATCH', json=patch,
     headers={**header, 'Accept': 'application/json-patch+json'})
categories = call('categories', '/navigation/workplace/categories', key).json()
apps = call('apps', '/navigation/workplace/apps', {'category': categories[0]['id'], **key}).json()
call('indicator', '/navigation/workplace/apps/indicator', {'applicationUri': apps[0]['id'], **key})
search = {'query': 'e', 'searchName': 'workplace_searchUsers', 'searchField': 'quickSearch', **key}
page = call('search', '/navigation/search/workplace', search).json()
markers = {name: page[name] for name in ('searchIndexBottom', 'searchIndexTop')}
call('next page', '/navigation/search/workplace', {**search, **markers})
call('photo', page['data'][0]['PHOTO'], key)
