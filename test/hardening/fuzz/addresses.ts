import { type AttackClass, type Attempt, bodyOf } from './attempt.js';
import { pairs } from '../../support/random.js';

const HEADERS = [
  ...[
    'X-Forwarded-For',
    'X-Real-IP',
    'Forwarded',
    'True-Client-IP',
    'CF-Connecting-IP',
    'X-Client-IP',
  ],
  ...['X-Cluster-Client-IP', 'X-Originating-IP', 'X-Remote-IP', 'X-Remote-Addr', 'X-Host', 'Via'],
];

const VALUES = [
  ...[
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '127.0.0.1, 127.0.0.1',
    '127.0.0.1,',
    ',127.0.0.1',
  ],
  ...[
    '127.1',
    '0177.0.0.1',
    '2130706433',
    '0x7f.1',
    'localhost',
    '[::1]',
    '127.0.0.1:80',
    '"127.0.0.1"',
    'for=127.0.0.1',
  ],
  ...[
    'for="[::1]"',
    'for=127.0.0.1;by=127.0.0.1;host=localhost',
    'unknown',
    '_hidden',
    '127.0.0.1%lo',
    '127.0.0.1/8',
  ],
  ...[
    '0.0.0.0/0',
    '10.0.0.1, 127.0.0.1',
    '127.0.0.1, 10.0.0.1',
    'a;b<script>',
    "' OR '1'='1",
    '127.0.0.1 ',
  ],
];

/** Paths of all three interfaces, including open ones. */
const CALLS: Partial<Attempt>[] = [
  { path: '/api/v2' },
  { path: '/api/v2/directory/users' },
  {
    path: '/api/v2/authentication',
    method: 'POST',
    body: '{"login":"alice.martin","password":"Portal-Demo-2026"}',
  },
  { path: '/navigation/workplace/categories' },
  {
    path: '/navigation/search/workplace?query=&searchName=workplace_searchUsers&searchField=quickSearch',
  },
  { path: '/nothing' },
];

/** A peer that the IP allowlist does not admit. */
const OUTSIDE = '127.0.0.5';

export const addresses: AttackClass = {
  id: 'A9',
  goal: 'addresses: no header admits a peer that the rule does not, whatever its token',
  size: 840,
  attempts: ({ administrator }, count, random) =>
    Promise.resolve(
      random.sample(
        pairs(pairs(HEADERS, VALUES), CALLS).map(([[name, value], call]): Attempt => ({
          path: '',
          ...call,
          token: administrator,
          from: OUTSIDE,
          headers: { [name]: value },
          judge: (answer) => {
            const { code, type } = bodyOf(answer);
            return answer.status === 403 && (code === 403 || type === 'error')
              ? undefined
              : `admitted with ${name}: ${value}: status ${answer.status}`;
          },
        })),
        count,
      ),
    ),
};
